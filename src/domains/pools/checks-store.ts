import type { Database, Db } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';

const updateStale = statement<
  { poolGuid: string; key: string; hash: string; stale: boolean },
  [published: string]
>(
  'pool-maps-mark-stale',
  `UPDATE "PoolMap" SET "stale" = "PoolMap"."hash" IS DISTINCT FROM published."hash"
   FROM jsonb_to_recordset($1::jsonb) AS published("key" text, "hash" text)
   WHERE "PoolMap"."key" = published."key"
     AND "PoolMap"."stale" <> ("PoolMap"."hash" IS DISTINCT FROM published."hash")
   RETURNING "PoolMap"."poolGuid", "PoolMap"."key", "PoolMap"."hash", "PoolMap"."stale"`,
  ['PoolMap'],
);

/**
 * Marks maps whose upload is not the published one of their key as stale, and unmarks the others, in all pools.
 * @param hashes of the published uploads by key; null when none is published
 * @returns the maps whose mark changed
 */
export const markStale = (database: Database, hashes: ReadonlyMap<string, string | null>) =>
  updateStale(database, JSON.stringify([...hashes].map(([key, hash]) => ({ key, hash }))));

/**
 * Keys of published pools whose last answer of the map host is older than `answeredBefore`, the oldest first, without
 * those with a failed check since `failedBefore` (both milliseconds since 1970). A key is also due when the mark of a map
 * is not what the stored answer means: look-ups store answers too, and mark nothing.
 */
export async function keysToCheck(
  db: Db,
  { answeredBefore, failedBefore }: { answeredBefore: number; failedBefore: number },
  limit: number,
): Promise<string[]> {
  const rows = await db.$queryRaw<{ key: string }[]>`
    SELECT map."key" FROM "PoolMap" map
    JOIN "Pool" pool USING ("poolGuid")
    LEFT JOIN "HostMapKey" answer ON answer."key" = map."key"
    LEFT JOIN "HostMapCheck" failed ON failed."key" = map."key"
    WHERE pool."status" = 'published'
      AND coalesce(failed."at", '-infinity') < ${new Date(failedBefore)}::timestamptz
      AND (coalesce(answer."fetchedAt", '-infinity') < ${new Date(answeredBefore)}::timestamptz
        OR map."stale" <> (map."hash" IS DISTINCT FROM answer."hash"))
    GROUP BY map."key", answer."fetchedAt", failed."at"
    ORDER BY greatest(answer."fetchedAt", failed."at") NULLS FIRST, map."key"
    LIMIT ${limit}`;
  return rows.map(({ key }) => key);
}

/** How many keys of published pools the map host did not know since it knew one of them the last time. */
export async function countGoneInARow(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    WITH answer AS (
      SELECT "hash", "fetchedAt" FROM "HostMapKey" WHERE "key" IN (
        SELECT map."key" FROM "PoolMap" map JOIN "Pool" pool USING ("poolGuid") WHERE pool."status" = 'published')
    )
    SELECT count(*)::int AS "count" FROM answer
    WHERE "hash" IS NULL
      AND "fetchedAt" > (SELECT coalesce(max("fetchedAt"), '-infinity') FROM answer WHERE "hash" IS NOT NULL)`;
  return row?.count ?? 0;
}

/** Stores that the map host gave no usable answer for these keys. */
export async function noteFailedChecks(db: Db, keys: readonly string[], at: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "HostMapCheck" ("key", "at")
    SELECT "key", ${new Date(at)}::timestamptz FROM unnest(${keys}::text[]) AS given("key") ORDER BY "key"
    ON CONFLICT ("key") DO UPDATE SET "at" = excluded."at"`;
}
