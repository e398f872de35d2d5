import path from 'node:path';
import pino from 'pino';
import { loadConfig } from '../config.ts';
import type { Randomness } from '../platform/clock.ts';
import { startService } from '../service.ts';
import { isFree } from './postgres.ts';
import { LocalProblem } from './problem.ts';
import { openSurroundings, PLUGIN_VERSION } from './surroundings.ts';

/** The service in its surroundings, configured through the variables of production. */
export type Stack = Awaited<ReturnType<typeof startStack>>;

export interface StackOptions {
  /** 0: a free one. */
  ports: { service: number; identityProvider: number; mapHost: number };
  /** Where database, files and the identity provider's key are kept between starts; left out: thrown away at the end. */
  dataFolder?: string;
  randomness?: Randomness;
  /** Variables beside those that point at the local servers. */
  environment?: Record<string, string>;
}

/** @throws LocalProblem when the port is in use, is for another server of the stack as well, or is forbidden. */
async function requireFree(ports: StackOptions['ports']): Promise<void> {
  const variables = new Map<number, string>();
  for (const [port, variable] of [
    [ports.service, 'PORT'],
    [ports.identityProvider, 'IDENTITY_PROVIDER_PORT'],
    [ports.mapHost, 'MAP_HOST_PORT'],
  ] as const) {
    if (port === 0) continue;
    const other = variables.get(port);
    if (other) throw new LocalProblem(`${other} and ${variable} are both ${port}. Set one to another port.`);
    variables.set(port, variable);
    const free = await isFree(port).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EACCES') throw error;
      throw new LocalProblem(
        `Port ${port} may not be used by this user. Set the variable ${variable} to another one.`,
      );
    });
    if (free) continue;
    throw new LocalProblem(
      `Port ${port} is in use. Stop what listens there, or set the variable ${variable} to another one, such as ${port + 1000}.`,
    );
  }
}

/** Starts everything, in order; what was started is stopped again when something fails. */
export async function startStack(options: StackOptions) {
  const { ports, dataFolder } = options;
  const kept = (name: string) => (dataFolder === undefined ? undefined : path.join(dataFolder, name));
  await requireFree(ports);

  await using opened = new AsyncDisposableStack();
  const around = await openSurroundings({
    database: { folder: kept('postgres'), durable: dataFolder !== undefined },
    ports: [ports.service],
    identityProviderPort: ports.identityProvider,
    mapHostPort: ports.mapHost,
    identityProviderKeyFile: kept('identity-provider-key.pem'),
    storageFolder: kept('storage'),
  });
  opened.defer(around.stop);
  const [node] = around.nodes;
  const config = loadConfig({ ...node.environment, ...options.environment });
  const service = await startService(config, {
    logger: pino({ level: config.logLevel }, pino.destination(2)),
    randomness: options.randomness,
  });
  opened.defer(() => service.stop());
  const { identityProvider, mapHost, databaseUrl } = around;
  const all = opened.move();
  let stopped: Promise<void> | undefined;
  return {
    /** Base address of the service. */
    url: node.url,
    identityProvider,
    mapHost,
    pluginVersion: PLUGIN_VERSION,
    databaseUrl,
    /** Resolves when all is stopped, at every call. */
    stop: () => (stopped ??= all.disposeAsync()),
  };
}
