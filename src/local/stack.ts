import pino from 'pino';
import { loadConfig } from '../config.ts';
import { type Randomness, systemRandomness } from '../platform/clock.ts';
import { type Service, startService } from '../service.ts';
import type { IdentityProvider } from './identity-provider/server.ts';
import type { MapHost } from './map-host/server.ts';
import { isFree } from './postgres.ts';
import { LocalProblem } from './problem.ts';
import { openSurroundings, PLUGIN_VERSION } from './surroundings.ts';

/** The service in its surroundings, configured through the variables of production. */
export interface Stack {
  /** Base address of the service. */
  url: string;
  identityProvider: IdentityProvider;
  mapHost: MapHost;
  pluginVersion: string;
  service: Service;
  stop(): Promise<void>;
}

export interface StackOptions {
  /** 0: a free one. */
  ports: { service: number; identityProvider: number; mapHost: number };
  /** Where the database is kept between starts; left out: thrown away at the end. */
  databaseFolder?: string;
  /** Where releases and replays are kept between starts; left out: thrown away at the end. */
  storageFolder?: string;
  randomness?: Randomness;
  /** Variables beside those that point at the local servers. */
  environment?: Record<string, string>;
}

/** @throws LocalProblem when the port is in use. */
async function requireFree(port: number, variable: string): Promise<void> {
  if (port === 0 || (await isFree(port))) return;
  throw new LocalProblem(
    `Port ${port} is in use. Stop what listens there, or choose another one: ${variable}=${port + 1000} npm run dev`,
  );
}

/** Starts everything, in order; what was started is stopped again when something fails. */
export async function startStack(options: StackOptions): Promise<Stack> {
  await requireFree(options.ports.service, 'PORT');
  await requireFree(options.ports.identityProvider, 'IDENTITY_PROVIDER_PORT');
  await requireFree(options.ports.mapHost, 'MAP_HOST_PORT');

  const running: { stop(): Promise<unknown> }[] = [];
  const stopAll = async (): Promise<void> => {
    for (const part of running.splice(0).reverse()) await part.stop();
  };
  try {
    const around = await openSurroundings({
      database: { folder: options.databaseFolder, durable: options.databaseFolder !== undefined },
      ports: [options.ports.service],
      identityProviderPort: options.ports.identityProvider,
      mapHostPort: options.ports.mapHost,
      storageFolder: options.storageFolder,
    });
    running.push(around);
    const [node] = around.nodes;
    const config = loadConfig({
      ...node.environment,
      // Bots do not play for the length of a song.
      SCORE_EARLIEST_SHARE: '0',
      ...options.environment,
    });
    const service = await startService(config, {
      logger: pino({ level: config.logLevel }, pino.destination(2)),
      randomness: options.randomness ?? systemRandomness,
    });
    running.push(service);
    return {
      url: node.url,
      identityProvider: around.identityProvider,
      mapHost: around.mapHost,
      pluginVersion: PLUGIN_VERSION,
      service,
      stop: stopAll,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
