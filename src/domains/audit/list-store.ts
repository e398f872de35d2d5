import { type Db, Prisma } from '../../platform/database/database.ts';
import type { AuditEntry, AuditKey, AuditQuery } from './schemas.ts';

/**
 * Reads of the log. Each combination of filters has an index: first the columns of the filters, then time and id. In it the
 * entries of one combination stand together (a stretch), and a page is a part of it. The query compares and sorts by all
 * columns of the index, so PostgreSQL can use no other one. With `=` it may choose the index on the time, and then reads the
 * whole log where each value is common but no entry has all of them.
 */

/** Two expressions of which the migration `audit_filters` makes indexes: `pools` and `pools/<guid>` of a target. */
const KIND = Prisma.sql`split_part("target", '/', 2)`;
const THING = Prisma.sql`(split_part("target", '/', 2) || '/' || split_part("target", '/', 3))`;
const ACTOR = Prisma.sql`"actorGuid"`;
const ACTION = Prisma.sql`"action"`;

const ENTRY = Prisma.sql`"auditGuid", "at", "actorGuid", "action", "target", "before", "after"`;
const FIRST_GUID = Prisma.sql`'00000000-0000-0000-0000-000000000000'::uuid`;

type Filter = Omit<AuditQuery, 'limit' | 'cursor'>;
type Stored = Omit<AuditEntry, 'at' | 'actor'> & { auditGuid: string; at: Date; actorGuid: string | null };

/** A column of an index, and the value that all entries of a stretch have there. */
type Fixed = readonly [column: Prisma.Sql, value: Prisma.Sql];

/** Where a page begins and ends. */
interface Times {
  since: string | undefined;
  until: string | undefined;
  after: AuditKey | undefined;
}

/** Newest first. */
export async function findAudit(
  db: Db,
  { target, actorGuid, action, since, until }: Filter,
  after: AuditKey | undefined,
  limit: number,
) {
  const byActor: Fixed[] = actorGuid === undefined ? [] : [[ACTOR, Prisma.sql`${actorGuid}::uuid`]];
  const byAction: Fixed[] = action === undefined ? [] : [[ACTION, Prisma.sql`${action}`]];
  const times = { since, until, after };
  const rows = await db.$queryRaw<Stored[]>(
    target === undefined
      ? stretch([...byActor, ...byAction], times, limit)
      : entriesBelow(target, byActor, byAction, times, limit),
  );
  return rows.map(({ actorGuid, at, ...row }) => ({ ...row, actor: actorGuid, at: at.toISOString() }));
}

/**
 * Those of these matches that a player plays or played in, or may have played in: whoever was erased before the player
 * joined may be the same person.
 */
export async function matchesOfPlayer(
  db: Db,
  matchGuids: readonly string[],
  playerGuid: string,
): Promise<ReadonlySet<string>> {
  if (matchGuids.length === 0) return new Set();
  const rows = await db.$queryRaw<{ matchGuid: string }[]>`
    SELECT "matchGuid" FROM "Match" WHERE "matchGuid" = ANY(${[...matchGuids]}::uuid[]) AND EXISTS (
      SELECT FROM "Player" seated, "Player" person
      WHERE seated."playerGuid" IN ("redGuid", "blueGuid") AND person."playerGuid" = ${playerGuid}::uuid
        AND (seated."playerGuid" = person."playerGuid" OR seated."erasedAt" <= person."joinedAt"))`;
  return new Set(rows.map(({ matchGuid }) => matchGuid));
}

const list = (parts: Prisma.Sql[]): Prisma.Sql => Prisma.join(parts, ', ');

/** The time and id before which a page begins: a page that goes on begins after its last entry, unless `until` is before that. */
function endOf({ until, after }: Times): [at: Prisma.Sql, auditGuid: Prisma.Sql] {
  if (after !== undefined && (until === undefined || new Date(after[0]) < new Date(until)))
    return [Prisma.sql`${new Date(after[0])}`, Prisma.sql`${after[1]}::uuid`];
  return [
    until === undefined ? Prisma.sql`'infinity'::timestamptz` : Prisma.sql`${new Date(until)}`,
    FIRST_GUID,
  ];
}

const isSince = (since: string | undefined): Prisma.Sql =>
  since === undefined ? Prisma.sql`true` : Prisma.sql`"at" >= ${new Date(since)}`;

const areFixed = (fixed: readonly Fixed[]): Prisma.Sql[] =>
  fixed.map(([column, value]) => Prisma.sql`${column} = ${value}`);

const all = (conditions: Prisma.Sql[]): Prisma.Sql => Prisma.join(conditions, ' AND ');

