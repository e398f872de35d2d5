import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type Db, inTransaction, isCollision } from '../../platform/database/database.ts';
import { type Lease, LeaseLost, shareLease } from '../../platform/leases.ts';
import type { Matches } from '../matches/index.ts';
import type { Outages } from '../outages/index.ts';
import { activePenalty } from '../penalties/index.ts';
import { activeBan, lockPlayers, playersByGuid } from '../players/index.ts';
import {
  connectedEntriesOf,
  hasAbandoned,
  loadQueuesToPair,
  type Queue,
  type QueueEntry,
  removeAbandoned,
  removeEntries,
  removeEntriesOfQueues,
  removeEntriesOfVersions,
  shareQueue,
  waitingVersions,
} from '../queues/index.ts';
import { isAccepted, type PluginVersions } from '../releases/index.ts';
import type { QueueReason } from './events.ts';
import { pair, recentEnds } from './rules.ts';

/** A player without a connection keeps the place in the queue this long. */
const PLACE_KEPT_MS = 15_000;
/** How many matches are made at once; commands still find a connection of the pool. */
const MADE_AT_ONCE = 4;

export interface TickOptions {
  config: Pick<Config, 'maintenance' | 'rematchMs'>;
  database: Database;
  clock: Clock;
  logger: Pick<FastifyBaseLogger, 'error'>;
  matches: Pick<Matches, 'create' | 'disconnected' | 'recentMeetings' | 'returned'>;
  outages: Pick<Outages, 'last'>;
  /** Which plugin versions are accepted now. */
  pluginVersions(): Promise<PluginVersions>;
  /** Which of these players have a live connection, on whatever node. */
  connectedAmong(playerGuids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Extends the places of players whom this node has put off. @throws OutOfReach */
  storePutOff(): Promise<void>;
  /** Called with the waiting time of each player of a new match. */
  onPaired(waitedMs: number): void;
  notifyRemoved(entries: readonly QueueEntry[], reason: QueueReason | null): Promise<void>;
}

/** Ends the transaction that makes a match: one of the two left the queue, was banned, or has a match. */
class NoLongerPaired extends Error {}

/** The repeated task that removes players who may not wait any longer, and pairs the others. */
export function createTick(options: TickOptions) {
  const { config, database, clock, logger, matches, outages, connectedAmong, notifyRemoved } = options;
  const { prisma } = database;

  /** Writes only while this node holds the lease. @throws LeaseLost */
  const asLeader = <T>(lease: Lease, work: (db: Db) => Promise<T>): Promise<T> =>
    inTransaction(database, ['QueueEntry', 'Match', 'MatchEvent'], async (db) => {
      await shareLease(db, lease);
      return work(db);
    });

  /** Makes the match if both players, whose rows are locked, still wait, are connected and may play. */
  const makeMatch = async (lease: Lease, queue: Queue, both: [QueueEntry, QueueEntry]): Promise<void> => {
    const guids = both.map(({ playerGuid }) => playerGuid);
    const now = clock.now();
    const made = await asLeader(lease, async (db) => {
      await lockPlayers(db, guids);
      const current = await shareQueue(db, queue.queueGuid);
      const [first, second] = (await removeEntries(db, guids)).filter(
        ({ queueGuid, disconnectedAt }) => queueGuid === queue.queueGuid && disconnectedAt === null,
      );
      if (current?.status !== 'open' || !first || !second) throw new NoLongerPaired();
      const players = await playersByGuid(db, guids);
      for (const guid of guids)
        if (
          !players.get(guid)?.platformId ||
          (await activeBan(db, guid, now)) ||
          (await activePenalty(db, guid, now))
        )
          throw new NoLongerPaired();
      return matches.create(db, current, [first, second]);
    }).catch((error: unknown) => {
      if (error instanceof NoLongerPaired || isCollision(error)) return null;
      throw error;
    });
    if (made === null) return;
    await notifyRemoved(both, 'matched');
    await made.announce();
    for (const { joinedAt } of both) options.onPaired(now - joinedAt);
    // A connection that was lost during the transaction found neither an entry nor a match.
    const connected = await connectedAmong(guids);
    for (const guid of guids) {
      if (connected.has(guid)) continue;
      await matches.disconnected(guid);
      // A player who came back in between was marked as connected before the loss was stored.
      if ((await connectedAmong([guid])).has(guid)) await matches.returned(guid);
    }
  };

  /** Removes players with plugin versions that are not accepted any more. They were told by `pluginVersionRetired`. */
  const removeOutdated = async (lease: Lease): Promise<void> => {
    const waiting = await waitingVersions(prisma);
    if (waiting.length === 0) return;
    const versions = await options.pluginVersions();
    const outdated = waiting.filter((pluginVersion) => !isAccepted(versions, pluginVersion));
    if (outdated.length === 0) return;
    await notifyRemoved(await asLeader(lease, (db) => removeEntriesOfVersions(db, outdated)), null);
  };

  /** Removes players who have been away for too long. After an outage the time counts from its end. */
  const removeAway = async (lease: Lease): Promise<void> => {
    await options.storePutOff();
    const before = clock.now() - PLACE_KEPT_MS;
    if ((outages.last()?.until ?? before) > before || !(await hasAbandoned(prisma, before))) return;
    await notifyRemoved(await asLeader(lease, (db) => removeAbandoned(db, before)), 'disconnected');
  };

  const pairQueue = async (lease: Lease, queue: Queue): Promise<void> => {
    const waiting = await connectedEntriesOf(prisma, queue.queueGuid);
    if (waiting.length < 2) return;
    const guids = waiting.map(({ playerGuid }) => playerGuid);
    const meetings = await matches.recentMeetings(guids, config.rematchMs);
    const pairs = pair(waiting, {
      rules: queue.rules.pairing,
      now: clock.now(),
      recentEnd: recentEnds(meetings),
    });
    const make = (both: [QueueEntry, QueueEntry]) =>
      makeMatch(lease, queue, both).catch((error: unknown) => {
        if (error instanceof LeaseLost) throw error;
        // The other pairs are made all the same.
        const players = both.map(({ playerGuid }) => playerGuid);
        logger.error({ err: error, players }, 'a pair could not be matched');
      });
    for (let made = 0; made < pairs.length; made += MADE_AT_ONCE)
      await Promise.all(pairs.slice(made, made + MADE_AT_ONCE).map(make));
  };

  /** @throws LeaseLost */
  return async (lease: Lease): Promise<void> => {
    await removeAway(lease);
    await removeOutdated(lease);
    const queues = await loadQueuesToPair(prisma);
    if (config.maintenance) {
      const guids = queues.map(({ queueGuid }) => queueGuid);
      await notifyRemoved(await asLeader(lease, (db) => removeEntriesOfQueues(db, guids)), 'maintenance');
      return;
    }
    for (const queue of queues) await pairQueue(lease, queue);
  };
}
