import { inBatches } from '../../platform/batches.ts';
import type { Database } from '../../platform/database/database.ts';
import { findPool, isPublic, loadPoolMaps, poolErrors } from '../pools/index.ts';
import type { PoolStatistics } from './statistics-schemas.ts';
import { noUsage } from './usage.ts';
import { medianGapsOf, ROWS_AT_ONCE, sumUsage, usageOfPool } from './usage-store.ts';

/** How the maps of a pool are played, for the staff who choose them and the players who play them. */
export function createStatistics({ database }: { database: Database }) {
  const { prisma } = database;
  return {
    /** Keeps statistics quick: sums up what ended matches have added. */
    sumUsage: () =>
      inBatches(ROWS_AT_ONCE, () => database.changes.writing(['MapUsage'], () => sumUsage(prisma))),

    /**
     * The statistics of each map of a pool over all ended matches, in the order of the pool.
     * @throws POOL_NOT_FOUND, unless for staff also for one that was never published
     */
    statisticsOf: async (poolGuid: string, forStaff: boolean): Promise<PoolStatistics> => {
      const pool = await findPool(prisma, poolGuid);
      if (pool === null || !(forStaff || isPublic(pool))) throw poolErrors.POOL_NOT_FOUND();
      const [maps, usage, medianGaps] = await Promise.all([
        loadPoolMaps(prisma, poolGuid),
        usageOfPool(prisma, poolGuid),
        medianGapsOf(prisma, poolGuid),
      ]);
      const known = new Map(usage.map((one) => [one.mapGuid, one]));
      return {
        poolGuid,
        maps: maps.map(({ mapGuid, key, name, characteristic, difficulty }) => {
          const { scores, accuracySum, ...counts } = known.get(mapGuid) ?? noUsage(mapGuid);
          return {
            key,
            name,
            characteristic,
            difficulty,
            ...counts,
            kept: counts.dealt - counts.discarded,
            medianGap: medianGaps.get(mapGuid) ?? null,
            averageAccuracy: scores > 0 ? accuracySum / scores : null,
          };
        }),
      };
    },
  };
}
