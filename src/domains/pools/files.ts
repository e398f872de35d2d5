import type { Database } from '../../platform/database/database.ts';
import { commonErrors, existing, ServiceError } from '../../platform/errors.ts';
import type { WriteRequest } from '../../platform/http/staff.ts';
import { categoryErrors, findCategories } from '../categories/index.ts';
import { poolErrors } from './errors.ts';
import { type FileRow, toBplist, toCsv } from './interchange.ts';
import type { PoolMaps } from './pool-maps.ts';
import { type ImportQuery, importRow, type NewPoolMap, parseRow } from './schemas.ts';
import { loadPool } from './store.ts';

interface FilesOptions {
  database: Database;
  poolMaps: Pick<PoolMaps, 'saveMaps'>;
}

/** More categories than staff make. */
const ALL_CATEGORIES = 10_000;

/** Exports pools as files and imports such files. */
export function createFiles({ database: { prisma }, poolMaps }: FilesOptions) {
  return {
    /**
     * Adds all maps of a file or none. A row that names a replaced upload is refused.
     * @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE, UPSTREAM_UNAVAILABLE
     * @throws VALIDATION_FAILED, with one problem for each row that is wrong
     */
    importMaps: async (
      write: WriteRequest,
      poolGuid: string,
      rows: readonly FileRow[],
      { dryRun, categoryGuid }: ImportQuery,
    ) => {
      const categories = await findCategories(prisma, undefined, ALL_CATEGORIES);
      const exactly = new Map(categories.map((one) => [one.name, one.categoryGuid]));
      const inAnyCase = Map.groupBy(categories, (one) => one.name.toLowerCase());
      const guidOf = (name: string): string | undefined => {
        const [only, ...others] = inAnyCase.get(name.toLowerCase()) ?? [];
        // With both `tech` and `TECH`, `Tech` may mean either.
        return exactly.get(name) ?? (others.length === 0 ? only?.categoryGuid : undefined);
      };

      const read = ({ category, ...row }: FileRow): NewPoolMap | ServiceError => {
        const guid = category === '' ? categoryGuid : guidOf(category.normalize('NFC'));
        if (guid === undefined)
          return categoryErrors.CATEGORY_NOT_FOUND({
            message: category === '' ? 'The row names no category.' : `There is no category ${category}.`,
          });
        const parsed = parseRow(importRow, { ...row, categoryGuid: guid });
        if (parsed instanceof ServiceError) return parsed;
        const { key, hash, ...rest } = parsed;
        if (key === '' && hash === '')
          return commonErrors.VALIDATION_FAILED({ message: 'The row names neither a key nor a hash.' });
        return { ...rest, key: hash || key };
      };
      const isDryRun = dryRun === 'true';
      const batch = { removals: [], changes: [], additions: rows.map(read) };
      const { added } = await poolMaps.saveMaps(write, poolGuid, batch, { dryRun: isDryRun });
      return { dryRun: isDryRun, maps: added };
    },

    /** A pool in any status as a file. @throws POOL_NOT_FOUND */
    exportAs: async (poolGuid: string, format: 'csv' | 'bplist') => {
      const found = existing(await loadPool(prisma, poolGuid), poolErrors.POOL_NOT_FOUND);
      const body = format === 'csv' ? toCsv(found) : JSON.stringify(toBplist(found));
      return { name: `${found.season.name} – ${found.name}.${format}`, body };
    },
  };
}
