import type { Database } from '../../platform/database/database.ts';
import { loadPoolMaps, poolErrors, sharePool } from '../pools/index.ts';
import type { PoolStatistics } from './schemas.ts';
import { noUsage } from './usage.ts';
import { sumUsage, usageOfPool } from './usage-store.ts';

/** How the maps of a pool are played, for the staff who choose them. */
export function createStatistics({ database: { prisma } }: { database: Database }) {
  return {
    /** Keeps statistics quick: sums up what ended matches have added. */
    sumUsage: async (): Promise<void> => {
      while ((await sumUsage(prisma)) > 0);
    },

    /** The statistics of each map of a pool over all ended matches, in the order of the pool. @throws POOL_NOT_FOUND */
    statisticsOf: async (poolGuid: string): Promise<PoolStatistics> => {
      if ((await sharePool(prisma, poolGuid)) === null) throw poolErrors.POOL_NOT_FOUND();
      const [maps, usage] = await Promise.all([
        loadPoolMaps(prisma, poolGuid),
        usageOfPool(prisma, poolGuid),
      ]);
      const known = new Map(usage.map((one) => [one.mapGuid, one]));
      return {
        poolGuid,
        maps: maps.map(({ mapGuid, key, name, characteristic, difficulty }) => {
          const { scores, accuracySum, ...counts } = known.get(mapGuid) ?? noUsage(mapGuid);
          const averageAccuracy = scores > 0 ? accuracySum / scores : null;
          return { key, name, characteristic, difficulty, ...counts, averageAccuracy };
        }),
      };
    },
  };
}
