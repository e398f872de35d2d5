import type { Clock } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { decodeCursor, toPage } from '../../platform/http/schemas.ts';
import type { Change } from '../../platform/http/staff.ts';
import { categoryErrors } from '../categories/index.ts';
import type { Maps } from '../maps/index.ts';
import { findSeason, seasonErrors } from '../seasons/index.ts';
import { createChanges, poolTarget } from './changes.ts';
import { poolErrors } from './errors.ts';
import { createFiles } from './files.ts';
import { createPoolMaps } from './pool-maps.ts';
import {
  type NewPool,
  type Pool,
  type PoolCopy,
  type PoolQuery,
  type PoolWithMaps,
  poolKey,
} from './schemas.ts';
import * as store from './store.ts';
import { createWorkflow, type WorkflowOptions } from './workflow.ts';

export interface PoolsOptions extends Pick<WorkflowOptions, 'onRetired'> {
  database: Pick<Database, 'prisma'>;
  clock: Clock;
  maps: Maps;
}

export type Pools = ReturnType<typeof createService>;

export function createService({ database, clock, maps, onRetired }: PoolsOptions) {
  const { prisma } = database;
  const changes = createChanges({ clock, maps });
  const { view, lock, lockDraft, audit, countChange } = changes;
  const poolMaps = createPoolMaps({ database, clock, maps, changes });

  /** @throws SEASON_NOT_FOUND */
  const requireSeason = async (db: Db, seasonGuid: string): Promise<void> => {
    if ((await findSeason(db, seasonGuid)) === null) throw seasonErrors.SEASON_NOT_FOUND();
  };

  return {
    /**
     * A page of pools, newest first: the published ones, and all of them for staff.
     * @throws VALIDATION_FAILED for a foreign cursor
     */
    list: async ({ limit, cursor, seasonGuid, status }: PoolQuery, forStaff: boolean) => {
      const [before] = cursor === undefined ? [undefined] : decodeCursor(cursor, poolKey);
      const asked = status && [status];
      const statuses = forStaff
        ? asked
        : (asked ?? ['published' as const]).filter((one) => one === 'published');
      const found = await store.findPools(prisma, { seasonGuid, statuses }, before, limit + 1);
      return toPage(found.map(view), limit, (last) => [last.poolGuid]);
    },

    /**
     * One pool.
     * @throws POOL_NOT_FOUND, also for a pool that only staff may see
     */
    get: async (poolGuid: string, forStaff: boolean): Promise<Pool> => {
      const found = await store.findPool(prisma, poolGuid);
      if (found === null || !(forStaff || store.isPublic(found))) throw poolErrors.POOL_NOT_FOUND();
      return view(found);
    },

    /**
     * The same with its maps and their categories.
     * @throws POOL_NOT_FOUND, also for a pool that only staff may see
     */
    getWithMaps: async (poolGuid: string, forStaff: boolean): Promise<PoolWithMaps> => {
      const found = await store.loadPool(prisma, poolGuid);
      if (found === null || !(forStaff || store.isPublic(found))) throw poolErrors.POOL_NOT_FOUND();
      return found;
    },

    /** The playlist of a pool that is or was published. @throws POOL_NOT_FOUND for any other */
    playlist: async (poolGuid: string) => {
      const file = await maps.playlistOf(poolGuid);
      if (file === null) throw poolErrors.POOL_NOT_FOUND();
      return file;
    },

    /** The part of it in one category. @throws POOL_NOT_FOUND, CATEGORY_NOT_FOUND (none of its maps is in it) */
    categoryPlaylist: async (poolGuid: string, categoryGuid: string) => {
      const file = await maps.playlistOfCategory(poolGuid, categoryGuid);
      if (file !== null) return file;
      if ((await maps.coverOf(poolGuid)) === null) throw poolErrors.POOL_NOT_FOUND();
      throw categoryErrors.CATEGORY_NOT_FOUND({ message: 'No map of this pool is in this category.' });
    },

    /** The cover of its playlist, a PNG. @throws POOL_NOT_FOUND unless it is or was published */
    cover: async (poolGuid: string): Promise<Buffer> => {
      const png = await maps.coverOf(poolGuid);
      if (png === null) throw poolErrors.POOL_NOT_FOUND();
      return png;
    },

    /** @throws SEASON_NOT_FOUND */
    create: async (change: Change, { seasonGuid, name }: NewPool): Promise<Pool> =>
      inTransaction(database, async (db) => {
        await requireSeason(db, seasonGuid);
        const created = view(await store.insertPool(db, { seasonGuid, name, createdAt: clock.now() }));
        await audit(db, change, 'createPool', poolTarget(created.poolGuid), null, created);
        return created;
      }),

    /** @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
    rename: async (change: Change, poolGuid: string, name: string): Promise<Pool> =>
      inTransaction(database, async (db) => {
        const before = view(await lockDraft(db, change, poolGuid));
        if (before.name === name) return before;
        await store.updatePool(db, poolGuid, { name });
        const after = view(await countChange(db, change, poolGuid));
        await audit(db, change, 'renamePool', poolTarget(before.poolGuid), before, after);
        return after;
      }),

    /** @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
    delete: async (change: Change, poolGuid: string): Promise<void> =>
      inTransaction(database, async (db) => {
        const draft = view(await lockDraft(db, change, poolGuid));
        // Its maps go with it: somebody may have spent an evening on them.
        const lost = await store.loadPoolMaps(db, poolGuid);
        await store.deletePool(db, poolGuid);
        await audit(db, change, 'deletePool', poolTarget(draft.poolGuid), { ...draft, maps: lost }, null);
      }),

    /**
     * A new draft with the same maps, in whatever status the original is.
     * @throws POOL_NOT_FOUND, SEASON_NOT_FOUND, STALE
     */
    copy: async (change: Change, poolGuid: string, { name, seasonGuid }: PoolCopy): Promise<Pool> =>
      inTransaction(database, async (db) => {
        const original = await lock(db, change, poolGuid, () => null);
        const season = seasonGuid ?? original.seasonGuid;
        await requireSeason(db, season);
        const at = clock.now();
        const draft = await store.insertPool(db, { seasonGuid: season, name, createdAt: at });
        await store.copyMaps(db, poolGuid, draft.poolGuid, { addedByGuid: change.actorGuid, addedAt: at });
        const copy = view({ ...draft, mapCount: original.mapCount });
        await audit(db, change, 'copyPool', poolTarget(copy.poolGuid), null, {
          ...copy,
          copiedFrom: original.poolGuid,
        });
        return copy;
      }),

    ...poolMaps,
    ...createFiles({ database, poolMaps }),
    ...createWorkflow({ database, clock, changes, onRetired }),
  };
}
