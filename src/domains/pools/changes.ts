import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { ServiceError } from '../../platform/errors.ts';
import { type Change, requireCurrent } from '../../platform/http/staff.ts';
import { recordAudit } from '../audit/index.ts';
import type { Maps } from '../maps/index.ts';
import { poolErrors } from './errors.ts';
import type { Pool } from './schemas.ts';
import * as store from './store.ts';

interface ChangesOptions {
  clock: Clock;
  maps: Pick<Maps, 'playlistLinks'>;
}

/** How the audit log names a pool. */
export const poolTarget = (poolGuid: string) => `/pools/${poolGuid}`;

export type Changes = ReturnType<typeof createChanges>;

/** How every write to a pool begins and ends, whatever it changes: the lock, the revision, the record. */
export function createChanges({ clock, maps }: ChangesOptions) {
  /** The pool as it is answered. */
  const view = (pool: store.StoredPool): Pool => ({
    ...pool,
    ...(store.isPublic(pool) ? maps.playlistLinks(pool.poolGuid) : { playlistUrl: null, oneClickUrl: null }),
  });

  /**
   * Where every write to a pool begins: takes its row lock, then compares.
   * @param refuse what to say of a pool in the wrong status; null of one in the right status
   * @throws POOL_NOT_FOUND, what `refuse` says, STALE
   */
  const lock = async (
    db: Db,
    change: Change,
    poolGuid: string,
    refuse: (pool: store.StoredPool) => ServiceError | null,
  ): Promise<store.StoredPool> => {
    const pool = await store.lockPool(db, poolGuid);
    if (pool === null) throw poolErrors.POOL_NOT_FOUND();
    const refusal = refuse(pool);
    if (refusal) throw refusal;
    if (change.ifMatch !== undefined) {
      const whole = await store.loadPool(db, poolGuid);
      requireCurrent(change, view(pool), ...(whole ? [whole] : []));
    }
    return pool;
  };

  /** The same for what only a draft allows. @throws POOL_NOT_FOUND, POOL_NOT_EDITABLE, STALE */
  const lockDraft = (db: Db, change: Change, poolGuid: string): Promise<store.StoredPool> =>
    lock(db, change, poolGuid, ({ status }) =>
      status === 'draft'
        ? null
        : poolErrors.POOL_NOT_EDITABLE({
            message: `This pool is ${status === 'in_review' ? 'in review' : status}: only a draft can be changed.`,
            details: { status },
          }),
    );

  /** Puts on record who did what to which pool or map, before and after. */
  const audit = (
    db: Db,
    { actorGuid }: Change,
    action: string,
    target: string,
    before: object | null,
    after: object | null,
  ) => recordAudit(db, { at: clock.now(), actorGuid, action, target, before, after });

  /** The name or the maps changed: another revision, and one more person who may not review it. */
  const countChange = async (db: Db, { actorGuid }: Change, poolGuid: string): Promise<store.StoredPool> => {
    await store.noteContribution(db, poolGuid, actorGuid, clock.now());
    return store.nextRevision(db, poolGuid);
  };

  return { view, lock, lockDraft, audit, countChange };
}
