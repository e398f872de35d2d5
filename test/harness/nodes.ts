import { isFree } from '../../src/local/postgres.ts';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import type { TestDatabase } from './database.ts';
import { type ServiceProcess, startServiceProcess } from './process.ts';
import { startTestService, type TestService } from './service.ts';
import { SocketPlayer } from './socket-player.ts';

/** A node of the service in a process of its own. */
export interface ServiceNode {
  url: string;
  /** The process; another one after {@link startAgain}. */
  process: ServiceProcess;
  connect(name: string): Promise<SocketPlayer>;
  /** Starts it at the same address after it ended. */
  startAgain(): Promise<void>;
}

/** A database with an open queue, and the nodes that a test starts on it. */
export interface ServiceNodes
  extends Pick<TestService, 'database' | 'gameToken' | 'environment' | 'identityProvider'> {
  queueGuid: string;
  /** Starts a node with these variables beside the shared ones. @param preload modules to load before the service */
  start(environment?: Record<string, string>, preload?: readonly string[]): Promise<ServiceNode>;
  /** Asks every node to stop, and wakes those that a test suspended. */
  terminateAll(): Promise<void>;
  /** Kills every node and drops the database. */
  stop(): Promise<void>;
}

let nextPort = 11_000 + 1000 * Number(process.env.VITEST_POOL_ID ?? 0);
/**
 * A port that stays the node's while the node restarts. They are below those of `freePort`, and each worker has a thousand of
 * its own: else a service of another test takes the port in the meantime, and players connect to that one.
 */
async function lastingPort(): Promise<number> {
  while (!(await isFree(nextPort))) nextPort += 1;
  return nextPort++;
}

/** Moves the last heartbeats into the past, so that a starting node does not wait until a killed one has been silent for 3 s. */
export async function letSilencePass({ prisma }: Pick<TestDatabase, 'prisma'>): Promise<void> {
  const before = new Date(Date.now() - 60_000);
  await prisma.serviceNode.updateMany({ data: { seenAt: before, servedAt: before } });
}

/**
 * Fills a database through a service in this process, which stops then.
 * @param environment variables of all nodes
 */
export async function openNodes(environment: Record<string, string> = {}): Promise<ServiceNodes> {
  const seeded = await startTestService({ environment });
  const { queueGuid } = await seeded.openQueue();
  await seeded.stopService();
  const nodes: ServiceNode[] = [];
  const players: SocketPlayer[] = [];
  return {
    database: seeded.database,
    environment: seeded.environment,
    gameToken: seeded.gameToken,
    identityProvider: seeded.identityProvider,
    queueGuid,
    start: async (own = {}, preload = []) => {
      const port = await lastingPort();
      const url = `http://127.0.0.1:${port}`;
      const variables = { ...seeded.environment, ...own, PORT: String(port), BASE_URL: url };
      const node: ServiceNode = {
        url,
        process: await startServiceProcess(variables, preload),
        connect: async (name) => {
          const token = await seeded.gameToken(name);
          const player = await SocketPlayer.connect({ url, name, token, pluginVersion: PLUGIN_VERSION });
          players.push(player);
          return player;
        },
        startAgain: async () => {
          node.process = await startServiceProcess(variables, preload);
        },
      };
      nodes.push(node);
      return node;
    },
    terminateAll: async () => {
      for (const { process } of nodes.splice(0)) {
        process.signal('SIGCONT');
        await process.terminate();
      }
    },
    stop: async () => {
      for (const player of players) player.leave();
      for (const { process } of nodes) await process.kill();
      await seeded.stop();
    },
  };
}
