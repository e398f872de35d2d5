import { isDeepStrictEqual } from 'node:util';
import { type Db, Prisma } from '../../platform/database/database.ts';
import { type Identity, mentionsOf } from './mentions.ts';
import { named, type Row } from './store.ts';

/** A name that occurs in more texts about something else counts as a word of the language, and stays in them. */
const MOST_TEXTS = 100;

/** Most entries of the audit log are of these actions, and have no texts of people. */
const WORDLESS_ACTIONS = ['addMap', 'changeMap', 'removeMap'];

/** The texts of people in one table. */
interface Texts {
  table: string;
  key: string;
  columns: readonly string[];
  /** Whether a row is about the person. */
  isAbout: Prisma.Sql;
  /** Whether a row that is not about the person may have texts of people; left out: every row may. */
  mayName?: Prisma.Sql;
}

function textsOf(playerGuid: string, { subject, platformId }: Identity): Texts[] {
  const ofPlayer = Prisma.sql`"playerGuid" = ${playerGuid}::uuid`;
  const own = `/players/${playerGuid}`;
  const isAbout = Prisma.sql`coalesce("target" = ${own} OR "target" LIKE ${`${own}/%`} OR "target" IN (
      SELECT '/matches/' || "matchGuid" FROM "Match"
      WHERE "redGuid" = ${playerGuid}::uuid OR "blueGuid" = ${playerGuid}::uuid
      UNION ALL SELECT '/replay-reviews/' || "reviewGuid" FROM "ReplayReview" WHERE ${ofPlayer}
      UNION ALL SELECT '/reports/' || "reportGuid" FROM "Report" WHERE ${ofPlayer})
    OR ("action" = 'refusePlatformId'
      AND ("before" ->> 'platformId' = ${platformId} OR "after" ->> 'refusedSubject' = ${subject})), false)`;
  const mayName = Prisma.sql`"action" <> ALL(${WORDLESS_ACTIONS})`;
  return [
    { table: 'Ban', key: 'banGuid', columns: ['reason'], isAbout: ofPlayer },
    { table: 'Report', key: 'reportGuid', columns: ['comment'], isAbout: ofPlayer },
    { table: 'ReplayReview', key: 'reviewGuid', columns: ['comment'], isAbout: ofPlayer },
    { table: 'PoolReview', key: 'reviewGuid', columns: ['comment', 'rows'], isAbout: Prisma.sql`false` },
    { table: 'AuditEntry', key: 'auditGuid', columns: ['before', 'after'], isAbout, mayName },
  ];
}

const select = (db: Db, { table, key, columns }: Texts, where: Prisma.Sql): Promise<Row[]> =>
  db.$queryRaw`
    SELECT ${named(key)}::text AS guid, ${Prisma.join(columns.map(named))} FROM ${named(table)} WHERE ${where}`;

/** The rows about something else that a pattern matches. @param most further ones are not looked for */
function naming(db: Db, texts: Texts, pattern: string, most: number | null) {
  const { columns, isAbout, mayName = Prisma.sql`true` } = texts;
  const matches = columns.map((column) => Prisma.sql`coalesce(${named(column)}::text ~* ${pattern}, false)`);
  const isNaming = Prisma.join(matches, ' OR ');
  return select(db, texts, Prisma.sql`${mayName} AND (${isNaming}) AND NOT ${isAbout} LIMIT ${most}`);
}

/** Writes what is left of the texts of a row. */
async function rewrite(
  db: Db,
  { table, key, columns }: Texts,
  row: Row,
  change: (value: unknown) => unknown,
) {
  for (const column of columns) {
    const left = change(row[column]);
    if (isDeepStrictEqual(left, row[column])) continue;
    const value = typeof left === 'string' ? Prisma.sql`${left}` : Prisma.sql`${JSON.stringify(left)}::jsonb`;
    await db.$executeRaw`
      UPDATE ${named(table)} SET ${named(column)} = ${value} WHERE ${named(key)} = ${row.guid}::uuid`;
  }
}

/** Removes what a person wrote: the comments of their reports, and of their reviews as staff. */
export async function eraseComments(db: Db, playerGuid: string) {
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

/**
 * Takes the name, subject and platform id out of what others wrote, and out of the audit log. A name that many texts have
 * as a word stays in those that are not about the person.
 */
export async function eraseMentions(db: Db, playerGuid: string, identity: Identity) {
  const all = textsOf(playerGuid, identity);
  let mentions = mentionsOf(identity);
  const findOthers = async (most: number | null) => {
    const { pattern } = mentions;
    const found: [Texts, Row][] = [];
    if (pattern === null) return found;
    for (const texts of all)
      for (const row of await naming(db, texts, pattern, most)) found.push([texts, row]);
    return found;
  };
  let others = await findOthers(mentions.isNameSought ? MOST_TEXTS + 1 : null);
  if (mentions.isNameSought && others.length > MOST_TEXTS) {
    mentions = mentionsOf(identity, true);
    others = await findOthers(null);
  }
  for (const texts of all)
    for (const row of await select(db, texts, texts.isAbout))
      await rewrite(db, texts, row, mentions.outOfAbout);
  for (const [texts, row] of others) await rewrite(db, texts, row, mentions.outOfOthers);
  const { subject, platformId } = identity;
  await db.platformIdRefusal.deleteMany({ where: { OR: [{ subject }, { platformId: platformId ?? '' }] } });
}

/** Whether the person sits in a running match. */
export const isSeated = async (db: Db, playerGuid: string): Promise<boolean> =>
  (await db.runningSeat.count({ where: { playerGuid } })) > 0;