const BY_TIME = [Prisma.sql`"at"`, Prisma.sql`"auditGuid"`];
const newestFirst = (columns: Prisma.Sql[]) => list(columns.map((column) => Prisma.sql`${column} DESC`));

const isBeforeEnd = (times: Times): Prisma.Sql => Prisma.sql`(${list(BY_TIME)}) < (${list(endOf(times))})`;

/**
 * The newest entries of a stretch. It reads as many entries of the index as a page has, from the end of the stretch back, and then
 * leaves out those that lie before the stretch. A lower bound in the scan would not end it everywhere: PostgreSQL 15 ends a scan
 * by the first column of a compared row alone. With `<` the planner would expect no entry where a column has its lowest value.
 */
function stretch(fixed: readonly Fixed[], times: Times, limit: number): Prisma.Sql {
  const columns = [...fixed.map(([column]) => column), ...BY_TIME];
  const end = list([...fixed.map(([, value]) => value), ...endOf(times)]);
  return Prisma.sql`
    SELECT ${ENTRY} FROM (
      SELECT * FROM "AuditEntry" WHERE (${list(columns)}) <= (${end})
      ORDER BY ${newestFirst(columns)} LIMIT ${limit + 1}
    ) AS up_to_end
    WHERE ${all([...areFixed(fixed), isSince(times.since), isBeforeEnd(times)])}
    ORDER BY ${newestFirst(BY_TIME)} LIMIT ${limit}`;
}

/** Entries of a target and of everything below it. */
function entriesBelow(
  target: string,
  byActor: readonly Fixed[],
  byAction: readonly Fixed[],
  times: Times,
  limit: number,
): Prisma.Sql {
  const [, kind = '', thing] = target.split('/', 3);
  if (thing !== undefined) {
    // A thing has few entries, which the planner knows: its index is the one to take, and answers the other filters as well.
    const rest = [[THING, Prisma.sql`${`${kind}/${thing}`}`] as const, ...byActor, ...byAction];
    const isBelow = Prisma.sql`("target" = ${target} OR starts_with("target", ${`${target}/`}))`;
    return Prisma.sql`
      SELECT ${ENTRY} FROM "AuditEntry" WHERE ${all([...areFixed(rest), isBelow, isSince(times.since), isBeforeEnd(times)])}
      ORDER BY ${newestFirst(BY_TIME)} LIMIT ${limit}`;
  }
  const fixed: Fixed[] = [...byActor, [KIND, Prisma.sql`${kind}`]];
  return byAction.length > 0
    ? stretch([...fixed, ...byAction], times, limit)
    : entriesOfKind(fixed, times, limit);
}

/**
 * Entries of all things of one kind: the newest of each action, merged. A kind has few actions, and each is found in the index
 * by the one before it. The last row of that recursion is null and is left out: no index has it, so a search for its entries
 * would read the whole kind.
 */
function entriesOfKind(fixed: readonly Fixed[], times: Times, limit: number): Prisma.Sql {
  const columns = list([...fixed.map(([column]) => column), ACTION]);
  const known = list([...fixed.map(([, value]) => value), Prisma.sql`of_kind."known"`]);
  return Prisma.sql`
    WITH RECURSIVE of_kind("known") AS (
      SELECT ''
      UNION ALL
      SELECT (SELECT CASE WHEN ${all(areFixed(fixed))} THEN "action" END FROM (
        SELECT * FROM "AuditEntry" WHERE (${columns}) > (${known}) ORDER BY ${columns} LIMIT 1) AS following)
      FROM of_kind WHERE of_kind."known" IS NOT NULL
    )
    SELECT ${ENTRY} FROM of_kind CROSS JOIN LATERAL (
      ${stretch([...fixed, [ACTION, Prisma.sql`of_kind."known"`]], times, limit)}) AS newest
    WHERE of_kind."known" <> '' ORDER BY ${newestFirst(BY_TIME)} LIMIT ${limit}`;
}

/** The first actions that occur after this one, each found in the index by the one before it. */
export async function occurringActions(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ action: string }[]>`
    WITH RECURSIVE occurring("known") AS (
      SELECT ${after}::text
      UNION ALL
      SELECT (SELECT "action" FROM "AuditEntry" WHERE "action" > occurring."known" ORDER BY "action" LIMIT 1)
      FROM occurring WHERE occurring."known" IS NOT NULL
    )
    SELECT "known" AS "action" FROM occurring WHERE "known" > ${after} ORDER BY 1 LIMIT ${limit}`;
  return rows.map(({ action }) => action);
}
