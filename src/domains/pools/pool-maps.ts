import { isDeepStrictEqual } from 'node:util';
import { type Db, inTransaction, isCollision } from '../../platform/database/database.ts';
import { commonErrors, existing, ServiceError } from '../../platform/errors.ts';
import type { WriteRequest } from '../../platform/http/staff.ts';
import { categoryErrors, shareCategories } from '../categories/index.ts';
import { mapErrors } from '../maps/index.ts';
import { anotherDifficulty, type BatchOptions, createBatch, isAnother, requireOneSpeed } from './batch.ts';
import { markStale } from './checks-store.ts';
import { poolErrors } from './errors.ts';
import * as store from './maps-store.ts';
import type { NewPoolMap, PoolMap, PoolMapChange } from './schemas.ts';

export type PoolMaps = ReturnType<typeof createPoolMaps>;

/** The maps of a draft. The map host supplies name, hash, duration and maximum score. */
export function createPoolMaps(options: BatchOptions) {
  const { database, maps } = options;
  const { prisma } = database;
  const { lockDraft, requireDraft, countChange, auditMaps } = options.changes;
  const save = createBatch(options);

  /** @throws MAP_NOT_FOUND */
  const requireMap = async (db: Db, poolGuid: string, mapGuid: string) =>
    existing(await store.findMap(db, poolGuid, mapGuid), () =>
      mapErrors.MAP_NOT_FOUND({ message: 'There is no such map in this pool.' }),
    );

  /**
   * Chooses another difficulty of the upload in the pool. Always asks the host, because players cannot download an
   * upload that is no longer published.
   * @throws MAP_STALE, DIFFICULTY_NOT_FOUND, MAP_NOT_PLAYABLE, UPSTREAM_UNAVAILABLE
   */
  const chooseAnother = async (map: PoolMap, change: PoolMapChange) => {
    const version = await maps.resolveFresh(map.key).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'MAP_NOT_FOUND') return null;
      throw error;
    });
    if (version?.hash !== map.hash) {
      await markStale(database, new Map([[map.key, version?.hash ?? null]]));
      throw poolErrors.MAP_STALE();
    }
    return anotherDifficulty(version, map, change);
  };

  return {
    /**
     * Adds one map, resolved from the map host.
     * @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE, MODIFIERS_CONFLICT, CATEGORY_NOT_FOUND, MAP_NOT_FOUND,
     *   DIFFICULTY_NOT_FOUND, MAP_NOT_PLAYABLE, MAP_ALREADY_IN_POOL, UPSTREAM_UNAVAILABLE
     */
    addMap: async (write: WriteRequest, poolGuid: string, row: NewPoolMap): Promise<PoolMap> => {
      const batch = { removals: [], changes: [], additions: [row], isSingle: true };
      const { added } = await save(write, poolGuid, batch);
      return added[0] as PoolMap;
    },

    /** Removes, changes and adds maps: see {@link createBatch}. */
    saveMaps: save,

    /**
     * Changes a map. Another difficulty is looked up in the stored upload.
     * @throws POOL_NOT_FOUND, MAP_NOT_FOUND, POOL_NOT_EDITABLE, STALE, MODIFIERS_CONFLICT, CATEGORY_NOT_FOUND,
     *   MAP_STALE, DIFFICULTY_NOT_FOUND, MAP_NOT_PLAYABLE, MAP_ALREADY_IN_POOL, UPSTREAM_UNAVAILABLE
     * @throws CONFLICT when somebody else chose another difficulty at the same time
     */
    changeMap: async (write: WriteRequest, poolGuid: string, mapGuid: string, input: PoolMapChange) => {
      await requireDraft(prisma, write, poolGuid);
      const seen = await requireMap(prisma, poolGuid, mapGuid);
      if (input.modifiers) requireOneSpeed(input.modifiers);
      const chosen = isAnother(seen, input) ? await chooseAnother(seen, input) : null;

      return inTransaction(database, ['Pool', 'PoolMap'], async (db) => {
        await lockDraft(db, write, poolGuid);
        const before = await requireMap(db, poolGuid, mapGuid);
        if (chosen && isAnother(before, seen))
          throw commonErrors.CONFLICT({
            message: 'Somebody else chose another difficulty at the same time.',
          });
        const { categoryGuid = before.categoryGuid, modifiers = before.modifiers } = input;
        if ((await shareCategories(db, [categoryGuid])).size === 0) throw categoryErrors.CATEGORY_NOT_FOUND();
        const after = await store.updateMap(db, mapGuid, { ...chosen, categoryGuid, modifiers });
        if (isDeepStrictEqual(after, before)) return before;
        await countChange(db, write, poolGuid);
        await auditMaps(db, write, 'changeMap', poolGuid, [{ before, after }]);
        return after;
      }).catch((error: unknown) => {
        throw isCollision(error) ? poolErrors.MAP_ALREADY_IN_POOL({ cause: error }) : error;
      });
    },

    /** @throws POOL_NOT_FOUND, MAP_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
    removeMap: async (write: WriteRequest, poolGuid: string, mapGuid: string) =>
      inTransaction(database, ['Pool', 'PoolMap'], async (db) => {
        await lockDraft(db, write, poolGuid);
        const before = await requireMap(db, poolGuid, mapGuid);
        await store.deleteMap(db, mapGuid);
        await countChange(db, write, poolGuid);
        await auditMaps(db, write, 'removeMap', poolGuid, [{ before, after: null }]);
      }),
  };
}
