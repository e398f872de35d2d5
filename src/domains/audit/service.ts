import type { Database } from '../../platform/database/database.ts';
import { type PageQuery, readPage } from '../../platform/http/schemas.ts';
import * as store from './list-store.ts';
import { type AuditQuery, auditActionKey, auditKey } from './schemas.ts';

export interface AuditOptions {
  database: Database;
}

export type Audit = ReturnType<typeof createService>;

/** Reads the audit log. Each change writes its entry with `recordAudit`. */
export function createService({ database }: AuditOptions) {
  return {
    /** A page of the log, newest first. @throws VALIDATION_FAILED for a foreign cursor */
    list: (query: AuditQuery) =>
      readPage(
        query,
        auditKey,
        (after, limit) => store.findAudit(database.prisma, query, after, limit),
        ({ at, auditGuid }) => [at, auditGuid],
      ),

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
