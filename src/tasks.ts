import type { FastifyBaseLogger } from 'fastify';
import type { App } from './app.ts';
import type { Config } from './config.ts';
import type { Database } from './platform/database/database.ts';
import { createSharedChanges } from './platform/database/shared-changes.ts';
import { type Lease, LeaseLost } from './platform/leases.ts';
import { BOUNDS } from './platform/limits.ts';
import { repeat } from './platform/loop.ts';
import type { ServiceNode } from './platform/node.ts';
import type { Redis } from './platform/redis.ts';
import type { Channel } from './platform/socket/channel.ts';
import type { Storage } from './platform/storage/storage.ts';

/** Something that a node does again and again. */
type Task = {
  name: string;
  everyMs: number;
  /** When it is done first after the start; left out: after `everyMs`. */
  firstMs?: number;
} & (
  | { run(): Promise<void> }
  /** Done by one node at a time: by whichever has the lease of this name. What it writes may show the lease. */
  | { asLeader(lease: Lease): Promise<void> }
);

interface TasksOptions {
  config: Pick<Config, 'matchmakingIntervalMs'>;
  app: App;
  node: ServiceNode;
  channel: Channel;
  database: Database;
  storage: Storage;
  redis: Redis | null;
  logger: FastifyBaseLogger;
  /** How often nodes ask the database for news of each other; unset: {@link PEERS_MS}. */
  askPeersEveryMs: number | undefined;
  /** When this process began, milliseconds since 1970 by the clock of the machine. */
  startedAt: number;
}

/** Nodes hear of each other through the database this often; sooner where Redis is there to hint at it. */
const PEERS_MS = 250;
/** What another node began to write longer ago than this has been given its row or never will be. */
const LONGEST_UPLOAD_MS = BOUNDS.upload.value;

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * Starts what this node does again and again: the table below has all of it, but for the heartbeat of the
 * node and the limits of matches, which look after themselves.
 */
export async function startTasks(options: TasksOptions): Promise<{ stop(): Promise<void> }> {
  const { config, app, node, channel, database, storage, redis, logger, startedAt } = options;
  const sharedChanges = createSharedChanges(database);
  let hasPeers = false;

  const readInbox = async (): Promise<void> => {
    hasPeers = await node.hasLivingPeers();
    if (!hasPeers) sharedChanges.alone();
    else await Promise.all([sharedChanges.exchange(), app.connections.readInbox()]);
  };

  const keepHouse = async (): Promise<void> => {
    await app.connections.recover();
    await app.connections.storeLosses();
    // After the losses: before them there is no grace to extend.
    await app.connections.putOff.store();
    // A node that just died may have stored what nobody told, and an answer of the database that was lost
    // leaves us in the same place with ourselves.
    if (!hasPeers) await app.connections.readInbox();
    await app.connections.dismissExpired();
    await app.connections.notifyRetiredVersions();
    await app.live.endFinished();
    await app.queues.closeEnded();
  };

  const removeLitter = async (): Promise<void> => {
    // Alone, whatever was written before the start is of a process that is no more.
    const isShared = await node.hasLivingPeers();
    const ageMs = isShared ? LONGEST_UPLOAD_MS : Date.now() - startedAt;
    const unfinished = await storage.dropUnfinished(ageMs);
    const files = unfinished + (await app.releases.removeLitter(ageMs));
    if (files > 0) logger.info({ files }, 'removed what unfinished uploads left');
  };

  const peers: Task = { name: 'peers', everyMs: options.askPeersEveryMs ?? PEERS_MS, run: readInbox };
  const tasks: Task[] = [
    // Nodes that died, connections whose token expired, queues whose season ended.
    { name: 'housekeeping', everyMs: SECOND, run: keepHouse },
    { name: 'pairing', everyMs: config.matchmakingIntervalMs, asLeader: app.pairing.tick },
    // A match is looked at 15 minutes after its end; a few seconds more are nothing to its staff.
    { name: 'missing replays', everyMs: 5 * SECOND, run: app.replays.listMissing },
    // What is watched where, told to other nodes.
    { name: 'live', everyMs: 10 * SECOND, run: app.live.refresh },
    // They count for nothing before that.
    { name: 'ended logins', everyMs: MINUTE, run: app.sessions.forgetEnded },
    { name: 'ladder counts', everyMs: 10 * SECOND, asLeader: () => app.leaderboards.sumCounts() },
    { name: 'replay files', everyMs: 10 * MINUTE, asLeader: () => app.replays.tidy() },
    // Maps of published pools that were not looked at for a day; fifty at once. Soon after a start: where
    // nodes are started again and again none might live for ten minutes.
    { name: 'map checks', everyMs: 10 * MINUTE, firstMs: 30 * SECOND, asLeader: () => app.mapChecks.run() },
    // What died uploads left.
    { name: 'litter', everyMs: 10 * MINUTE, run: removeLitter },
  ];
  const start = (task: Task) => {
    const { name, everyMs, firstMs } = task;
    const run = async (): Promise<void> => {
      if ('run' in task) return task.run();
      const lease = await node.lead(name);
      if (lease === null) return;
      await task.asLeader(lease).catch((error: unknown) => {
        if (!(error instanceof LeaseLost)) throw error;
        logger.warn({ task: name }, 'another node has taken a task over; what this one began is not stored');
      });
    };
    return repeat(name, everyMs, run, logger, firstMs);
  };

  await removeLitter().catch((error: unknown) =>
    logger.error({ err: error }, 'what unfinished uploads left could not be removed'),
  );
  const peersLoop = start(peers);
  redis?.onHint((topics) => {
    if (topics.some((topic) => topic === node.nodeGuid || channel.holds(topic))) peersLoop.wake();
  });
  const loops = [peersLoop, ...tasks.map(start)];
  return {
    stop: async () => {
      app.mapChecks.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
