import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import { isoTime } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction, isCollision } from '../../platform/database/database.ts';
import { commonErrors } from '../../platform/errors.ts';
import { type Lease, LeaseLost, shareLease } from '../../platform/leases.ts';
import { banRefusal } from '../auth/index.ts';
import { type Matches, PUT_OFF_MS } from '../matches/index.ts';
import type { Outages } from '../outages/index.ts';
import { activePenalty } from '../penalties/index.ts';
import { activeBan, lockPlayers, playersByGuid } from '../players/index.ts';
import {
  addEntry,
  countEntries,
  entriesOf,
  entryOf,
  extendPlaces,
  hasAbandoned,
  loadQueue,
  loadQueuesToPair,
  markConnected,
  markDisconnected,
  type Queue,
  type QueueEntry,
  type QueueRules,
  queueErrors,
  queueRules,
  removeAbandoned,
  removeEntries,
  removeEntriesOfQueues,
  removeEntriesOfVersions,
  shareQueue,
  stoppedQueuesWithEntries,
  waitingVersions,
} from '../queues/index.ts';
import { ratingOf } from '../ratings/index.ts';
import { isAccepted, type PluginVersions } from '../releases/index.ts';
import { pairingErrors } from './errors.ts';
import type { QueueEntryView, QueueReason } from './events.ts';
import { pair, recentEnds, windowAfter } from './rules.ts';

/** A dropped connection keeps the place in the queue this long. */
const PLACE_KEPT_MS = 15_000;

/** How many matches of a tick are made at once: a crowd waits less, and commands still find a connection free. */
const MADE_AT_ONCE = 4;

