import type { WriteRequest } from '../../platform/http/staff.ts';
import { type BatchOptions, createBatch } from './batch.ts';
import type { NewPoolMap, PoolMap, PoolMapChange } from './schemas.ts';

export type PoolMaps = ReturnType<typeof createPoolMaps>;

/** A request for one map is a batch with one row. */
const ONE = { removals: [], changes: [], additions: [], isSingle: true };

/** The maps of a draft. The map host supplies name, hash, duration and maximum score. */
export function createPoolMaps(options: BatchOptions) {
  const save = createBatch(options);

  return {
    /**
     * Adds one map, resolved from the map host.
     * @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE, MODIFIERS_CONFLICT, CATEGORY_NOT_FOUND, MAP_NOT_FOUND,
     *   DIFFICULTY_NOT_FOUND, MAP_NOT_PLAYABLE, MAP_ALREADY_IN_POOL, UPSTREAM_UNAVAILABLE
     */
    addMap: async (write: WriteRequest, poolGuid: string, row: NewPoolMap): Promise<PoolMap> => {
      const { added } = await save(write, poolGuid, { ...ONE, additions: [row] });
      return added[0] as PoolMap;
    },

    /** Removes, changes and adds maps: see {@link createBatch}. */
    saveMaps: save,

    /**
     * Changes a map. Another difficulty is looked up in the stored upload. The host is always asked for it, because
     * players cannot download an upload that is no longer published.
     * @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE, MAP_NOT_FOUND, MODIFIERS_CONFLICT, CATEGORY_NOT_FOUND,
     *   MAP_STALE, DIFFICULTY_NOT_FOUND, MAP_NOT_PLAYABLE, MAP_ALREADY_IN_POOL, UPSTREAM_UNAVAILABLE
     * @throws CONFLICT when somebody else chose another difficulty at the same time
     */
    changeMap: async (write: WriteRequest, poolGuid: string, mapGuid: string, to: PoolMapChange) => {
      const batch = { ...ONE, changes: [{ mapGuid, to }], isFresh: true };
      const { changed } = await save(write, poolGuid, batch);
      return changed[0] as PoolMap;
    },

    /** @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE, MAP_NOT_FOUND */
    removeMap: async (write: WriteRequest, poolGuid: string, mapGuid: string): Promise<void> => {
      await save(write, poolGuid, { ...ONE, removals: [mapGuid] });
    },
  };
}
