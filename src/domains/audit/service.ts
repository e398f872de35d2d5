import type { Database } from '../../platform/database/database.ts';
import { type PageQuery, readPage } from '../../platform/http/schemas.ts';
import * as store from './list-store.ts';
import { type AuditEntry, type AuditQuery, auditActionKey, auditKey } from './schemas.ts';

export interface AuditOptions {
  database: Database;
}

export type Audit = ReturnType<typeof createService>;

/** The match of a report that an entry decides; null for any other entry. */
const reportedMatchOf = ({ action, after }: Pick<AuditEntry, 'action' | 'after'>): string | null =>
  action === 'decideReport' ? (after as { matchGuid: string }).matchGuid : null;

/** Reads the audit log. Each change writes its entry with `recordAudit`. */
export function createService({ database }: AuditOptions) {
  return {
    /**
     * A page of the log, newest first. Decisions about reports of matches that the reader played in are taken out of it.
     * @throws VALIDATION_FAILED for a foreign cursor
     */
    list: async (query: AuditQuery, readerGuid: string) => {
      const { items, nextCursor } = await readPage(
        query,
        auditKey,
        (after, limit) => store.findAudit(database.prisma, query, after, limit),
        ({ at, auditGuid }) => [at, auditGuid],
      );
      const reported = items.map(reportedMatchOf);
      const own = await store.matchesOfPlayer(
        database.prisma,
        reported.filter((one) => one !== null),
        readerGuid,
      );
      return { items: items.filter((_, at) => !own.has(reported[at] ?? '')), nextCursor };
    },

    /** A page of the actions that occur in the log. @throws VALIDATION_FAILED for a foreign cursor */
    actions: (query: PageQuery) =>
      readPage(
        query,
        auditActionKey,
        (after, limit) => store.occurringActions(database.prisma, after?.[0] ?? '', limit),
        (action) => [action],
      ),
  };
}
