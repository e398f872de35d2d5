import type { Db } from '../../platform/database/database.ts';
import { Prisma } from '../../platform/database/database.ts';

/** The data that identified a person. */
export interface Identity {
  username: string;
  subject: string;
  platformId: string | null;
}

/** A name of fewer characters would be found in texts that do not mean it. */
const SHORTEST_NAME = 3;

/** A value without the name, subject and platform id of a person, wherever a text has them. */
function without(value: unknown, { username, subject, platformId }: Identity): unknown {
  const hidden = [subject, platformId, username.length < SHORTEST_NAME ? null : username];
  const hide = (one: unknown): unknown => {
    if (typeof one === 'string')
      return hidden.reduce<string>((text, known) => (known ? text.replaceAll(known, '…') : text), one);
    if (Array.isArray(one)) return one.map(hide);
    if (typeof one === 'object' && one !== null)
      return Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, hide(inner)]));
    return one;
  };
  return hide(value);
}

/** Removes what a person wrote: the comments of their reports, and of their reviews as staff. */
export async function eraseComments(db: Db, playerGuid: string): Promise<void> {
  await db.report.updateMany({ where: { reporterGuid: playerGuid }, data: { comment: null } });
  await db.poolReview.updateMany({ where: { reviewerGuid: playerGuid }, data: { comment: null, rows: [] } });
  await db.replayReview.updateMany({ where: { resolvedByGuid: playerGuid }, data: { comment: null } });
  await db.$executeRaw`
    UPDATE "AuditEntry"
    SET "after" = jsonb_set(jsonb_set("after", '{review,comment}', 'null'), '{review,rows}', '[]')
    WHERE "actorGuid" = ${playerGuid}::uuid AND "action" = 'reviewPool'`;
  for (const column of [Prisma.sql`"before"`, Prisma.sql`"after"`])
    await db.$executeRaw`
      UPDATE "AuditEntry" SET ${column} = jsonb_set(${column}, '{comment}', 'null')
      WHERE "actorGuid" = ${playerGuid}::uuid AND ${column} ? 'comment'`;
}

/** Takes the name, subject and platform id out of what others wrote of a person: reasons, comments, and audit entries. */
export async function eraseMentions(db: Db, playerGuid: string, identity: Identity): Promise<void> {
  const texts = (text: string | null) => without(text, identity) as string | null;
  const of = { playerGuid };
  for (const { banGuid, reason } of await db.ban.findMany({ where: of }))
    await db.ban.update({ where: { banGuid }, data: { reason: texts(reason) ?? '' } });
  for (const { reportGuid, comment } of await db.report.findMany({
    where: { ...of, comment: { not: null } },
  }))
    await db.report.update({ where: { reportGuid }, data: { comment: texts(comment) } });
  for (const { reviewGuid, comment } of await db.replayReview.findMany({
    where: { ...of, comment: { not: null } },
  }))
    await db.replayReview.update({ where: { reviewGuid }, data: { comment: texts(comment) } });

  const { subject, platformId } = identity;
  const own = `/players/${playerGuid}`;
  const entries = await db.$queryRaw<{ auditGuid: string; before: unknown; after: unknown }[]>`
    WITH about AS (
      SELECT '/matches/' || "matchGuid" AS target FROM "Match"
      WHERE "redGuid" = ${playerGuid}::uuid OR "blueGuid" = ${playerGuid}::uuid
      UNION ALL SELECT '/replay-reviews/' || "reviewGuid" FROM "ReplayReview" WHERE "playerGuid" = ${playerGuid}::uuid
      UNION ALL SELECT '/reports/' || "reportGuid" FROM "Report" WHERE "playerGuid" = ${playerGuid}::uuid
    )
    SELECT "auditGuid"::text, "before", "after" FROM "AuditEntry"
    WHERE "target" = ${own} OR "target" LIKE ${`${own}/%`} OR "target" IN (SELECT target FROM about)
      OR ("action" = 'refusePlatformId'
        AND ("before" ->> 'platformId' = ${platformId} OR "after" ->> 'refusedSubject' = ${subject}))`;
  for (const { auditGuid, before, after } of entries)
    await db.$executeRaw`
      UPDATE "AuditEntry" SET "before" = ${json(without(before, identity))}::jsonb,
        "after" = ${json(without(after, identity))}::jsonb
      WHERE "auditGuid" = ${auditGuid}::uuid`;
  await db.platformIdRefusal.deleteMany({ where: { OR: [{ subject }, { platformId: platformId ?? '' }] } });
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Whether the person sits in a running match. */
export const isSeated = async (db: Db, playerGuid: string): Promise<boolean> =>
  (await db.runningSeat.count({ where: { playerGuid } })) > 0;
