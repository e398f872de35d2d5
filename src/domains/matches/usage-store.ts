import type { Db } from '../../platform/database/database.ts';
import type { MapUsage, UsageSums } from './usage.ts';

/**
 * Buckets that gaps, 0…1, are counted in. A power of two: which bucket a gap lies in is then the same number here and in
 * PostgreSQL.
 */
const BUCKETS = 128;

/** How many of these gaps lie in each bucket, from the first to the last that has one. */
function countsOf(gaps: readonly number[]): number[] {
  const counts: number[] = [];
  for (const gap of gaps) {
    const bucket = Math.floor(gap * BUCKETS);
    while (counts.length <= bucket) counts.push(0);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

/** Adds the maps of matches that end. Adds rows and updates none: no end waits for another. */
export async function addUsage(db: Db, poolGuid: string, usage: readonly MapUsage[]): Promise<void> {
  const rows = usage.map((one) => ({ ...one, gapCounts: countsOf(one.gaps) }));
  // As one value: `createMany` compiles every value, and a match has some two hundred.
  await db.$executeRaw`
    WITH used AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS one("mapGuid" uuid, dealt int, discarded int,
        picked int, played int, "wonByPicker" int, "expectedWonByPicker" float8, scores int, "accuracySum" float8,
        gaps float8[], "gapCounts" int[])
    ), added AS (
      INSERT INTO "MapUsage" ("mapGuid", "poolGuid", dealt, discarded, picked, played, "wonByPicker",
        "expectedWonByPicker", scores, "accuracySum", "gapCounts")
      SELECT "mapGuid", ${poolGuid}::uuid, dealt, discarded, picked, played, "wonByPicker", "expectedWonByPicker", scores,
        "accuracySum", "gapCounts" FROM used
    )
    INSERT INTO "MapGap" ("mapGuid", gap) SELECT "mapGuid", gap FROM used, unnest(gaps) AS gap`;
}

/** The sums over all ended matches for the maps of a pool, without maps that were never dealt. */
export async function usageOfPool(db: Db, poolGuid: string): Promise<UsageSums[]> {
  const sums = await db.mapUsage.groupBy({
    by: ['mapGuid'],
    where: { poolGuid },
    _sum: {
      dealt: true,
      discarded: true,
      picked: true,
      played: true,
      wonByPicker: true,
      expectedWonByPicker: true,
      scores: true,
      accuracySum: true,
    },
  });
  return sums.map(({ mapGuid, _sum }) => ({ mapGuid, ..._sum }) as UsageSums);
}

/**
 * The median gap of each map of a pool that was played, exactly: the counts say in which bucket it lies and at which
 * place there, and only that bucket is read. If the number of gaps is even, it is the mean of the two in the middle.
 */
export async function medianGapsOf(db: Db, poolGuid: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db.$queryRaw<{ mapGuid: string; median: number }[]>`
    WITH counted AS (
      SELECT "mapGuid", bucket - 1 AS bucket, sum(rounds) AS rounds
      FROM "MapUsage", unnest("gapCounts") WITH ORDINALITY AS one(rounds, bucket)
      WHERE "poolGuid" = ${poolGuid}::uuid GROUP BY 1, 2
    ), placed AS (
      SELECT *, sum(rounds) OVER map AS total, sum(rounds) OVER (map ORDER BY bucket) - rounds AS before
      FROM counted WINDOW map AS (PARTITION BY "mapGuid")
    ), middle AS (
      SELECT "mapGuid", bucket::float8 AS bucket, place - before AS place
      FROM placed, LATERAL (VALUES (div(total - 1, 2)), (div(total, 2))) AS places(place)
      WHERE place >= before AND place < before + rounds
    )
    SELECT "mapGuid"::text, avg(gap)::float8 AS median FROM middle, LATERAL (
      SELECT gap FROM "MapGap" AS played WHERE played."mapGuid" = middle."mapGuid"
        AND gap >= bucket / ${BUCKETS}::float8 AND gap < (bucket + 1) / ${BUCKETS}::float8
      ORDER BY gap OFFSET place::bigint LIMIT 1
    ) AS found GROUP BY 1`;
  return new Map(rows.map(({ mapGuid, median }) => [mapGuid, median]));
}

export const ROWS_AT_ONCE = 5000;

/**
 * Sums rows of the same map up, so that statistics read one row for each map. Readers see the rows before or after,
 * which give the same sums; nobody waits.
 * @returns how many new rows there were
 */
export async function sumUsage(db: Db): Promise<number> {
  const [{ rows } = { rows: 0 }] = await db.$queryRaw<{ rows: number }[]>`
    WITH added AS (
      SELECT "mapGuid" FROM "MapUsage" WHERE NOT "isSum" ORDER BY "id" LIMIT ${ROWS_AT_ONCE}
    ), summed AS (
      DELETE FROM "MapUsage" USING (SELECT DISTINCT "mapGuid" FROM added) AS changed
      WHERE "MapUsage"."mapGuid" = changed."mapGuid" RETURNING "MapUsage".*
    ), counted AS (
      SELECT "mapGuid", bucket, sum(rounds)::int AS rounds
      FROM summed, unnest("gapCounts") WITH ORDINALITY AS one(rounds, bucket) GROUP BY 1, 2
    ), gaps AS (
      SELECT "mapGuid", array_agg(rounds ORDER BY bucket) AS counts FROM counted GROUP BY 1
    ), sums AS (
      INSERT INTO "MapUsage" ("mapGuid", "poolGuid", "dealt", "discarded", "picked", "played", "wonByPicker",
        "expectedWonByPicker", "scores", "accuracySum", "gapCounts", "isSum")
      SELECT "mapGuid", "poolGuid", sum("dealt"), sum("discarded"), sum("picked"), sum("played"), sum("wonByPicker"),
        sum("expectedWonByPicker"), sum("scores"), sum("accuracySum"), coalesce(counts, '{}'), true
      FROM summed LEFT JOIN gaps USING ("mapGuid") GROUP BY "mapGuid", "poolGuid", counts
    )
    SELECT count(*)::int AS rows FROM added`;
  return rows;
}
