import { isoTime } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { withoutDeadline } from '../../platform/database/deadline.ts';
import { isOutOfReach } from '../../platform/database/out-of-reach.ts';
import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import { banRefusalOf } from '../auth/index.ts';
import { PUT_OFF_MS } from '../matches/index.ts';
import { playerErrors } from '../players/index.ts';
import {
  countEntries,
  extendPlaces,
  loadEntries,
  markConnected,
  markDisconnected,
  queueErrors,
  queueRules,
  removeEntriesOfStopped,
  stoppedQueuesWithEntries,
} from '../queues/index.ts';
import { NEWCOMER_RATING } from '../ratings/index.ts';
import { MAINTENANCE_MESSAGE, pairingErrors } from './errors.ts';
import type { QueueEntryView, QueueReason, QueueUpdate } from './events.ts';
import { windowAfter } from './rules.ts';
import * as store from './store.ts';
import { createTick, type TickOptions } from './tick.ts';

export interface PairingOptions extends Omit<TickOptions, 'notifyRemoved'> {
  /**
   * Sends `queueUpdated` to the live connections of these players. After it has resolved, a message that is sent next arrives
   * after this one, on every node.
   */
  send(playerGuids: readonly string[], update: QueueUpdate): Promise<void>;
  /** @throws PLUGIN_VERSION_NOT_ACCEPTED, with the version to get */
  requireAccepted(pluginVersion: string): Promise<void>;
  /** Whether this node is about to stop. */
  isDraining(): boolean;
}

/** The refusal of a join, with what the player needs to know. */
function refusalOf(joined: Exclude<store.Joined, { refusal: null }>): ServiceError {
  switch (joined.refusal) {
    case 'PLAYER_NOT_FOUND':
      return playerErrors.PLAYER_NOT_FOUND();
    case 'QUEUE_NOT_FOUND':
      return queueErrors.QUEUE_NOT_FOUND();
    case 'QUEUE_NOT_OPEN':
      return pairingErrors.QUEUE_NOT_OPEN({ message: `This queue is ${joined.status}, not open.` });
    case 'BANNED':
      return banRefusalOf(joined.ban);
    case 'PENALIZED': {
      const { until, reason } = joined.penalty;
      return pairingErrors.PENALIZED({ message: `You may queue again at ${isoTime(until)}: ${reason}.` });
    }
    case 'ALREADY_IN_MATCH':
    case 'ALREADY_QUEUED':
      return pairingErrors[joined.refusal]();
  }
}

export type { Joiner } from './store.ts';

export type Pairing = ReturnType<typeof createService>;

