import type { Config } from '../../config.ts';
import { isoTime } from '../../platform/clock.ts';
import { type Db, inTransaction } from '../../platform/database/database.ts';
import { commonErrors } from '../../platform/errors.ts';
import { banRefusal } from '../auth/index.ts';
import { type Matches, PUT_OFF_MS } from '../matches/index.ts';
import { activePenalty } from '../penalties/index.ts';
import { lockPlayers } from '../players/index.ts';
import {
  addEntry,
  countEntries,
  entryOf,
  extendPlaces,
  loadQueue,
  markConnected,
  markDisconnected,
  type QueueEntry,
  type QueueRules,
  queueErrors,
  queueRules,
  removeEntries,
  removeEntriesOfQueues,
  shareQueue,
  stoppedQueuesWithEntries,
} from '../queues/index.ts';
import { ratingsOf } from '../ratings/index.ts';
import { pairingErrors } from './errors.ts';
import type { QueueEntryView, QueueReason } from './events.ts';
import { windowAfter } from './rules.ts';
import { createTick, type TickOptions } from './tick.ts';

export interface PairingOptions extends Omit<TickOptions, 'notifyRemoved'> {
  config: Config;
  matches: Matches;
  /** Sends to a player's live connection, if there is one. */
  send(playerGuid: string, event: 'queueUpdated', payload: unknown): Promise<void>;
  /** @throws PLUGIN_VERSION_NOT_ACCEPTED, with the version to get */
  requireAccepted(pluginVersion: string): Promise<void>;
  /** Whether this node is about to stop. */
  isDraining(): boolean;
}

/** Where a player waits, and since when. */
export type Place = Pick<QueueEntry, 'queueGuid' | 'joinedAt' | 'rating'>;

/** A player who joins a queue, with the versions of the connection. */
export interface Joiner {
  playerGuid: string;
  pluginVersion: string;
  gameVersion: string | null;
}

export type Pairing = ReturnType<typeof createService>;

