import type { HttpShapes } from '../../kit/typescript/rest.ts';
import type { IdentityProvider } from '../../src/local/identity-provider/server.ts';
import { newQueue, restAs, seed } from '../../src/local/seed.ts';
import { openSurroundings } from '../../src/local/surroundings.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { type ServiceProcess, spawnService } from './process.ts';
import { startRedis, type TestRedis } from './redis.ts';

/** Everything around service processes that come and go: PostgreSQL, identity provider, map host, a queue. */
export interface Arena {
  databaseUrl: string;
  identityProvider: IdentityProvider;
  poolGuid: string;
  queueGuid: string;
  /** Addresses of the nodes. */
  urls: readonly string[];
  /** The proxy between each node and the database; empty where nodes are connected directly. */
  proxies: readonly FaultyProxy[];
  /** The Redis over which nodes hear of each other; null: they look into the database. */
  redis: TestRedis | null;
  gameToken(platformId: string, username: string): Promise<string>;
  /** Starts a node. */
  start(node: number, beside?: { environment?: Variables; preload?: readonly string[] }): ServiceProcess;
  /** Resolves with true when the node is ready, with false when it died before. */
  ready(node: number, process: ServiceProcess): Promise<boolean>;
  /** Starts all nodes but the first, which runs already, and waits until they are ready. @throws Error with the output of one that died */
  startAll(): Promise<ServiceProcess[]>;
  stop(): Promise<void>;
}

type Variables = Readonly<Record<string, string>>;

export interface ArenaOptions {
  nodes: number;
  /** Whether the nodes have a Redis. */
  redis: boolean;
  /** Variables of a node, beside those that its surroundings give it. */
  environment(node: number): Variables;
  /** The queue that players join. */
  queue: Pick<HttpShapes['NewQueue'], 'name' | 'rules'>;
  /** Whether each node reaches the database through a proxy that can be cut. */
  canBeCut?: boolean;
  /** Settings of PostgreSQL. */
  settings?: Variables;
}

export async function openArena(options: ArenaOptions): Promise<Arena> {
  const { nodes } = options;
  // Nothing acknowledged may be lost, so PostgreSQL really waits for its disk here.
  const around = await openSurroundings({
    database: { durable: true, settings: options.settings },
    ports: Array.from({ length: nodes }, () => 0),
  });
  const { databaseUrl, identityProvider } = around;
  const urls = around.nodes.map(({ url }) => url);
  const proxies = options.canBeCut ? await Promise.all(urls.map(() => startFaultyProxy(databaseUrl))) : [];
  const redis = options.redis ? await startRedis() : null;

  const running = new Set<ServiceProcess>();
  const start: Arena['start'] = (node, beside = {}) => {
    const started = spawnService(
      {
        ...around.nodes[node]?.environment,
        BASE_URL: around.nodes[0].url,
        ...(redis && { REDIS_URL: redis.url }),
        DATABASE_URL: proxies[node]?.url ?? databaseUrl,
        ...options.environment(node),
        ...beside.environment,
      },
      beside.preload,
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
  const startReady = async (node: number): Promise<ServiceProcess> => {
    const started = start(node);
    if (!(await ready(node, started))) throw new Error(`The service did not start:\n${started.output()}`);
    return started;
  };
  const stop = async (): Promise<void> => {
    for (const process of running) await process.kill();
    for (const proxy of proxies) await proxy.stop();
    await redis?.stop();
    await around.stop();
  };

  try {
    const first = await startReady(0);
    const stack = { url: around.nodes[0].url, identityProvider };
    const { poolGuid } = await seed(stack);
    const { queueGuid } = await newQueue(await restAs(stack, 'admin'), { ...options.queue, poolGuid });
    return {
      databaseUrl,
      identityProvider,
      poolGuid,
      queueGuid,
      urls,
      proxies,
      redis,
      gameToken: (platformId, username) => identityProvider.gameToken({ platformId, username }, 4 * 3600),
      start,
      ready,
      startAll: () => Promise.all(urls.map((_, node) => (node === 0 ? first : startReady(node)))),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
