import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import { partsOf } from '../../platform/batches.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction } from '../../platform/database/database.ts';
import { isOutOfReach } from '../../platform/database/out-of-reach.ts';
import { type Lease, LeaseLost, shareLease } from '../../platform/leases.ts';
import type { Matches, Pair } from '../matches/index.ts';
import type { Outages } from '../outages/index.ts';
import { penalizedAmong } from '../penalties/index.ts';
import { bannedAmong, lockPlayers, playersByGuid } from '../players/index.ts';
import {
  claimEntries,
  connectedEntriesOf,
  loadQueuesToPair,
  loadWaitingGroups,
  markDisconnected,
  type Queue,
  type QueueEntry,
  removeAbandoned,
  removeEntries,
  removeEntriesOfQueues,
  removeEntriesOfVersions,
  shareQueue,
  type WaitingGroup,
} from '../queues/index.ts';
import { isAccepted, type PluginVersions } from '../releases/index.ts';
import type { QueueReason } from './events.ts';
import { pair, pairsAmong, recentEnds } from './rules.ts';

/** A player without a connection keeps the place in the queue this long. */
const PLACE_KEPT_MS = 15_000;
/** Matches that are made in one transaction: about 150 KB of states. */
const SET_SIZE = 50;

export interface TickOptions {
  config: Pick<Config, 'maintenance' | 'rematchMs'>;
  database: Database;
  clock: Clock;
  logger: Pick<FastifyBaseLogger, 'error'>;
  matches: Pick<Matches, 'create' | 'recentMeetings' | 'runningSeatsOf'>;
  outages: Pick<Outages, 'last'>;
  /** Which plugin versions are accepted now. */
  pluginVersions(): Promise<PluginVersions>;
  /**
   * Locks the connections of these players, on whatever node, until the end of the transaction: their loss waits for that.
   * @returns those who are connected, and those who have no connection. In neither: whose loss is being stored
   */
  shareConnections(
    db: Db,
    playerGuids: readonly string[],
  ): Promise<{ connected: ReadonlySet<string>; absent: readonly string[] }>;
  /** Extends the places of players that this node has put off. @throws OutOfReach */
  storePutOff(): Promise<void>;
  /** Called with the waiting time of each player of a new match. */
  onPaired(waitedMs: number): void;
  notifyRemoved(
    entries: readonly Pick<QueueEntry, 'playerGuid'>[],
    reason: QueueReason | null,
  ): Promise<void>;
}

const guidsOf = (entries: readonly QueueEntry[]): string[] => entries.map(({ playerGuid }) => playerGuid);
const playersOf = (pairs: readonly Pair[]): string[] => guidsOf(pairs.flat());

