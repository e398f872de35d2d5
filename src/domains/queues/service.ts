import { isDeepStrictEqual } from 'node:util';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, newGuid } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { isOutOfReach } from '../../platform/database/out-of-reach.ts';
import { commonErrors, existing } from '../../platform/errors.ts';
import { readPage } from '../../platform/http/schemas.ts';
import { requireCurrent, type WriteRequest } from '../../platform/http/staff.ts';
import { auditorOf } from '../audit/index.ts';
import { poolErrors, sharePool } from '../pools/index.ts';
import { queueErrors } from './errors.ts';
import { hasLadder, recordLadder } from './ladders-store.ts';
import {
  type NewQueue,
  type QueueChange,
  type QueueQuery,
  type QueueStatus,
  type QueueView,
  queueKey,
} from './schemas.ts';
import * as store from './store.ts';

export interface QueuesOptions {
  database: Database;
  clock: Clock;
  logger: Pick<FastifyBaseLogger, 'error'>;
  /** Removes and tells the waiting players of queues that stopped pairing. Called after the commit. */
  onDraining(queueGuids: readonly string[], reason: 'queue_drained' | 'pool_retired'): Promise<void>;
}

/** A deal is 10 distinct maps, 5 to each of the two. */
const MINIMUM_MAPS = 10;

/** @throws POOL_TOO_SMALL */
function requireEnoughMaps({ mapCount }: { mapCount: number }): void {
  if (mapCount < MINIMUM_MAPS)
    throw queueErrors.POOL_TOO_SMALL({
      message: `A match needs ${MINIMUM_MAPS} maps; the pool has ${mapCount}.`,
      details: { required: MINIMUM_MAPS, actual: mapCount },
    });
}

const PUBLIC_STATUSES: readonly QueueStatus[] = ['open', 'draining'];

const view = ({ seasonEndsAt: _, ...queue }: store.CountedQueue): QueueView => queue;

/** The part that `If-Match` compares. It has no counts, because they change all the time. */
const stateOf = ({ waiting: _, playing: __, ...state }: QueueView) => state;

const auditor = (clock: Clock) => auditorOf<QueueView>(clock, ({ queueGuid }) => `/queues/${queueGuid}`);
/** The actor of changes that the service makes itself. */
const SERVICE = { actorGuid: null };

/**
 * Closes a draining queue with its last match and writes the audit entry. Runs in the transaction that ends the match,
 * after {@link store.shareQueueForEnd}.
 * @param now milliseconds since 1970
 */
export async function closeWithLastMatch(db: Db, queueGuid: string, now: number): Promise<void> {
  // `shareQueueForEnd` only shares a queue that it read as open. It may have been drained since, so it is locked here.
  const draining = await store.lockQueue(db, queueGuid);
  if (draining === null || !(await store.closeIfDrained(db, queueGuid))) return;
  const before = view(draining);
  await auditor({ now: () => now })(db, SERVICE, 'closeQueue', before, { ...before, status: 'closed' });
}

export type Queues = ReturnType<typeof createService>;

