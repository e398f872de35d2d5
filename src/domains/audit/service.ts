import type { Database } from '../../platform/database/database.ts';
import { decodeCursor, toPage } from '../../platform/http/schemas.ts';
import { type AuditQuery, auditKey } from './schemas.ts';
import * as store from './store.ts';

export interface AuditOptions {
  database: Database;
}

export type Audit = ReturnType<typeof createService>;

/** Reads the audit log. Each change writes its entry with {@link store.recordAudit}. */
export function createService({ database }: AuditOptions) {
  return {
    /** A page of the log, newest first. @throws VALIDATION_FAILED for a foreign cursor */
    list: async ({ limit, cursor, ...filter }: AuditQuery) => {
      const after = cursor === undefined ? undefined : decodeCursor(cursor, auditKey);
      const rows = await store.findAudit(database.prisma, filter, after, limit + 1);
      return toPage(rows, limit, ({ at, auditGuid }) => [at, auditGuid]);
    },
  };
}
