import { seed } from '../../src/local/seed.ts';
import { openSurroundings } from '../../src/local/surroundings.ts';
import { type BlackHole, startBlackHole } from '../harness/black-hole.ts';
import { clockAhead } from '../harness/faketime.ts';
import { type ServiceProcess, spawnService } from '../harness/process.ts';
import { startRedis, type TestRedis } from '../harness/redis.ts';
import type { FaultMoment } from './fault-point.ts';

/** Everything around service processes that come and go: PostgreSQL, identity provider, map host, a queue. */
export interface Arena {
  databaseUrl: string;
  queueGuid: string;
  /** Addresses of the nodes. */
  urls: readonly string[];
  /** The way of each node to the database. */
  ways: readonly BlackHole[];
  /** What tells nodes of each other; null: they look into the database. */
  redis: TestRedis | null;
  gameToken(platformId: string, username: string): Promise<string>;
  /** Starts a node, with the point of its death if it is to die at one. */
  start(node: number, fault?: { atWrite: number; moment: FaultMoment }): ServiceProcess;
  /** Resolves with true when the node is ready, with false when it died before. */
  ready(node: number, process: ServiceProcess): Promise<boolean>;
  stop(): Promise<void>;
}

export interface ArenaOptions {
  nodes: number;
  /** Whether the nodes have a Redis. */
  redis: boolean;
  /** How far the clock of the last node is ahead of the first one's; the others lie in between. */
  clockSeconds: number;
  /** Variables of every node, beside those that all arenas have. */
  environment?: Readonly<Record<string, string>>;
}

/**
 * Limits that a match in play never meets and an outage does. Countdown and result are next to nothing:
 * after each outage a limit has at least 15 s left, and a match that is killed every other second would
 * otherwise sit in them for ever.
 */
const LIMITS: Record<string, string> = {
  JOIN_SECONDS: '8',
  DISCARD_SECONDS: '8',
  PICK_SECONDS: '8',
  PREPARE_SECONDS: '10',
  COUNTDOWN_SECONDS: '0.001',
  ROUND_RESULTS_SECONDS: '0.001',
  SCORE_EARLIEST_SHARE: '0',
  RECONNECT_GRACE_SECONDS: '30',
  RECONNECT_BUDGET_SECONDS: '600',
  REMATCH_SECONDS: '3',
  MATCHMAKING_INTERVAL_MS: '100',
  RATE_LIMIT_FACTOR: '0',
};

/**
 * Where one of several nodes stands still for 20 s nobody gives its players that time: limits that cost a match
 * are longer than the standstill and the time in which a client notices it.
 */
const LIMITS_OF_SEVERAL: Record<string, string> = {
  JOIN_SECONDS: '90',
  PREPARE_SECONDS: '90',
  RECONNECT_GRACE_SECONDS: '90',
};

const faultPoint = new URL('./fault-point.ts', import.meta.url).href;

export async function openArena(options: ArenaOptions): Promise<Arena> {
  const { nodes, clockSeconds } = options;
  // Nothing acknowledged may be lost, so PostgreSQL really waits for its disk here.
  const around = await openSurroundings({
    database: { durable: true },
    ports: Array.from({ length: nodes }, () => 0),
  });
  const { databaseUrl, identityProvider } = around;
  const urls = around.nodes.map(({ url }) => url);
  const ways = await Promise.all(urls.map(() => startBlackHole(databaseUrl)));
  const redis = options.redis ? await startRedis() : null;
  const environment: Record<string, string> = {
    LOG_LEVEL: process.env.CRASH_LOG_LEVEL ?? 'error',
    ...LIMITS,
    ...(nodes > 1 && LIMITS_OF_SEVERAL),
    ...(redis && { REDIS_URL: redis.url }),
    ...options.environment,
  };

  const running = new Set<ServiceProcess>();
  const start: Arena['start'] = (node, fault) => {
    const started = spawnService(
      {
        ...around.nodes[node]?.environment,
        ...environment,
        ...clockAhead(nodes > 1 ? Math.round((clockSeconds * node) / (nodes - 1)) : clockSeconds),
        DATABASE_URL: ways[node]?.url ?? databaseUrl,
        ...(fault && { FAULT_AT_WRITE: String(fault.atWrite), FAULT_MOMENT: fault.moment }),
      },
      fault ? [faultPoint] : [],
    );
    running.add(started);
    started.exited.then(() => running.delete(started));
    return started;
  };
  const ready: Arena['ready'] = async (node, process) => {
    let isDead = false;
    process.exited.then(() => {
      isDead = true;
    });
    for (let waited = 0; waited < 30_000 && !isDead; waited += 20) {
      const answer = await fetch(`${urls[node]}/health`).catch(() => null);
      if (answer?.ok) return true;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (!isDead) {
      const outputs = [...running].map((one) => one.output()).join('\n---\n');
      throw new Error(`Node ${node} did not start in time. What the processes said:\n${outputs}`);
    }
    return false;
  };
  const stop = async (): Promise<void> => {
    for (const process of running) await process.kill();
    for (const way of ways) await way.stop();
    await redis?.stop();
    await around.stop();
  };

  try {
    const first = start(0);
    if (!(await ready(0, first))) throw new Error(`The service did not start:\n${first.output()}`);
    const [{ url }] = around.nodes;
    const { poolGuid } = await seed({ url, identityProvider });
    const admin = await identityProvider.accountToken('admin');
    const post = async (path: string, body?: object): Promise<any> => {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    // Anybody plays anybody: the crash test needs many matches, not fair ones.
    const rules = { pairing: { initialGap: 5000, gapPerSecond: 10, maxGap: null } };
    const { queueGuid } = await post('/queues', { name: 'Crash test', poolGuid, rules });
    await post(`/queues/${queueGuid}/open`);
    await first.terminate();
    return {
      databaseUrl,
      queueGuid,
      urls,
      ways,
      redis,
      gameToken: (platformId, username) => identityProvider.gameToken({ platformId, username }, 4 * 3600),
      start,
      ready,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
