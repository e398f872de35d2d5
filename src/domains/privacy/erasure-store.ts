import type { Db } from '../../platform/database/database.ts';
import { Prisma } from '../../platform/database/database.ts';
import { type Identity, type Mentions, mentionsOf } from './mentions.ts';

/** A name that more texts about something else have is a word of the language, and stays there. */
const MOST_TEXTS = 100;
/** Entries of the audit log that one statement searches. */
const SLICE = 50_000;
/** Entries whose time is this long before the search may be committed after it, in milliseconds. */
const LATE_MS = 60_000;

/** The texts of people outside of the audit log. Those of whom a row names as `playerGuid` are about that person. */
const TEXTS = [
  { table: 'Ban', key: 'banGuid', columns: ['reason'], ofPlayer: true },
  { table: 'Report', key: 'reportGuid', columns: ['comment'], ofPlayer: true },
  { table: 'ReplayReview', key: 'reviewGuid', columns: ['comment'], ofPlayer: true },
  { table: 'PoolReview', key: 'reviewGuid', columns: ['comment', 'rows'], ofPlayer: false },
] as const;

const named = (name: string): Prisma.Sql => Prisma.raw(`"${name}"`);

const hasAny = (columns: readonly string[], pattern: string | null): Prisma.Sql =>
  pattern === null
    ? Prisma.sql`false`
    : Prisma.sql`(${Prisma.join(
        columns.map((column) => Prisma.sql`coalesce(${named(column)}::text ~* ${pattern}, false)`),
        ' OR ',
      )})`;

const AUDITED = ['before', 'after'];

/** The entries of the audit log that may name a person. @param most further ones are not looked for */
async function auditNaming(db: Db, pattern: string | null, most: number): Promise<string[]> {
  const found: string[] = [];
  let last: { at: Date; auditGuid: string } | undefined;
  do {
    const from = last
      ? Prisma.sql`("at", "auditGuid") > (${last.at}::timestamptz, ${last.auditGuid}::uuid)`
      : Prisma.sql`true`;
    const rows = await db.$queryRaw<{ at: Date; auditGuid: string; names: boolean }[]>`
      WITH slice AS MATERIALIZED (
        SELECT "at", "auditGuid", ${hasAny(AUDITED, pattern)} AS names FROM (
          SELECT * FROM "AuditEntry" WHERE ${from} ORDER BY "at", "auditGuid" LIMIT ${SLICE}) AS entries
      )
      SELECT "at", "auditGuid"::text, names FROM slice WHERE names
      UNION ALL (SELECT "at", "auditGuid"::text, false FROM slice ORDER BY "at" DESC, "auditGuid" DESC LIMIT 1)`;
    last = rows.pop();
    for (const { auditGuid } of rows) found.push(auditGuid);
  } while (last !== undefined && found.length <= most);
  return found;
}

/** What a search for a person found. */
export interface Search {
  identity: Identity;
  mentions: Mentions;
  /** Entries of the audit log from before `since`, milliseconds since 1970. */
  auditGuids: string[];
  since: number;
}

/**
 * Searches the audit log for a person, a slice at a time: it takes seconds where the log is long, so it comes before the
 * transaction of the erasure. It also says whether the name is a word that many texts have.
 * @param at milliseconds since 1970
 */