/** Queues as staff create, open and close them. The waiting players are in `entries-store.ts`. */
export function createService({ database, clock, logger, onDraining }: QueuesOptions) {
  const { prisma } = database;

  const audit = auditor(clock);

  /** @throws QUEUE_NOT_FOUND, STALE */
  const lock = async (db: Db, write: WriteRequest, queueGuid: string) => {
    const queue = existing(await store.lockQueue(db, queueGuid), queueErrors.QUEUE_NOT_FOUND);
    requireCurrent(write, stateOf(view(queue)));
    return queue;
  };

  /**
   * Drains an open queue; without a running match the queue is closed at once.
   * @param before the queue, which the transaction has locked
   * @returns the queue as it is now, and whether it was open
   */
  const drainOne = async (
    db: Db,
    actor: { actorGuid: string | null },
    action: string,
    before: store.CountedQueue,
  ) => {
    const { queueGuid } = before;
    if (before.status !== 'open') return { queue: before, wasOpen: false };
    const draining = await store.updateQueue(db, queueGuid, { status: 'draining' }, clock.now());
    const isClosed = await store.closeIfDrained(db, queueGuid);
    const queue: store.CountedQueue = isClosed ? { ...draining, status: 'closed' } : draining;
    await audit(db, actor, action, view(before), view(queue));
    return { queue, wasOpen: true };
  };

  const drainEndedOne = async (queueGuid: string): Promise<void> => {
    const wasOpen = await inTransaction(database, ['Queue', 'QueueEntry'], async (db) => {
      const queue = await store.lockQueue(db, queueGuid);
      // The season may have been extended, or the queue moved to another one, since it was read.
      if (queue === null || queue.seasonEndsAt > clock.now()) return false;
      return (await drainOne(db, SERVICE, 'drainQueue', queue)).wasOpen;
    });
    if (wasOpen) await onDraining([queueGuid], 'queue_drained');
  };

  const stop = async (write: WriteRequest, action: string, queueGuid: string) => {
    const { queue, wasOpen } = await inTransaction(database, ['Queue', 'QueueEntry'], async (db) =>
      drainOne(db, write, action, await lock(db, write, queueGuid)),
    );
    if (wasOpen) await onDraining([queue.queueGuid], 'queue_drained');
    return view((await store.loadQueue(prisma, queueGuid)) ?? queue);
  };

  return {
    /**
     * A page of queues, newest first: the open and draining ones, and all of them for staff.
     * @throws VALIDATION_FAILED for a foreign cursor
     */
    list: async ({ status, poolGuid, seasonGuid, ...query }: QueueQuery, forStaff: boolean) => {
      const visible: readonly QueueStatus[] = forStaff ? [...PUBLIC_STATUSES, 'closed'] : PUBLIC_STATUSES;
      const statuses = visible.filter((one) => status === undefined || one === status);
      const filter = { poolGuid, seasonGuid, statuses };
      return readPage(
        query,
        queueKey,
        async (after, limit) => (await store.findQueues(prisma, filter, after?.[0], limit)).map(view),
        ({ queueGuid }) => [queueGuid],
      );
    },

    /** @throws QUEUE_NOT_FOUND, unless for staff also for one that was never open */
    get: async (queueGuid: string, forStaff: boolean) => {
      const found = existing(await store.loadQueue(prisma, queueGuid), queueErrors.QUEUE_NOT_FOUND);
      const isVisible = forStaff || PUBLIC_STATUSES.includes(found.status);
      if (!isVisible && !(await hasLadder(prisma, queueGuid))) throw queueErrors.QUEUE_NOT_FOUND();
      return view(found);
    },

    /** A closed queue on a published pool. @throws POOL_NOT_FOUND, POOL_NOT_PUBLISHED */
    create: async (write: WriteRequest, input: NewQueue) =>
      inTransaction(database, ['Queue'], async (db) => {
        const pool = existing(await sharePool(db, input.poolGuid), poolErrors.POOL_NOT_FOUND);
        if (pool.status !== 'published') throw poolErrors.POOL_NOT_PUBLISHED();
        const record = { ...input, queueGuid: newGuid() };
        const created = view(await store.insertQueue(db, record, clock.now()));
        await audit(db, write, 'createQueue', null, created);
        return created;
      }),

    /**
     * Rules and pool apply to matches made from now on; waiting players keep their place.
     * @throws QUEUE_NOT_FOUND, STALE, and for another pool POOL_NOT_FOUND, POOL_NOT_PUBLISHED
     * @throws SEASON_MISMATCH, POOL_TOO_SMALL for another pool while the queue is open or draining
     */
    update: async (write: WriteRequest, queueGuid: string, { name, poolGuid, rules }: QueueChange) =>
      inTransaction(database, ['Queue'], async (db) => {
        // Pools are locked before queues, as when a pool is retired, so that two transactions cannot deadlock.
        const pool = poolGuid === undefined ? undefined : await sharePool(db, poolGuid);
        const before = await lock(db, write, queueGuid);
        if (pool === null) throw poolErrors.POOL_NOT_FOUND();
        if (pool !== undefined && pool.poolGuid !== before.poolGuid) {
          if (pool.status !== 'published') throw poolErrors.POOL_NOT_PUBLISHED();
          if (before.status !== 'closed') {
            if (pool.seasonGuid !== before.seasonGuid) throw queueErrors.SEASON_MISMATCH();
            requireEnoughMaps(pool);
          }
        }
        const pairing = { ...before.rules.pairing, ...rules?.pairing };
        const changed = {
          name,
          poolGuid: pool?.poolGuid,
          rules: { ...before.rules, ...rules, pairing },
        };
        const after = view(await store.updateQueue(db, queueGuid, changed, clock.now()));
        if (!isDeepStrictEqual(stateOf(after), stateOf(view(before))))
          await audit(db, write, 'changeQueue', view(before), after);
        return after;
      }),

    /**
     * closed → open. An open queue stays open.
     * @throws QUEUE_NOT_FOUND, STALE, POOL_NOT_PUBLISHED, SEASON_ENDED, CONFLICT
     * @throws POOL_TOO_SMALL with under 10 maps, QUEUE_NOT_CLOSED while it drains
     */
    open: async (write: WriteRequest, queueGuid: string) =>
      inTransaction(database, ['Queue', 'Ladder'], async (db) => {
        const { poolGuid } = existing(await store.loadQueue(db, queueGuid), queueErrors.QUEUE_NOT_FOUND);
        const pool = await sharePool(db, poolGuid);
        const before = await lock(db, write, queueGuid);
        if (before.status === 'open') return view(before);
        if (before.status === 'draining')
          throw queueErrors.QUEUE_NOT_CLOSED({
            message: 'This queue is draining. It can be opened once its last match has ended.',
            details: { status: before.status },
          });
        if (pool?.poolGuid !== before.poolGuid)
          throw commonErrors.CONFLICT({ message: 'The queue was given another pool meanwhile. Try again.' });
        if (pool.status !== 'published') throw poolErrors.POOL_NOT_PUBLISHED();
        if (before.seasonEndsAt <= clock.now()) throw queueErrors.SEASON_ENDED();
        requireEnoughMaps(pool);
        const after = view(await store.updateQueue(db, queueGuid, { status: 'open' }, clock.now()));
        await recordLadder(db, queueGuid, after.seasonGuid);
        await audit(db, write, 'openQueue', view(before), after);
        return after;
      }),

    /**
     * open → draining → closed: no joins from now on, running matches finish, the last one closes it. Nothing
     * happens to a queue that is not open. @throws QUEUE_NOT_FOUND, STALE
     */
    drain: (write: WriteRequest, queueGuid: string) => stop(write, 'drainQueue', queueGuid),

    /** The same as `drain`: the queue closes with its last match. @throws QUEUE_NOT_FOUND, STALE */
    close: (write: WriteRequest, queueGuid: string) => stop(write, 'closeQueue', queueGuid),

    /**
     * Drains the queues of a pool in the transaction that retires it.
     * @returns what to do after the commit
     */
    drainQueuesOfPool: async (db: Db, { poolGuid, actorGuid }: { poolGuid: string; actorGuid: string }) => {
      const drained: string[] = [];
      for (const queueGuid of await store.queuesOfPool(db, poolGuid)) {
        const queue = await store.lockQueue(db, queueGuid);
        // It may have been given another pool since it was read.
        if (queue?.poolGuid !== poolGuid) continue;
        const { wasOpen } = await drainOne(db, { actorGuid }, 'drainQueue', queue);
        if (wasOpen) drained.push(queueGuid);
      }
      return async () => {
        if (drained.length > 0) await onDraining(drained, 'pool_retired');
      };
    },

    /** Drains open queues whose season has ended. A repeated task on every node. One that fails keeps no other one from it. */
    drainEnded: async () => {
      for (const queueGuid of await store.openQueuesOfEndedSeasons(prisma, clock.now()))
        await drainEndedOne(queueGuid).catch((error: unknown) => {
          if (isOutOfReach(error)) throw error;
          logger.error({ err: error, queueGuid }, 'a queue could not be drained at the end of its season');
        });
    },
  };
}