/** The repeated task that removes players who may not wait any longer, and pairs the others. */
export function createTick(options: TickOptions) {
  const { config, database, clock, logger, matches, outages, notifyRemoved } = options;
  const { prisma } = database;

  /** Writes only while this node holds the lease. @throws LeaseLost */
  const asLeader = <T>(lease: Lease, work: (db: Db) => Promise<T>): Promise<T> =>
    inTransaction(database, ['QueueEntry', 'Match', 'MatchEvent'], async (db) => {
      await shareLease(db, lease);
      return work(db);
    });

  /**
   * Those of these claimed entries whose players are connected until the end of the transaction: a loss after it finds the
   * match. An entry that was made after the loss of its player was stored is marked now.
   */
  const withConnection = async (db: Db, entries: readonly QueueEntry[]): Promise<QueueEntry[]> => {
    const { connected, absent } = await options.shareConnections(db, guidsOf(entries));
    // A loss that is being stored marks the entry itself.
    if (absent.length > 0) await markDisconnected(db, absent, clock.now());
    return entries.filter(({ playerGuid }) => connected.has(playerGuid));
  };

  /**
   * Locks the players of these pairs and stores the matches of the pairs in which both still wait, are connected and may play.
   * @returns these pairs, and a function that delivers the matches to the players
   * @throws LeaseLost
   */
  const storeMatches = (lease: Lease, queueGuid: string, pairs: readonly Pair[]) =>
    asLeader(lease, async (db) => {
      const guids = playersOf(pairs);
      const now = clock.now();
      await lockPlayers(db, guids);
      const queue = await shareQueue(db, queueGuid);
      // A queue stays open for a moment after the end of its season.
      if (queue?.status !== 'open' || queue.seasonEndsAt <= now) return null;
      const players = await playersByGuid(db, guids);
      const seated = await matches.runningSeatsOf(guids, db);
      const banned = await bannedAmong(db, guids, now);
      const penalized = await penalizedAmong(db, guids, now);
      const mayPlay = ({ playerGuid }: QueueEntry): boolean =>
        Boolean(players.get(playerGuid)?.platformId) &&
        ![seated, banned, penalized].some((refused) => refused.has(playerGuid));
      const entries = (await claimEntries(db, queueGuid, guids)).filter(mayPlay);
      const ready = pairsAmong(pairs, await withConnection(db, entries));
      if (ready.length === 0) return null;
      await removeEntries(db, playersOf(ready));
      return { pairs: ready, announce: await matches.create(db, queue, ready) };
    });

  /** Delivers new matches to their players. */
  const deliver = async ({ pairs, announce }: { pairs: readonly Pair[]; announce(): Promise<void> }) => {
    const entries = pairs.flat();
    await notifyRemoved(entries, 'matched');
    await announce();
    for (const { joinedAt } of entries) options.onPaired(clock.now() - joinedAt);
  };

  /** Makes the matches of a set of pairs. When they cannot be stored together, the halves are stored one by one. */
  const makeMatches = async (lease: Lease, queueGuid: string, pairs: readonly Pair[]): Promise<void> => {
    try {
      const made = await storeMatches(lease, queueGuid, pairs);
      if (made !== null)
        await deliver(made).catch((error: unknown) =>
          logger.error({ err: error }, 'new matches were not delivered'),
        );
    } catch (error) {
      if (error instanceof LeaseLost || isOutOfReach(error)) throw error;
      if (pairs.length === 1) {
        logger.error({ err: error, players: playersOf(pairs) }, 'a pair could not be matched');
        return;
      }
      const half = Math.ceil(pairs.length / 2);
      await makeMatches(lease, queueGuid, pairs.slice(0, half));
      await makeMatches(lease, queueGuid, pairs.slice(half));
    }
  };

  /** Removes players with plugin versions that are not accepted any more. They got the notice `pluginVersionRetired`. */
  const removeOutdated = async (lease: Lease, waiting: readonly WaitingGroup[]) => {
    const versions = await options.pluginVersions();
    const outdated = waiting
      .map(({ pluginVersion }) => pluginVersion)
      .filter((pluginVersion) => !isAccepted(versions, pluginVersion));
    if (outdated.length === 0) return;
    await notifyRemoved(await asLeader(lease, (db) => removeEntriesOfVersions(db, outdated)), null);
  };

  /** Removes players who have been away for too long. After an outage the time counts from its end. */
  const removeAway = async (lease: Lease, waiting: readonly WaitingGroup[]) => {
    const before = clock.now() - PLACE_KEPT_MS;
    const isAnyAway = waiting.some(({ awaySince }) => awaySince !== null && awaySince < before);
    if (!isAnyAway || (outages.last()?.until ?? before) > before) return;
    await notifyRemoved(await asLeader(lease, (db) => removeAbandoned(db, before)), 'disconnected');
  };

  const pairQueue = async (lease: Lease, queue: Queue) => {
    const waiting = await connectedEntriesOf(prisma, queue.queueGuid);
    if (waiting.length < 2) return;
    const meetings = await matches.recentMeetings(guidsOf(waiting), config.rematchMs);
    const pairs = pair(waiting, {
      rules: queue.rules.pairing,
      now: clock.now(),
      recentEnd: recentEnds(meetings),
    });
    for (const set of partsOf(pairs, SET_SIZE)) await makeMatches(lease, queue.queueGuid, set);
  };

  /** @throws LeaseLost */
  return async (lease: Lease) => {
    await options.storePutOff();
    const waiting = await loadWaitingGroups(database);
    if (waiting.length === 0) return;
    await removeAway(lease, waiting);
    await removeOutdated(lease, waiting);
    const queues = await loadQueuesToPair(prisma);
    if (config.maintenance) {
      const guids = queues.map(({ queueGuid }) => queueGuid);
      await notifyRemoved(await asLeader(lease, (db) => removeEntriesOfQueues(db, guids)), 'maintenance');
      return;
    }
    for (const queue of queues) {
      const ofQueue = waiting.filter(({ queueGuid }) => queueGuid === queue.queueGuid);
      if (ofQueue.reduce((sum, { connected }) => sum + connected, 0) < 2) continue;
      await pairQueue(lease, queue).catch((error: unknown) => {
        if (error instanceof LeaseLost || isOutOfReach(error)) throw error;
        logger.error(
          { err: error, queueGuid: queue.queueGuid },
          'the players of a queue could not be paired',
        );
      });
    }
  };
}