export async function searchMentions(db: Db, identity: Identity, at: number): Promise<Search> {
  const since = at - LATE_MS;
  const mentions = mentionsOf(identity);
  if (mentions.isNameSought) {
    let texts = 0;
    for (const { table, columns } of TEXTS) {
      const [row] = await db.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM (
          SELECT 1 FROM ${named(table)} WHERE ${hasAny(columns, mentions.pattern)} LIMIT ${MOST_TEXTS + 1}) AS found`;
      texts += row?.count ?? 0;
    }
    const auditGuids = texts > MOST_TEXTS ? [] : await auditNaming(db, mentions.pattern, MOST_TEXTS);
    if (texts + auditGuids.length <= MOST_TEXTS) return { identity, mentions, auditGuids, since };
  }
  const idsOnly = mentionsOf(identity, true);
  const { pattern } = idsOnly;
  const auditGuids = pattern === null ? [] : await auditNaming(db, pattern, Number.POSITIVE_INFINITY);
  return { identity, mentions: idsOnly, auditGuids, since };
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

/** Takes the name, subject and platform id out of what others wrote, and out of the audit log. */
export async function eraseMentions(
  db: Db,
  playerGuid: string,
  { identity, mentions, auditGuids, since }: Search,
): Promise<void> {
  const without = (value: unknown, isAbout: boolean) =>
    isAbout ? mentions.outOfAbout(value) : mentions.outOfOthers(value);
  for (const { table, key, columns, ofPlayer } of TEXTS) {
    const isAbout = ofPlayer ? Prisma.sql`"playerGuid" = ${playerGuid}::uuid` : Prisma.sql`false`;
    const rows = await db.$queryRaw<({ guid: string; isAbout: boolean } & Record<string, unknown>)[]>`
      SELECT ${named(key)}::text AS guid, ${isAbout} AS "isAbout", ${Prisma.join(columns.map(named))} FROM ${named(table)}
      WHERE ${isAbout} OR ${hasAny(columns, mentions.pattern)}`;
    for (const row of rows)
      for (const column of columns) {
        const text = without(row[column], row.isAbout);
        if (json(text) !== json(row[column]))
          await db.$executeRaw`
            UPDATE ${named(table)} SET ${named(column)} = ${typeof text === 'string' ? Prisma.sql`${text}` : Prisma.sql`${json(text)}::jsonb`}
            WHERE ${named(key)} = ${row.guid}::uuid`;
      }
  }

  const { subject, platformId } = identity;
  const own = `/players/${playerGuid}`;
  const entries = await db.$queryRaw<
    { auditGuid: string; isAbout: boolean; before: unknown; after: unknown }[]
  >`
    WITH about AS (
      SELECT '/matches/' || "matchGuid" AS target FROM "Match"
      WHERE "redGuid" = ${playerGuid}::uuid OR "blueGuid" = ${playerGuid}::uuid
      UNION ALL SELECT '/replay-reviews/' || "reviewGuid" FROM "ReplayReview" WHERE "playerGuid" = ${playerGuid}::uuid
      UNION ALL SELECT '/reports/' || "reportGuid" FROM "Report" WHERE "playerGuid" = ${playerGuid}::uuid
    ), about_person AS (
      SELECT "auditGuid" FROM "AuditEntry"
      WHERE "target" = ${own} OR "target" LIKE ${`${own}/%`} OR "target" IN (SELECT target FROM about)
        OR ("action" = 'refusePlatformId'
          AND ("before" ->> 'platformId' = ${platformId} OR "after" ->> 'refusedSubject' = ${subject}))
    ), naming AS (
      SELECT "auditGuid" FROM about_person
      UNION SELECT unnest(${auditGuids}::uuid[])
      UNION SELECT "auditGuid" FROM "AuditEntry"
      WHERE "at" >= ${new Date(since)} AND ${hasAny(AUDITED, mentions.pattern)}
    )
    SELECT "auditGuid"::text, "auditGuid" IN (SELECT "auditGuid" FROM about_person) AS "isAbout", "before", "after"
    FROM "AuditEntry" JOIN naming USING ("auditGuid")`;
  for (const { auditGuid, isAbout, before, after } of entries)
    await db.$executeRaw`
      UPDATE "AuditEntry" SET "before" = ${json(without(before, isAbout))}::jsonb,
        "after" = ${json(without(after, isAbout))}::jsonb
      WHERE "auditGuid" = ${auditGuid}::uuid`;
  await db.platformIdRefusal.deleteMany({ where: { OR: [{ subject }, { platformId: platformId ?? '' }] } });
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Whether the person sits in a running match. */
export const isSeated = async (db: Db, playerGuid: string): Promise<boolean> =>
  (await db.runningSeat.count({ where: { playerGuid } })) > 0;
