import type { Db } from '../../platform/database/database.ts';
import type { MapUsage } from './usage.ts';

const COUNTERS = ['dealt', 'discarded', 'picked', 'played', 'wonByPicker', 'scores', 'accuracySum'] as const;

/** Adds the maps of a match that ends. Adds rows and updates none: no end waits for another. */
export async function addUsage(db: Db, poolGuid: string, usage: readonly MapUsage[]): Promise<void> {
  await db.mapUsage.createMany({ data: usage.map((one) => ({ ...one, poolGuid })) });
}

/** The sums over all ended matches for the maps of a pool, without maps that were never dealt. */
export async function usageOfPool(db: Db, poolGuid: string): Promise<MapUsage[]> {
  const sums = await db.mapUsage.groupBy({
    by: ['mapGuid'],
    where: { poolGuid },
    _sum: Object.fromEntries(COUNTERS.map((name) => [name, true])) as Record<(typeof COUNTERS)[number], true>,
  });
  return sums.map(({ mapGuid, _sum }) => ({ mapGuid, ..._sum }) as MapUsage);
}

const ROWS_AT_ONCE = 5000;

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
    ), sums AS (
      INSERT INTO "MapUsage" ("mapGuid", "poolGuid", "dealt", "discarded", "picked", "played", "wonByPicker", "scores",
        "accuracySum", "isSum")
      SELECT "mapGuid", "poolGuid", sum("dealt"), sum("discarded"), sum("picked"), sum("played"), sum("wonByPicker"),
        sum("scores"), sum("accuracySum"), true
      FROM summed GROUP BY 1, 2
    )
    SELECT count(*)::int AS rows FROM added`;
  return rows;
}
