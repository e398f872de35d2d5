import type { App } from './app.ts';
import type { ConfigCheck } from './config-check.ts';
import { createPeerReads } from './peer-reads.ts';
import { isOutOfReach } from './platform/database/out-of-reach.ts';
import type { SharedChanges } from './platform/database/shared-changes.ts';
import { type Lease, LeaseLost } from './platform/leases.ts';
import { BOUNDS } from './platform/limits.ts';
import { repeat } from './platform/loop.ts';
import type { ServiceNode } from './platform/node.ts';
import type { Channel } from './platform/socket/channel.ts';
import type { Resources } from './resources.ts';

/** A repeated task of a node. */
type Task = {
  name: string;
  everyMs: number | (() => number);
  /** How long after the start it runs first; left out: `everyMs`. */
  firstMs?: number;
} & (
  | { run(): Promise<void> }
  /** Run by one node at a time, the leader. Its transactions may check the lease. */
  | { asLeader(lease: Lease): Promise<void> }
);

interface TasksOptions extends Pick<Resources, 'config' | 'storage' | 'redis' | 'logger'> {
  app: App;
  node: ServiceNode;
  channel: Channel;
  sharedChanges: SharedChanges;
  configCheck: ConfigCheck;
  /** How often a node reads what other nodes wrote; undefined: {@link PEERS_MS}. */
  askPeersEveryMs: number | undefined;
  /** When this process started, milliseconds by `performance.now()`, which is never set back. */
  startedAt: number;
}

/** How often a node reads everything that other nodes wrote into the database; what a hint over Redis names it reads at once. */
const PEERS_MS = 250;
/** How often the feed of all queues and matches looks for changes. */
const FEED_MS = 250;

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Starts the repeated tasks of this node, except its heartbeat and the limits of matches. */
export function startTasks(options: TasksOptions): { stop(): Promise<void> } {
  const { config, app, node, channel, sharedChanges, storage, redis, logger, startedAt } = options;
  const peerReads = createPeerReads({
    node,
    sharedChanges,
    holds: channel.holds,
    isFollowed: app.observers.isFollowed,
    readInbox: app.connections.readInbox,
    readFollowed: app.observers.catchUp,
    everyMs: options.askPeersEveryMs ?? PEERS_MS,
  });

  const housekeepingSteps: readonly (() => Promise<unknown>)[] = [
    () => app.connections.recover(),
    app.connections.storeLosses,
    // After the losses, because they begin the graces that are extended.
    app.connections.putOff.store,
    // Without peers too: a dead node may have stored changes and not delivered them, and so may this node when an answer of
    // the database was lost.
    async () => {
      if (!peerReads.hasPeers()) await Promise.all([app.connections.readInbox(), app.observers.catchUp()]);
    },
    app.connections.dismissExpired,
    app.connections.notifyRetiredVersions,
    app.live.endFinished,
    app.queues.drainEnded,
  ];
  const housekeeping = async (): Promise<void> => {
    for (const step of housekeepingSteps)
      await step().catch((error: unknown) => {
        // While the database is out of reach all other steps fail too. Any other failure concerns one step.
        if (isOutOfReach(error)) throw error;
        logger.error({ err: error, loop: 'housekeeping' }, 'a repeated task failed');
      });
  };

  const removeUnfinished = async (): Promise<void> => {
    // Without peers, everything unfinished that is older than this process belongs to one that has ended.
    const isShared = (await node.livingPeers()).length > 0;
    // With peers, an upload that began twice the longest time ago that an upload may take has ended, with or without its row.
    const ageMs = () => (isShared ? 2 * BOUNDS.upload.value : performance.now() - startedAt);
    let files = 0;
    try {
      files += await app.releases.removeUnfinished(ageMs());
    } finally {
      // Also after a failure there: the bucket may not answer, and these files are on the disk.
      files += await storage.dropUnfinished(ageMs());
    }
    if (files > 0) logger.info({ files }, 'removed what unfinished uploads left');
  };

  const tasks: Task[] = [
    { name: 'housekeeping', everyMs: SECOND, run: housekeeping },
    { name: 'pairing', everyMs: config.matchmakingIntervalMs, asLeader: app.pairing.tick },
    { name: 'seats', everyMs: 5 * SECOND, run: app.connections.checkSeats },
    { name: 'missing replays', everyMs: 5 * SECOND, run: app.replays.listMissing },
    { name: 'configuration', everyMs: 2 * SECOND, firstMs: 0, run: options.configCheck.run },
    { name: 'feed', everyMs: FEED_MS, run: app.observers.publishChanges },
    { name: 'live', everyMs: 10 * SECOND, run: app.live.refresh },
    { name: 'retention', everyMs: MINUTE, asLeader: () => app.retention.removeExpired() },
    { name: 'ladder counts', everyMs: 10 * SECOND, asLeader: () => app.ratings.sumCounts() },
    { name: 'map usage', everyMs: 10 * SECOND, asLeader: () => app.matches.sumUsage() },
    { name: 'match logs', everyMs: MINUTE, asLeader: () => app.matches.replayEndedLogs() },
    { name: 'match archive', everyMs: MINUTE, asLeader: () => app.matches.archiveLogs() },
    { name: 'replay files', everyMs: 10 * MINUTE, asLeader: () => app.replays.tidy() },
    // The first run is soon after the start, because nodes that are restarted often may never run for ten minutes.
    { name: 'map checks', everyMs: 10 * MINUTE, firstMs: 30 * SECOND, asLeader: () => app.mapChecks.run() },
    { name: 'map covers', everyMs: MINUTE, firstMs: 10 * SECOND, asLeader: () => app.maps.covers.run() },
    // First at the start, which does not wait for it: a bucket may not answer.
    { name: 'unfinished uploads', everyMs: 10 * MINUTE, firstMs: 0, run: removeUnfinished },
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

  const peersLoop = start({ name: 'peers', everyMs: peerReads.restMs, run: peerReads.read });
  redis?.onHint((topics) => {
    if (peerReads.note(topics)) peersLoop.wake();
  });
  const loops = [peersLoop, ...tasks.map(start)];
  return {
    stop: async () => {
      app.mapChecks.stop();
      // All are told before one is waited for.
      await Promise.all([app.maps.covers.stop(), ...loops.map((loop) => loop.stop())]);
    },
  };
}
