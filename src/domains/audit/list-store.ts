import { type Db, Prisma } from '../../platform/database/database.ts';
import type { AuditEntry, AuditKey, AuditQuery } from './schemas.ts';

/**
 * Reads of the log. Each combination of filters has an index that holds its entries side by side, in their order. A page asks
 * for a stretch of that index, by comparing and sorting all of its columns: only this index fits. With `=` the planner would
 * read the whole log by time where values are common and no entry has them together.
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
): Promise<(AuditEntry & { auditGuid: string })[]> {
  const actor: Fixed[] = actorGuid === undefined ? [] : [[ACTOR, Prisma.sql`${actorGuid}::uuid`]];
  const done: Fixed[] = action === undefined ? [] : [[ACTION, Prisma.sql`${action}`]];
  const times = { since, until, after };
  const rows = await db.$queryRaw<Stored[]>(
    target === undefined
      ? stretch([...actor, ...done], times, limit)
      : entriesBelow(target, actor, done, times, limit),
  );
  return rows.map((row) => ({
    auditGuid: row.auditGuid,
    at: row.at.toISOString(),
    actor: row.actorGuid,
    action: row.action,
    target: row.target,
    before: row.before,
    after: row.after,
  }));
}

const list = (parts: readonly Prisma.Sql[]): Prisma.Sql => Prisma.join([...parts], ', ');

/** The newest entries of a stretch. @param more conditions beside those of the stretch */
function stretch(
  fixed: readonly Fixed[],
  { since, until, after }: Times,
  limit: number,
  more: readonly Prisma.Sql[] = [],
): Prisma.Sql {
  const columns = [...fixed.map(([column]) => column), Prisma.sql`"at"`, Prisma.sql`"auditGuid"`];
  const row = (...end: Prisma.Sql[]) => list([...fixed.map(([, value]) => value), ...end]);
  const bounds = [
    ...(until === undefined ? [] : [row(Prisma.sql`${new Date(until)}`, FIRST_GUID)]),
    ...(after === undefined ? [] : [row(Prisma.sql`${new Date(after[0])}`, Prisma.sql`${after[1]}::uuid`)]),
  ];
  if (bounds.length === 0) bounds.push(row(Prisma.sql`'infinity'::timestamptz`, FIRST_GUID));
  const first = since === undefined ? Prisma.sql`'-infinity'::timestamptz` : Prisma.sql`${new Date(since)}`;
  const conditions = [
    ...bounds.map((bound) => Prisma.sql`(${list(columns)}) < (${bound})`),
    Prisma.sql`(${list(columns)}) >= (${row(first, FIRST_GUID)})`,
    ...more,
  ];
  return Prisma.sql`
    SELECT ${ENTRY} FROM "AuditEntry" WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY ${list(columns.map((column) => Prisma.sql`${column} DESC`))} LIMIT ${limit}`;
}

/** Entries of a target and of everything below it. */
function entriesBelow(
  target: string,
  actor: readonly Fixed[],
  done: readonly Fixed[],
  times: Times,
  limit: number,
): Prisma.Sql {
  const [, kind = '', thing] = target.split('/', 3);
  if (thing !== undefined) {
    // A thing has few entries, which the planner knows: its index is the one to take, and answers the other filters as well.
    const rest = [[THING, Prisma.sql`${`${kind}/${thing}`}`] as const, ...actor, ...done];
    const isBelow = Prisma.sql`("target" = ${target} OR starts_with("target", ${`${target}/`}))`;
    return stretch([], times, limit, [
      ...rest.map(([column, value]) => Prisma.sql`${column} = ${value}`),
      isBelow,
    ]);
  }
  const fixed: Fixed[] = [...actor, [KIND, Prisma.sql`${kind}`]];
  return done.length > 0 ? stretch([...fixed, ...done], times, limit) : entriesOfKind(fixed, times, limit);
}

/**
 * Entries of all things of one kind: of each action on them the newest, put together. The actions are found one by the other in
 * the index, and there are few of a kind.
 */
function entriesOfKind(fixed: readonly Fixed[], times: Times, limit: number): Prisma.Sql {
  const columns = list([...fixed.map(([column]) => column), ACTION]);
  const known = list([...fixed.map(([, value]) => value), Prisma.sql`of_kind."known"`]);
  const isOfKind = Prisma.join(
    fixed.map(([column, value]) => Prisma.sql`${column} = ${value}`),
    ' AND ',
  );
  return Prisma.sql`
    WITH RECURSIVE of_kind("known") AS (
      SELECT ''
      UNION ALL
      SELECT (SELECT CASE WHEN ${isOfKind} THEN "action" END FROM (
        SELECT * FROM "AuditEntry" WHERE (${columns}) > (${known}) ORDER BY ${columns} LIMIT 1) AS following)
      FROM of_kind WHERE of_kind."known" IS NOT NULL
    )
    SELECT ${ENTRY} FROM of_kind CROSS JOIN LATERAL (
      ${stretch([...fixed, [ACTION, Prisma.sql`of_kind."known"`]], times, limit)}) AS newest
    ORDER BY "at" DESC, "auditGuid" DESC LIMIT ${limit}`;
}

/** Every action that occurs, each found in the index by the one before it. */
export async function occurringActions(db: Db): Promise<string[]> {
  const rows = await db.$queryRaw<{ action: string }[]>`
    WITH RECURSIVE occurring("known") AS (
      SELECT ''
      UNION ALL
      SELECT (SELECT "action" FROM "AuditEntry" WHERE "action" > occurring."known" ORDER BY "action" LIMIT 1)
      FROM occurring WHERE occurring."known" IS NOT NULL
    )
    SELECT "known" AS "action" FROM occurring WHERE "known" <> '' ORDER BY 1`;
  return rows.map(({ action }) => action);
}
