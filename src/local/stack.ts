import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { loadConfig } from '../config.ts';
import { type Randomness, systemClock, systemRandomness } from '../platform/clock.ts';
import { type Service, startService } from '../service.ts';
import { type IdentityProvider, startIdentityProvider } from './identity-provider/server.ts';
import { type MapHost, startMapHost } from './map-host/server.ts';
import { freePort, startLocalPostgres } from './postgres.ts';
import { LocalProblem } from './problem.ts';

/**
 * Everything a laptop needs and production gets elsewhere: PostgreSQL, the identity provider and the map
 * host, each a server of its own, and the service against them through the variables production uses.
 */
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

const HOST = '127.0.0.1';
const DATABASE = 'matches';
const PLUGIN_VERSION = '1.0.0';
const CLIENT_ID = 'local-match-service';

/** @throws LocalProblem when somebody listens there already. */
async function requireFree(port: number, variable: string): Promise<void> {
  if (port === 0) return;
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', () =>
      reject(
        new LocalProblem(
          `Port ${port} is in use. Stop what listens there, or choose another one: ${variable}=${port + 1000} npm run dev`,
        ),
      ),
    );
    probe.listen(port, HOST, () => probe.close(() => resolve()));
  });
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
    const postgres = await startLocalPostgres({
      folder: options.databaseFolder,
      durable: options.databaseFolder !== undefined,
    });
    running.push(postgres);
    await postgres.ensureDatabase(DATABASE);

    // The provider knows the service's callback exactly, so its port must be known first.
    const port = options.ports.service || (await freePort());
    const baseUrl = `http://${HOST}:${port}`;
    const secret = randomBytes(24).toString('hex');
    const identityProvider = await startIdentityProvider({
      host: HOST,
      port: options.ports.identityProvider,
      client: { id: CLIENT_ID, secret, redirectUris: [`${baseUrl}/auth/callback`] },
    });
    running.push(identityProvider);
    const mapHost = await startMapHost({ host: HOST, port: options.ports.mapHost });
    running.push(mapHost);

    const storage = options.storageFolder ?? (await mkdtemp(path.join(tmpdir(), 'matches-storage-')));
    if (options.storageFolder === undefined)
      running.push({ stop: () => rm(storage, { recursive: true, force: true }) });

    const config = loadConfig({
      HOST,
      PORT: String(port),
      BASE_URL: baseUrl,
      DATABASE_URL: postgres.urlOf(DATABASE),
      STORAGE_DIR: storage,
      IDP_AUTHORIZE_URL: identityProvider.authorizeUrl,
      IDP_TOKEN_URL: identityProvider.tokenUrl,
      IDP_PUBLIC_KEY_URL: identityProvider.publicKeyUrl,
      IDP_ISSUER: identityProvider.issuer,
      IDP_AUDIENCE: identityProvider.audience,
      OAUTH_CLIENT_ID: CLIENT_ID,
      OAUTH_CLIENT_SECRET: secret,
      SESSION_SECRET: randomBytes(24).toString('hex'),
      MAP_HOST_URL: mapHost.url,
      MAP_HOST_FILE_HOSTS: mapHost.fileHost,
      PLUGIN_VERSIONS: PLUGIN_VERSION,
      LOG_LEVEL: 'warn',
      // Nobody plays the maps here, so nobody waits for their end.
      SCORE_EARLIEST_SHARE: '0',
      ...options.environment,
    });
    const service = await startService(config, {
      logger: pino({ level: config.LOG_LEVEL }, pino.destination(2)),
      clock: systemClock,
      randomness: options.randomness ?? systemRandomness,
    });
    running.push(service);
    return {
      url: baseUrl,
      identityProvider,
      mapHost,
      pluginVersion: PLUGIN_VERSION,
      service,
      stop: stopAll,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
