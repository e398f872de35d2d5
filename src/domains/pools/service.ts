import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { existing } from '../../platform/errors.ts';
import { readPage } from '../../platform/http/schemas.ts';
import type { WriteRequest } from '../../platform/http/staff.ts';
import { categoryErrors } from '../categories/index.ts';
import type { Maps } from '../maps/index.ts';
import { findSeason, seasonErrors } from '../seasons/index.ts';
import { createChanges } from './changes.ts';
import { poolErrors } from './errors.ts';
import { createFiles } from './files.ts';
import { copyMaps, loadPoolMaps } from './maps-store.ts';
import { createPoolMaps } from './pool-maps.ts';
import { contributorsOf, copyContributions } from './reviews-store.ts';
import {
  type NewPool,
  type PoolCopy,
  type PoolQuery,
  type PoolStatus,
  poolKey,
  poolStatus,
} from './schemas.ts';
import * as store from './store.ts';
import { createWorkflow, type WorkflowOptions } from './workflow.ts';

export interface PoolsOptions extends Pick<WorkflowOptions, 'onRetired'> {
  database: Database;
  logger: FastifyBaseLogger;
  clock: Clock;
  maps: Maps;
}

const { POOL_NOT_FOUND } = poolErrors;

export type Pools = ReturnType<typeof createService>;
export type PoolRoutes = FastifyPluginAsyncZod<{ pools: Pools }>;

/** Map pools: drafts and their maps, reviews, publication, retirement, and what everybody reads of them. */
export function createService({ database, logger, clock, maps, onRetired }: PoolsOptions) {
  const { prisma } = database;
  const changes = createChanges({ clock, maps });
  const { view, lock, lockDraft, audit, countChange } = changes;
  const poolMaps = createPoolMaps({ database, logger, clock, maps, changes });

  /** @throws SEASON_NOT_FOUND */
  const requireSeason = async (db: Db, seasonGuid: string) =>
    existing(await findSeason(db, seasonGuid), seasonErrors.SEASON_NOT_FOUND);

  /** @throws POOL_NOT_FOUND, also for a pool that only staff may see */
  const visible = <T extends { status: PoolStatus }>(found: T | null, forStaff: boolean) =>
    existing(found && (forStaff || store.isPublic(found)) ? found : null, POOL_NOT_FOUND);

  return {
    /**
     * A page of pools, newest first: of all pools for staff, of the published ones for everybody else.
     * @throws VALIDATION_FAILED for a cursor of another list
     */
    list: async ({ seasonGuid, status, ...query }: PoolQuery, forStaff: boolean) => {
      const shown: readonly PoolStatus[] = forStaff ? poolStatus.options : ['published'];
      const statuses = shown.filter((one) => status === undefined || one === status);
      const filter = { seasonGuid, statuses };
      return readPage(
        query,
        poolKey,
        async (after, limit) => (await store.findPools(prisma, filter, after?.[0], limit)).map(view),
        ({ poolGuid }) => [poolGuid],
      );
    },

    /** @throws POOL_NOT_FOUND, also for a pool that only staff may see */
    get: async (poolGuid: string, forStaff: boolean) =>
      view(visible(await store.findPool(prisma, poolGuid), forStaff)),

    /** The data that staff see with the state of a pool. `If-Match` does not compare them. */
    besides: async (poolGuid: string) => ({
      copiedFromGuid: await store.originOf(prisma, poolGuid),
      changedBy: await contributorsOf(prisma, poolGuid),
    }),

    /** A pool with its maps and categories. @throws POOL_NOT_FOUND, also for a pool that only staff may see */
    getWithMaps: async (poolGuid: string, forStaff: boolean) =>
      visible(await store.loadPool(prisma, poolGuid), forStaff),

    /** The playlist of a pool that is or was published. @throws POOL_NOT_FOUND for any other pool */
    playlist: async (poolGuid: string) => existing(await maps.playlistOf(poolGuid), POOL_NOT_FOUND),

    /** The playlist of one category. @throws POOL_NOT_FOUND; CATEGORY_NOT_FOUND when no map of the pool is in it */
    categoryPlaylist: async (poolGuid: string, categoryGuid: string) => {
      visible(await store.findPool(prisma, poolGuid), false);
      return existing(await maps.playlistOfCategory(poolGuid, categoryGuid), () =>
        categoryErrors.CATEGORY_NOT_FOUND({ message: 'No map of this pool is in this category.' }),
      );
    },

    /** The cover of the playlist, a PNG. @throws POOL_NOT_FOUND unless the pool is or was published */
    cover: async (poolGuid: string) => existing(await maps.coverOf(poolGuid), POOL_NOT_FOUND),

    /** @throws SEASON_NOT_FOUND */
    create: async (write: WriteRequest, { seasonGuid, name }: NewPool) =>
      inTransaction(database, ['Pool'], async (db) => {
        await requireSeason(db, seasonGuid);
        const created = view(await store.insertPool(db, { seasonGuid, name, createdAt: clock.now() }));
        await audit(db, write, 'createPool', null, created);
        return created;
      }),

    /** @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
    rename: async (write: WriteRequest, poolGuid: string, name: string) =>
      inTransaction(database, ['Pool'], async (db) => {
        const before = view(await lockDraft(db, write, poolGuid));
        if (before.name === name) return before;
        await store.updatePool(db, poolGuid, { name });
        const after = view(await countChange(db, write, poolGuid));
        await audit(db, write, 'renamePool', before, after);
        return after;
      }),

    /** @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
    delete: async (write: WriteRequest, poolGuid: string) =>
      inTransaction(database, ['Pool', 'PoolMap'], async (db) => {
        const draft = view(await lockDraft(db, write, poolGuid));
        // The audit log keeps the deleted maps, so that they can be added again.
        const before = { ...draft, maps: await loadPoolMaps(db, poolGuid) };
        await store.deletePool(db, poolGuid);
        await audit(db, write, 'deletePool', before, null);
      }),

    /**
     * Makes a new draft with the maps of a pool in any status. Those who submitted or changed the original since its last
     * review may not review the copy either. To copy is no change, so the copy of a published pool may be reviewed by anybody.
     * @throws POOL_NOT_FOUND, SEASON_NOT_FOUND, STALE
     */
    copy: async (write: WriteRequest, poolGuid: string, { name, seasonGuid }: PoolCopy) =>
      inTransaction(database, ['Pool', 'PoolMap'], async (db) => {
        const original = await lock(db, write, poolGuid, () => null);
        const season = seasonGuid ?? original.seasonGuid;
        await requireSeason(db, season);
        const at = clock.now();
        const draft = await store.insertPool(db, {
          seasonGuid: season,
          name,
          createdAt: at,
          copiedFromGuid: poolGuid,
        });
        await copyMaps(db, poolGuid, draft.poolGuid, { addedByGuid: write.actorGuid, addedAt: at });
        await copyContributions(db, poolGuid, draft.poolGuid);
        const copy = view({ ...draft, mapCount: original.mapCount });
        const after = { ...copy, copiedFrom: poolGuid };
        await audit(db, write, 'copyPool', null, after);
        return copy;
      }),

    ...poolMaps,
    ...createFiles({ database, poolMaps }),
    ...createWorkflow({ database, clock, changes, onRetired }),
  };
}
