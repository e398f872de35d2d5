import { type Clock, newGuid } from '../../platform/clock.ts';
import { type Db, Prisma } from '../../platform/database/database.ts';
import { expiryOf } from '../../platform/database/expiry.ts';

/** A change of a resource, or a refusal that staff should see. */
interface AuditRecord {
  /** Milliseconds since 1970. */
  at: number;
  /** Null: the service itself, for example when a queue closes with its season. */
  actorGuid: string | null;
  action: string;
  /** Path of the resource. */
  target: string;
  /** Null when the resource did not exist before, or does not exist any more. */
  before: object | null;
  after: object | null;
}

/** Writes an audit entry in the transaction of the change, so that no change is without one. */
export const recordAudit = (db: Db, record: AuditRecord) => recordAudits(db, [record]);

/** The same for several resources, in one statement. */
export async function recordAudits(db: Db, records: readonly AuditRecord[]) {
  await db.auditEntry.createMany({
    data: records.map((record) => ({
      ...record,
      auditGuid: newGuid(),
      at: new Date(record.at),
      before: record.before ?? Prisma.DbNull,
      after: record.after ?? Prisma.DbNull,
    })),
  });
}

/** Records changes of one kind of resource. @param targetOf the path of a resource */
export const auditorOf =
  <T extends object>(clock: Clock, targetOf: (resource: T) => string) =>
  (
    db: Db,
    { actorGuid }: Pick<AuditRecord, 'actorGuid'>,
    action: string,
    before: T | null,
    after: T | null,
  ) =>
    recordAudit(db, {
      at: clock.now(),
      actorGuid,
      action,
      target: targetOf((after ?? before) as T),
      before,
      after,
    });

/** Removes entries from before a time. */
export const expireAudit = expiryOf('AuditEntry', 'at');