/** The queues of players: joining, leaving, and being paired. */
export function createService(options: PairingOptions) {
  const { config, database, clock, logger, matches, send } = options;
  const { prisma } = database;

  /** A single write to the entries. */
  const writing = <T>(work: () => Promise<T>): Promise<T> => database.changes.writing(['QueueEntry'], work);

  /** A stored place as its player sees it. `rules` as stored with the queue. */
  const viewOf = ({
    queueGuid,
    joinedAt,
    rating,
    rules,
  }: store.Place & { rules: unknown }): QueueEntryView => {
    const waitingMs = Math.max(0, clock.now() - joinedAt);
    const gap = Math.floor(windowAfter(queueRules.parse(rules).pairing, waitingMs));
    return { queueGuid, joinedAt: isoTime(joinedAt), waitingMs, rating, gap };
  };

  const notifyRemoved: TickOptions['notifyRemoved'] = (entries, reason) =>
    send(
      entries.map(({ playerGuid }) => playerGuid),
      { queueEntry: null, reason },
    );
  const remove = async (playerGuid: string, reason: QueueReason) => {
    const removed = await store.leaveQueue(database, playerGuid);
    await withoutDeadline(() => notifyRemoved(removed, reason));
  };

  /** Removes the players of queues that stopped pairing, without a penalty. */
  const empty = async (queueGuids: readonly string[], reason: 'queue_drained' | 'pool_retired') =>
    notifyRemoved(await writing(() => removeEntriesOfStopped(prisma, queueGuids)), reason);

  /** Refuses a join. A player who was paired meanwhile gets ALREADY_IN_MATCH instead, and so learns of the match. */
  const refuse = async (playerGuid: string, refusal: ServiceError): Promise<never> => {
    const seated = await matches.runningSeatsOf([playerGuid]);
    throw seated.has(playerGuid) ? pairingErrors.ALREADY_IN_MATCH() : refusal;
  };

  return {
    /**
     * Adds a player to a queue. A player who waits there already keeps the place, also on a node that drains: another
     * node goes on with it.
     * @throws QUEUE_NOT_FOUND, QUEUE_NOT_OPEN, ALREADY_IN_MATCH, ALREADY_QUEUED, PENALIZED,
     *   PLUGIN_VERSION_NOT_ACCEPTED, BANNED, DRAINING
     */
    join: async (joiner: store.Joiner, queueGuid: string) => {
      const { playerGuid } = joiner;
      if (options.isDraining()) {
        const [entry] = await loadEntries(prisma, [playerGuid]);
        if (entry?.queueGuid === queueGuid) return viewOf(entry);
        return refuse(playerGuid, commonErrors.DRAINING());
      }
      if (config.maintenance)
        return refuse(playerGuid, pairingErrors.QUEUE_NOT_OPEN({ message: MAINTENANCE_MESSAGE }));
      await options
        .requireAccepted(joiner.pluginVersion)
        .catch((refusal: ServiceError) => refuse(playerGuid, refusal));
      const joined = await store.joinQueue(database, joiner, queueGuid, clock.now(), NEWCOMER_RATING);
      if (joined.refusal === 'QUEUE_NOT_OPEN') return refuse(playerGuid, refusalOf(joined));
      if (joined.refusal !== null) throw refusalOf(joined);
      const queueEntry = viewOf(joined.place);
      if (joined.isNew) await withoutDeadline(() => send([playerGuid], { queueEntry, reason: 'joined' }));
      return queueEntry;
    },

    /** Removes a player from the queue, if the player waits. */
    leave: (playerGuid: string) => remove(playerGuid, 'left'),
    banned: (playerGuid: string) => remove(playerGuid, 'banned'),

    viewOf,

    /** The number of players in all queues. */
    waiting: () => countEntries(prisma),

    /** These players are connected, perhaps with other versions than before. In a transaction of the caller. */
    connected: markConnected,
    /**
     * Tells players the places that they have now: these may have changed while nobody could tell them. The places are read
     * last and told at once, because a later change may be told at any time.
     */
    tellPlaces: async (playerGuids: readonly string[]) => {
      const playing = await matches.runningSeatsOf(playerGuids);
      const entries = new Map(
        (await loadEntries(prisma, playerGuids)).map((entry) => [entry.playerGuid, entry]),
      );
      const placeOf = (playerGuid: string): QueueUpdate => {
        const entry = entries.get(playerGuid);
        if (entry !== undefined) return { queueEntry: viewOf(entry), reason: null };
        return { queueEntry: null, reason: playing.has(playerGuid) ? 'matched' : 'disconnected' };
      };
      await Promise.all(playerGuids.map((playerGuid) => send([playerGuid], placeOf(playerGuid))));
    },
    /** These players have lost their connections. In a transaction of the caller. */
    disconnected: (db: Db, playerGuids: readonly string[]) => markDisconnected(db, playerGuids, clock.now()),
    /** These players were put off: extends their places, once in each absence. */
    putOff: (playerGuids: readonly string[]) => writing(() => extendPlaces(prisma, playerGuids, PUT_OFF_MS)),

    empty,
    /**
     * Empties the stopped queues that were not emptied because the node that stopped them died. One that fails keeps no other
     * one from it.
     */
    emptyStopped: async () => {
      for (const { queueGuid, isPoolRetired } of await stoppedQueuesWithEntries(prisma))
        await empty([queueGuid], isPoolRetired ? 'pool_retired' : 'queue_drained').catch((error: unknown) => {
          if (isOutOfReach(error)) throw error;
          logger.error({ err: error, queueGuid }, 'a stopped queue could not be emptied');
        });
    },

    /** A match that ended early has queued its innocent player again, who may wait no more by now. */
    requeued: async (playerGuid: string) => {
      const [entry] = await loadEntries(prisma, [playerGuid]);
      if (entry) await send([playerGuid], { queueEntry: viewOf(entry), reason: 'requeued' });
    },

    tick: createTick({ ...options, notifyRemoved }),
  };
}