export interface PairingOptions {
  config: Config;
  database: Database;
  clock: Clock;
  logger: FastifyBaseLogger;
  matches: Matches;
  outages: Pick<Outages, 'last'>;
  /** Sends to a player's live connection, if there is one. */
  send(playerGuid: string, event: 'queueUpdated', payload: unknown): Promise<void>;
  /** @throws PLUGIN_VERSION_NOT_ACCEPTED, with the version to get */
  requireAccepted(pluginVersion: string): Promise<void>;
  /** Which plugin versions are accepted now. */
  pluginVersions(): Promise<PluginVersions>;
  /** Which of these players have a live connection, on whatever node. */
  connectedAmong(playerGuids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Stores whom this node has put off, before places are given up. @throws OutOfReach */
  storePutOff(): Promise<void>;
  /** Told how long each player waited who was put into a match. */
  onPaired(waitedMs: number): void;
  /** Whether this node is about to stop. */
  isDraining(): boolean;
}

/** Where a player waits, and since when. */
export type Place = Pick<QueueEntry, 'queueGuid' | 'joinedAt' | 'rating'>;

/** Who wants to wait. */
export interface Joiner {
  playerGuid: string;
  pluginVersion: string;
  gameVersion: string | null;
}

export type Pairing = ReturnType<typeof createService>;

/** Waiting, and being paired. */
export function createService(options: PairingOptions) {
  const { config, database, clock, logger, matches, outages, send } = options;
  const { prisma } = database;

  const view = ({ queueGuid, joinedAt, rating }: Place, rules: QueueRules): QueueEntryView => {
    const waitingMs = Math.max(0, clock.now() - joinedAt);
    const gap = Math.floor(windowAfter(rules.pairing, waitingMs));
    return { queueGuid, joinedAt: isoTime(joinedAt), waitingMs, rating, gap };
  };

  /** Resolves once everybody's message is on its way: what is sent after it arrives after it, on every node. */
  const tellRemoved = async (entries: readonly QueueEntry[], reason: QueueReason | null): Promise<void> => {
    await Promise.all(
      entries.map(({ playerGuid }) => send(playerGuid, 'queueUpdated', { queueEntry: null, reason })),
    );
  };

  /** Queues that stopped pairing: their players are told and removed, without a penalty. */
  const empty = async (
    queueGuids: readonly string[],
    reason: 'queue_drained' | 'pool_retired',
  ): Promise<void> => {
    await tellRemoved(await removeEntriesOfQueues(prisma, queueGuids), reason);
  };

  const requirePermission = async (db: Db, playerGuid: string): Promise<void> => {
    const ban = await banRefusal(db, playerGuid, clock.now());
    if (ban !== null) throw ban;
    // Inside the transaction: one that waited for a second connection would starve when many join at once.
    if (await matches.runningSeatOf(playerGuid, db)) throw pairingErrors.ALREADY_IN_MATCH();
    const penalty = await activePenalty(db, playerGuid, clock.now());
    if (penalty)
      throw pairingErrors.PENALIZED({
        message: `You may queue again at ${isoTime(penalty.until)}: ${penalty.reason}.`,
      });
  };

  /** Writes only while this node has the task. @throws LeaseLost */
  const asLeader = <T>(lease: Lease, work: (db: Db) => Promise<T>): Promise<T> =>
    inTransaction(database, async (db) => {
      await shareLease(db, lease);
      return work(db);
    });

  /** Two may be paired when both still wait, are connected and may play; decided under their row locks. */
  const makeMatch = async (lease: Lease, queue: Queue, a: QueueEntry, b: QueueEntry): Promise<boolean> => {
    const guids = [a.playerGuid, b.playerGuid];
    const now = clock.now();
    const made = await asLeader(lease, async (db) => {
      await lockPlayers(db, guids);
      const [current, entries, players] = [
        await shareQueue(db, queue.queueGuid),
        await removeEntries(db, guids),
        await playersByGuid(db, guids),
      ];
      const stillWaiting = entries.filter(
        (entry) => entry.queueGuid === queue.queueGuid && entry.disconnectedAt === null,
      );
      if (current?.status !== 'open' || stillWaiting.length < 2) throw new NoLongerPaired();
      for (const guid of guids) {
        if ((await activeBan(db, guid, now)) || (await activePenalty(db, guid, now)))
          throw new NoLongerPaired();
      }
      if (guids.some((guid) => !players.get(guid)?.platformId)) throw new NoLongerPaired();
      const [first, second] = stillWaiting;
      if (!first || !second) throw new NoLongerPaired();
      return matches.create(db, current, [first, second]);
    }).catch((error: unknown) => {
      if (error instanceof NoLongerPaired || isCollision(error)) return null;
      throw error;
    });
    if (made === null) return false;
    await tellRemoved([a, b], 'matched');
    await made.announce();
    for (const { joinedAt } of [a, b]) options.onPaired(now - joinedAt);
    // A connection lost while the transaction ran found neither an entry nor a seat to note it at.
    const connected = await options.connectedAmong(guids);
    for (const guid of guids) {
      if (connected.has(guid)) continue;
      await matches.disconnected(guid);
      // Who came back meanwhile may have been noted as present before the loss was.
      if ((await options.connectedAmong([guid])).has(guid)) await matches.returned(guid);
    }
    return true;
  };

  /** Takes out who waits with a plugin version that is not accepted any more: `pluginVersionRetired` says why. */
  const removeOutdated = async (lease: Lease): Promise<void> => {
    const waiting = await waitingVersions(prisma);
    if (waiting.length === 0) return;
    const versions = await options.pluginVersions();
    const outdated = waiting.filter((pluginVersion) => !isAccepted(versions, pluginVersion));
    if (outdated.length === 0) return;
    await tellRemoved(await asLeader(lease, (db) => removeEntriesOfVersions(db, outdated)), null);
  };

  /** Gives up the places of whoever stayed away: everybody had the whole time since the service was there again. */
  const removeAway = async (lease: Lease): Promise<void> => {
    await options.storePutOff();
    const before = clock.now() - PLACE_KEPT_MS;
    if ((outages.last()?.until ?? before) > before || !(await hasAbandoned(prisma, before))) return;
    await tellRemoved(await asLeader(lease, (db) => removeAbandoned(db, before)), 'disconnected');
  };

  const pairQueue = async (lease: Lease, queue: Queue): Promise<void> => {
    const waiting = (await entriesOf(prisma, queue.queueGuid)).filter(
      (entry) => entry.disconnectedAt === null,
    );
    if (waiting.length < 2) return;
    const meetings = await matches.recentMeetings(
      waiting.map((entry) => entry.playerGuid),
      config.rematchMs,
    );
    const pairs = pair(waiting, {
      rules: queue.rules.pairing,
      now: clock.now(),
      recentEnd: recentEnds(meetings),
    });
    const make = ([a, b]: readonly [QueueEntry, QueueEntry]) =>
      makeMatch(lease, queue, a, b).catch((error: unknown) => {
        if (error instanceof LeaseLost) throw error;
        // One broken pair must not keep the others waiting.
        logger.error({ err: error, players: [a.playerGuid, b.playerGuid] }, 'a pair could not be matched');
      });
    for (let made = 0; made < pairs.length; made += MADE_AT_ONCE)
      await Promise.all(pairs.slice(made, made + MADE_AT_ONCE).map(make));
  };

  return {
    /**
     * Waits in a queue; again in the same one keeps the place.
     * @throws QUEUE_NOT_FOUND, QUEUE_NOT_OPEN, ALREADY_IN_MATCH, ALREADY_QUEUED, PENALIZED,
     *   PLUGIN_VERSION_NOT_ACCEPTED, BANNED, DRAINING
     */
    join: async (joiner: Joiner, queueGuid: string): Promise<QueueEntryView> => {
      if (options.isDraining()) throw commonErrors.DRAINING();
      if (config.maintenance)
        throw pairingErrors.QUEUE_NOT_OPEN({
          message: 'The service is in maintenance; no new matches are made.',
        });
      await options.requireAccepted(joiner.pluginVersion);
      const { entry, queue, isNew } = await inTransaction(database, async (db) => {
        // The pairing takes the same lock: nobody is put into a queue and a match at once.
        await lockPlayers(db, [joiner.playerGuid]);
        const queue = await shareQueue(db, queueGuid);
        if (queue === null) throw queueErrors.QUEUE_NOT_FOUND();
        const before = await entryOf(db, joiner.playerGuid);
        if (before?.queueGuid === queueGuid) return { entry: before, queue, isNew: false };
        if (queue.status !== 'open')
          throw pairingErrors.QUEUE_NOT_OPEN({ message: `This queue is ${queue.status}, not open.` });
        await requirePermission(db, joiner.playerGuid);
        if (before !== null) throw pairingErrors.ALREADY_QUEUED();
        const { rating } = await ratingOf(db, queueGuid, queue.seasonGuid, joiner.playerGuid);
        const added: QueueEntry = {
          ...joiner,
          queueGuid,
          joinedAt: clock.now(),
          rating,
          disconnectedAt: null,
        };
        if (await addEntry(db, added)) return { entry: added, queue, isNew: true };
        // The end of a match has put the player back meanwhile.
        const requeued = await entryOf(db, joiner.playerGuid);
        if (requeued?.queueGuid !== queueGuid) throw pairingErrors.ALREADY_QUEUED();
        return { entry: requeued, queue, isNew: false };
      });
      const joined = view(entry, queue.rules);
      if (isNew) await send(joiner.playerGuid, 'queueUpdated', { queueEntry: joined, reason: 'joined' });
      return joined;
    },

    /** Stops waiting; nothing happens to a player who does not wait. */
    leave: async (playerGuid: string): Promise<void> => {
      await tellRemoved(await removeEntries(prisma, [playerGuid]), 'left');
    },

    /** The place of a player; null when the player does not wait. */
    /** A place that was just read, as its player sees it. `rules` as stored with the queue. */
    viewOf: (place: Place & { rules: unknown }) => view(place, queueRules.parse(place.rules)),

    /** How many wait, in all queues. */
    waiting: () => countEntries(prisma),

    /** The player is there, with what the connection says: who came back with a newer plugin waits with that. */
    connected: (player: Joiner) => markConnected(prisma, player),
    /** Players lost their connections; in a transaction of the caller. */
    disconnected: (db: Db, playerGuids: readonly string[]) => markDisconnected(db, playerGuids, clock.now()),

    /** Players came back and were refused because the database was full: their places are kept longer, once. */
    putOff: (playerGuids: readonly string[]) => extendPlaces(prisma, playerGuids, PUT_OFF_MS),

    banned: async (playerGuid: string): Promise<void> => {
      await tellRemoved(await removeEntries(prisma, [playerGuid]), 'banned');
    },

    empty,

    /** The same for whatever queue stopped and was not emptied, because the node that stopped it died. */
    emptyStopped: async (): Promise<void> => {
      for (const { queueGuid, isPoolRetired } of await stoppedQueuesWithEntries(prisma))
        await empty([queueGuid], isPoolRetired ? 'pool_retired' : 'queue_drained');
    },

    /** A match that was left put its innocent player back: the place is told. */
    requeued: async (entry: QueueEntry): Promise<void> => {
      const queue = await loadQueue(prisma, entry.queueGuid);
      if (queue)
        await send(entry.playerGuid, 'queueUpdated', {
          queueEntry: view(entry, queue.rules),
          reason: 'requeued',
        });
    },

    /** One tick: gives up the places of whoever stayed away or may not play any more, then pairs in every open queue. @throws LeaseLost */
    tick: async (lease: Lease): Promise<void> => {
      await removeAway(lease);
      await removeOutdated(lease);
      const queues = await loadQueuesToPair(prisma);
      if (config.maintenance) {
        const stopped = queues.map((queue) => queue.queueGuid);
        const waiting = await asLeader(lease, (db) => removeEntriesOfQueues(db, stopped));
        await tellRemoved(waiting, 'maintenance');
        return;
      }
      for (const queue of queues) await pairQueue(lease, queue);
    },
  };
}

/** Ends a pairing's transaction: one of the two left, was banned, or was matched meanwhile. */
class NoLongerPaired extends Error {}