/** The queues of players: joining, leaving, and being paired. */
export function createService(options: PairingOptions) {
  const { config, database, clock, matches, send } = options;
  const { prisma } = database;

  /** A single write to the entries. */
  const writing = <T>(work: () => Promise<T>): Promise<T> => database.changes.writing(['QueueEntry'], work);

  const view = ({ queueGuid, joinedAt, rating }: Place, rules: QueueRules): QueueEntryView => {
    const waitingMs = Math.max(0, clock.now() - joinedAt);
    const gap = Math.floor(windowAfter(rules.pairing, waitingMs));
    return { queueGuid, joinedAt: isoTime(joinedAt), waitingMs, rating, gap };
  };

  /** Resolves when every message has been sent, so that later messages arrive later, on every node. */
  const notifyRemoved = async (entries: readonly QueueEntry[], reason: QueueReason | null): Promise<void> => {
    await Promise.all(
      entries.map(({ playerGuid }) => send(playerGuid, 'queueUpdated', { queueEntry: null, reason })),
    );
  };
  const remove = async (playerGuid: string, reason: QueueReason): Promise<void> =>
    notifyRemoved(await writing(() => removeEntries(prisma, [playerGuid])), reason);

  /** Removes the players of queues that stopped pairing, without a penalty. */
  const empty = async (
    queueGuids: readonly string[],
    reason: 'queue_drained' | 'pool_retired',
  ): Promise<void> => notifyRemoved(await writing(() => removeEntriesOfQueues(prisma, queueGuids)), reason);

  /** @throws BANNED, ALREADY_IN_MATCH, PENALIZED */
  const requireMayQueue = async (db: Db, playerGuid: string): Promise<void> => {
    const ban = await banRefusal(db, playerGuid, clock.now());
    if (ban !== null) throw ban;
    // In the same transaction, because one that needs a second connection may starve when many players join.
    if (await matches.runningSeatOf(playerGuid, db)) throw pairingErrors.ALREADY_IN_MATCH();
    const penalty = await activePenalty(db, playerGuid, clock.now());
    if (penalty)
      throw pairingErrors.PENALIZED({
        message: `You may queue again at ${isoTime(penalty.until)}: ${penalty.reason}.`,
      });
  };

  return {
    /**
     * Adds a player to a queue. A player who waits there already keeps the place.
     * @throws QUEUE_NOT_FOUND, QUEUE_NOT_OPEN, ALREADY_IN_MATCH, ALREADY_QUEUED, PENALIZED,
     *   PLUGIN_VERSION_NOT_ACCEPTED, BANNED, DRAINING
     */
    join: async (joiner: Joiner, queueGuid: string): Promise<QueueEntryView> => {
      const { playerGuid } = joiner;
      if (options.isDraining()) throw commonErrors.DRAINING();
      if (config.maintenance)
        throw pairingErrors.QUEUE_NOT_OPEN({
          message: 'The service is in maintenance; no new matches are made.',
        });
      await options.requireAccepted(joiner.pluginVersion);
      const { entry, queue, isNew } = await inTransaction(database, ['QueueEntry'], async (db) => {
        // Pairing takes the same lock, so that nobody gets into a queue and a match at once.
        await lockPlayers(db, [playerGuid]);
        const queue = await shareQueue(db, queueGuid);
        if (queue === null) throw queueErrors.QUEUE_NOT_FOUND();
        const before = await entryOf(db, playerGuid);
        if (before?.queueGuid === queueGuid) return { entry: before, queue, isNew: false };
        if (queue.status !== 'open')
          throw pairingErrors.QUEUE_NOT_OPEN({ message: `This queue is ${queue.status}, not open.` });
        await requireMayQueue(db, playerGuid);
        if (before !== null) throw pairingErrors.ALREADY_QUEUED();
        const ratingOf = await ratingsOf(db, queue, [playerGuid]);
        const added: QueueEntry = {
          ...joiner,
          queueGuid,
          joinedAt: clock.now(),
          rating: ratingOf(playerGuid).rating,
          disconnectedAt: null,
        };
        if (await addEntry(db, added)) return { entry: added, queue, isNew: true };
        // The end of a match has queued the player again meanwhile.
        const requeued = await entryOf(db, playerGuid);
        if (requeued?.queueGuid !== queueGuid) throw pairingErrors.ALREADY_QUEUED();
        return { entry: requeued, queue, isNew: false };
      });
      const joined = view(entry, queue.rules);
      if (isNew) await send(playerGuid, 'queueUpdated', { queueEntry: joined, reason: 'joined' });
      return joined;
    },

    /** Removes a player from the queue, if the player waits. */
    leave: (playerGuid: string) => remove(playerGuid, 'left'),
    banned: (playerGuid: string) => remove(playerGuid, 'banned'),

    /** A stored place as its player sees it. `rules` as stored with the queue. */
    viewOf: (place: Place & { rules: unknown }) => view(place, queueRules.parse(place.rules)),

    /** The number of players in all queues. */
    waiting: () => countEntries(prisma),

    /** The player is connected, perhaps with other versions than before. */
    connected: (player: Joiner) => writing(() => markConnected(prisma, player)),
    /** These players have lost their connections. In a transaction of the caller. */
    disconnected: (db: Db, playerGuids: readonly string[]) => markDisconnected(db, playerGuids, clock.now()),
    /** These players were refused because the database was full: extends their places, once in each absence. */
    putOff: (playerGuids: readonly string[]) => writing(() => extendPlaces(prisma, playerGuids, PUT_OFF_MS)),

    empty,
    /** Empties the stopped queues that were not emptied because the node that stopped them died. */
    emptyStopped: async (): Promise<void> => {
      for (const { queueGuid, isPoolRetired } of await stoppedQueuesWithEntries(prisma))
        await empty([queueGuid], isPoolRetired ? 'pool_retired' : 'queue_drained');
    },

    /** A match that ended early has queued its innocent player again. */
    requeued: async (entry: QueueEntry): Promise<void> => {
      const queue = await loadQueue(prisma, entry.queueGuid);
      if (queue)
        await send(entry.playerGuid, 'queueUpdated', {
          queueEntry: view(entry, queue.rules),
          reason: 'requeued',
        });
    },

    tick: createTick({ ...options, notifyRemoved }),
  };
}
