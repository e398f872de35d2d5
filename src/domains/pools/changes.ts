import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { existing, type ServiceError } from '../../platform/errors.ts';
import { requireCurrent, type WriteRequest } from '../../platform/http/staff.ts';
import { auditorOf, recordAudits } from '../audit/index.ts';
import type { Maps } from '../maps/index.ts';
import { poolErrors } from './errors.ts';
import { noteContribution } from './reviews-store.ts';
import type { Pool, PoolMap } from './schemas.ts';
import * as store from './store.ts';

interface ChangesOptions {
  clock: Clock;
  maps: Pick<Maps, 'playlistLinks'>;
}

export type Changes = ReturnType<typeof createChanges>;

/** The steps that every write to a pool shares: row lock, comparison with `If-Match`, revision, audit entry. */
export function createChanges({ clock, maps }: ChangesOptions) {
  /** The pool as it is answered. */
  const view = (pool: store.StoredPool): Pool => ({
    ...pool,
    ...(store.isPublic(pool) ? maps.playlistLinks(pool.poolGuid) : { playlistUrl: null, oneClickUrl: null }),
  });

  /**
   * Checks the status of a pool and `If-Match`.
   * @param refuse the refusal of a pool in the wrong status, null for the right one
   * @throws POOL_NOT_FOUND, the refusal, STALE
   */
  const requireChangeable = async (
    db: Db,
    write: WriteRequest,
    found: store.StoredPool | null,
    refuse: (pool: store.StoredPool) => ServiceError | null,
  ) => {
    const pool = existing(found, poolErrors.POOL_NOT_FOUND);
    const refusal = refuse(pool);
    if (refusal) throw refusal;
    if (write.ifMatch !== undefined)
      requireCurrent(write, view(pool), (await store.loadPool(db, pool.poolGuid)) ?? {});
    return pool;
  };

  /** Locks the row of a pool, then checks it. @throws like {@link requireChangeable} */
  const lock = async (
    db: Db,
    write: WriteRequest,
    poolGuid: string,
    refuse: (pool: store.StoredPool) => ServiceError | null,
  ) => requireChangeable(db, write, await store.lockPool(db, poolGuid), refuse);

  const unlessDraft = ({ status }: store.StoredPool) =>
    status === 'draft'
      ? null
      : poolErrors.POOL_NOT_EDITABLE({
          message: `This pool is ${status === 'in_review' ? 'in review' : status}: only a draft can be changed.`,
          details: { status },
        });

  /** Locks a draft. @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
  const lockDraft = (db: Db, write: WriteRequest, poolGuid: string) => lock(db, write, poolGuid, unlessDraft);

  /** Refuses early and without a lock what `lockDraft` refuses. @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
  const requireDraft = async (db: Db, write: WriteRequest, poolGuid: string) =>
    requireChangeable(db, write, await store.findPool(db, poolGuid), unlessDraft);

  const audit = auditorOf<Pool>(clock, ({ poolGuid }) => `/pools/${poolGuid}`);

  /** Writes an audit entry for each map that was added, changed or removed. */
  const auditMaps = (
    db: Db,
    { actorGuid }: WriteRequest,
    action: 'addMap' | 'changeMap' | 'removeMap',
    poolGuid: string,
    changed: readonly { before: PoolMap | null; after: PoolMap | null }[],
  ) =>
    recordAudits(
      db,
      changed.map(({ before, after }) => ({
        at: clock.now(),
        actorGuid,
        action,
        target: `/pools/${poolGuid}/maps/${(after ?? before)?.mapGuid}`,
        before,
        after,
      })),
    );

  /** Counts a change of the name or the maps: a new revision, which its author may not review. */
  const countChange = async (db: Db, { actorGuid }: WriteRequest, poolGuid: string) => {
    await noteContribution(db, poolGuid, actorGuid, clock.now());
    return store.updatePool(db, poolGuid, { revision: { increment: 1 } });
  };

  return { view, lock, lockDraft, requireDraft, audit, auditMaps, countChange };
}
