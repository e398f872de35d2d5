import type { Db } from '../../platform/database/database.ts';
import type { MapUsage } from './usage.ts';

/**
 * Adds what a match says of its maps. In order of the mapGuid: two matches that end at once wait for each
 * other row by row instead of in a circle.
 */
export async function addUsage(db: Db, poolGuid: string, usage: readonly MapUsage[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO "MapUsage" AS total ("mapGuid", "poolGuid", "dealt", "discarded", "picked", "played",
      "wonByPicker", "scores", "accuracySum")
    SELECT "mapGuid", ${poolGuid}::uuid, "dealt", "discarded", "picked", "played", "wonByPicker", "scores",
      "accuracySum"
    FROM jsonb_to_recordset(${JSON.stringify(usage)}::jsonb) AS one("mapGuid" uuid, "dealt" int, "discarded" int,
      "picked" int, "played" int, "wonByPicker" int, "scores" int, "accuracySum" float8)
    ORDER BY "mapGuid"
    ON CONFLICT ("mapGuid") DO UPDATE SET "dealt" = total."dealt" + excluded."dealt",
      "discarded" = total."discarded" + excluded."discarded", "picked" = total."picked" + excluded."picked",
      "played" = total."played" + excluded."played",
      "wonByPicker" = total."wonByPicker" + excluded."wonByPicker",
      "scores" = total."scores" + excluded."scores",
      "accuracySum" = total."accuracySum" + excluded."accuracySum"`;
}

/** The sums over all ended matches for the maps of a pool, without maps that were never dealt. */
export async function usageOfPool(db: Db, poolGuid: string): Promise<MapUsage[]> {
  const rows = await db.mapUsage.findMany({ where: { poolGuid } });
  return rows.map(({ poolGuid: _, ...usage }) => usage);
}
