import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startIdentityProvider } from './identity-provider/server.ts';
import { HOST } from './listener.ts';
import { startMapHost } from './map-host/server.ts';
import { freePort, startLocalPostgres } from './postgres.ts';

/**
 * Everything the service needs and production gets elsewhere: PostgreSQL, the identity provider, the map host and a
 * folder for files, and the variables that tell a service of them.
 */
export type Surroundings = Awaited<ReturnType<typeof openSurroundings>>;

export interface Node {
  port: number;
  url: string;
  /** The variables of a service that runs here. Variables that are left out have their defaults. */
  environment: Readonly<Record<string, string>>;
}

interface SurroundingsOptions {
  /** Address of a database that is there already, or how to start a PostgreSQL. */
  database: string | { folder?: string; durable: boolean; settings?: Readonly<Record<string, string>> };
  /** Ports of the nodes, 0 for a free one. Left out: one node. */
  ports?: readonly number[];
  /** Left out: a free one. */
  identityProviderPort?: number;
  /** Left out: a free one. */
  mapHostPort?: number;
  /** Where the identity provider's key is kept; left out: a new one. */
  identityProviderKeyFile?: string;
  /** Where the files of the service are kept; left out: a throw-away folder that goes with `stop`. */
  storageFolder?: string;
  /** The identity provider's clock. */
  now?: () => number;
}

/** The plugin version of all players here, and the only one accepted. */
export const PLUGIN_VERSION = '1.0.0';

const DATABASE = 'matches';

/** Starts everything in order; what was started is stopped again when something fails. */
export async function openSurroundings(options: SurroundingsOptions) {
  await using opened = new AsyncDisposableStack();
  const openDatabase = async (): Promise<string> => {
    if (typeof options.database === 'string') return options.database;
    const postgres = await startLocalPostgres(options.database);
    opened.defer(postgres.stop);
    await postgres.ensureDatabase(DATABASE);
    return postgres.urlOf(DATABASE);
  };
  const openStorage = async (): Promise<string> => {
    if (options.storageFolder !== undefined) return options.storageFolder;
    const folder = await mkdtemp(path.join(tmpdir(), 'matches-storage-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    return folder;
  };
  const databaseUrl = await openDatabase();
  const storage = await openStorage();
  const addresses: { port: number; url: string }[] = [];
  for (const wanted of options.ports ?? [0]) {
    const port = wanted || (await freePort());
    addresses.push({ port, url: `http://${HOST}:${port}` });
  }
  const client = {
    id: 'local-match-service',
    secret: randomBytes(24).toString('hex'),
    // The provider knows each callback exactly, so the ports must be known first.
    redirectUris: addresses.map(({ url }) => `${url}/auth/callback`),
  };
  const identityProvider = await startIdentityProvider({
    port: options.identityProviderPort ?? 0,
    client,
    keyFile: options.identityProviderKeyFile,
    now: options.now,
  });
  opened.defer(identityProvider.stop);
  const mapHost = await startMapHost({ port: options.mapHostPort ?? 0 });
  opened.defer(mapHost.stop);

  const shared = {
    HOST,
    DATABASE_URL: databaseUrl,
    STORAGE_DIR: storage,
    IDP_AUTHORIZE_URL: identityProvider.authorizeUrl,
    IDP_TOKEN_URL: identityProvider.tokenUrl,
    IDP_PUBLIC_KEY_URL: identityProvider.publicKeyUrl,
    IDP_ISSUER: identityProvider.issuer,
    IDP_AUDIENCE: identityProvider.audience,
    OAUTH_CLIENT_ID: client.id,
    OAUTH_CLIENT_SECRET: client.secret,
    SESSION_SECRET: randomBytes(24).toString('hex'),
    MAP_HOST_URL: mapHost.url,
    MAP_HOST_FILE_HOSTS: mapHost.fileHost,
    PLUGIN_VERSIONS: PLUGIN_VERSION,
    LOG_LEVEL: 'warn',
  };
  const [first, ...others] = addresses.map(
    ({ port, url }): Node => ({ port, url, environment: { ...shared, PORT: String(port), BASE_URL: url } }),
  );
  if (first === undefined) throw new RangeError('There must be a port for a node at least.');
  const all = opened.move();
  return {
    databaseUrl,
    identityProvider,
    mapHost,
    /** The services that may run here, none of them started. */
    nodes: [first, ...others] as const,
    stop: () => all.disposeAsync(),
  };
}
