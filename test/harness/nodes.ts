import pino from 'pino';
import { loadConfig } from '../../src/config.ts';
import { isFree } from '../../src/local/postgres.ts';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import type { Service } from '../../src/service.ts';
import type { TestDatabase } from './database.ts';
import { startObservedService } from './observed-writes.ts';
import { type ServiceProcess, startServiceProcess } from './process.ts';
import { startTestService, type TestService } from './service.ts';
import { SocketPlayer } from './socket-player.ts';

interface Place {
  url: string;
  connect(name: string): Promise<SocketPlayer>;
}

/** A node of the service in a process of its own. */
export interface ServiceNode extends Place {
  process: ServiceProcess;
  /** Starts it at the same address after it ended, in this process: that takes a fifth of the processor time. */
  startAgain(): Promise<Service>;
}

/** A node in this process: for tests that neither kill nor suspend it. */
export interface NodeHere extends Place {
  service: Service;
}

/** A database with an open queue, and the nodes that a test starts on it. */
export interface ServiceNodes
  extends Pick<TestService, 'database' | 'gameToken' | 'environment' | 'identityProvider'> {
  queueGuid: string;
  /** Starts a node with these variables beside the shared ones. @param preload modules to load before the service */
  start(environment?: Record<string, string>, preload?: readonly string[]): Promise<ServiceNode>;
  startHere(): Promise<NodeHere>;
  /** Kills the processes, stops the nodes in this one and drops the database. */
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
  const here: Service[] = [];
  const players: SocketPlayer[] = [];
  /** A place for a node. */
  const newPlace = async (own: Record<string, string>) => {
    const port = await lastingPort();
    const url = `http://127.0.0.1:${port}`;
    const connect: Place['connect'] = async (name) => {
      const token = await seeded.gameToken(name);
      const player = await SocketPlayer.connect({ url, name, token, pluginVersion: PLUGIN_VERSION });
      players.push(player);
      return player;
    };
    return { url, connect, variables: { ...seeded.environment, ...own, PORT: String(port), BASE_URL: url } };
  };
  const startIn = async (variables: Record<string, string>): Promise<Service> => {
    const config = loadConfig(variables);
    const logger = pino({ level: config.logLevel }, pino.destination(2));
    const service = await startObservedService(config, { logger });
    here.push(service);
    return service;
  };
  return {
    database: seeded.database,
    environment: seeded.environment,
    gameToken: seeded.gameToken,
    identityProvider: seeded.identityProvider,
    queueGuid,
    start: async (own = {}, preload = []) => {
      const { variables, ...place } = await newPlace(own);
      const node: ServiceNode = {
        ...place,
        process: await startServiceProcess(variables, preload),
        startAgain: () => startIn(variables),
      };
      nodes.push(node);
      return node;
    },
    startHere: async () => {
      const { variables, ...place } = await newPlace({});
      return { ...place, service: await startIn(variables) };
    },
    stop: async () => {
      for (const player of players) player.leave();
      for (const { process } of nodes) await process.kill();
      for (const service of here) await service.stop();
      await seeded.stop();
    },
  };
}
