import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type App, buildApp } from './app.ts';
import type { Config } from './config.ts';
import { createConfigCheck } from './config-check.ts';
import { authErrors, openIdentityKeys } from './domains/auth/index.ts';
import type { Session } from './domains/connections/index.ts';
import { RULEBOOK, type Rulebook } from './domains/matches/index.ts';
import { readBundle } from './pages/index.ts';
import { addressReader } from './platform/address.ts';
import { type Clock, type Randomness, systemRandomness } from './platform/clock.ts';
import { type Database, identityOf, openDatabase } from './platform/database/database.ts';
import { migrate } from './platform/database/migrations.ts';
import { isOutOfReach } from './platform/database/out-of-reach.ts';
import { createSharedChanges } from './platform/database/shared-changes.ts';
import type { Http } from './platform/http/server.ts';
import { DEAD_MS, joinNodes, type ServiceNode, SILENT_MS } from './platform/node.ts';
import { reasonOf } from './platform/reason.ts';
import { openRedis } from './platform/redis.ts';
import { createServiceClock } from './platform/service-clock.ts';
import { createArrivals } from './platform/socket/arrivals.ts';
import { type Channel, openChannel } from './platform/socket/channel.ts';
import { openStorage, type StorageOptions } from './platform/storage/storage.ts';
import { startTasks } from './tasks.ts';

/** The whole service in one process, started and stopped as one thing. */
export interface Service {
  /** Its public base address. */
  url: string;
  port: number;
  /**
   * Stops cleanly. With `drainMs`, readiness fails that long before the listener closes. With `finishMs`, requests that
   * take longer than most of it are cut off and the database is abandoned, so that everything stops in time.
   */
  stop(options?: { drainMs: number; finishMs: number }): Promise<void>;
}

export interface ServiceOptions {
  logger: FastifyBaseLogger;
  /** Replaced in tests only; left out: the database's. */
  clock?: Clock;
  randomness?: Randomness;
  /** Replaced in tests of nodes whose versions differ. */
  rulebook?: Rulebook;
  /** How often this node reads what other nodes wrote; longer in tests of hints over Redis. */
  askPeersEveryMs?: number;
  /** Called when the database has lost changes that this process knows of: it has to be stopped and started again. */
  onOtherHistory?(): void;
  /** Called with the database, so that tests can observe statements. */
  observe?(database: Database): void;
}

/** The share of the time for a clean stop that running work may take. The rest is for the steps after it. */
const SHARE_OF_WORK = 0.8;

/** The place of files: a bucket if one is configured, else the disk. */
const storageOptions = (config: Config): StorageOptions => ({
  directory: config.storageDir,
  ...(config.s3Bucket !== undefined && {
    s3: {
      bucket: config.s3Bucket,
      endpoint: config.s3Endpoint,
      region: config.s3Region,
      credentials:
        config.s3AccessKeyId !== undefined && config.s3SecretAccessKey !== undefined
          ? { accessKeyId: config.s3AccessKeyId, secretAccessKey: config.s3SecretAccessKey }
          : undefined,
      pathStyle: config.s3PathStyle ?? config.s3Endpoint !== undefined,
    },
  }),
});

/** Problems of the address to listen on, by the names of the variables. */
const LISTENER_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT is taken by another program',
  EACCES: 'PORT may not be used by this user',
  EADDRNOTAVAIL: 'HOST is no address of this machine',
  ENOTFOUND: 'HOST is no address of this machine',
};

/**
 * How many connections may wait to be accepted: as many as Linux allows by default (`net.core.somaxconn`). When more come at
 * once, the system drops some, and their clients notice it seconds later.
 */
const BACKLOG = 4096;

/** @returns the port, which the system chose for 0. @throws Error that names the variable */
async function listen(http: Http, { host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  // The framework logs a line for each address; the process logs the one that counts, with everything started.
  const { level } = http.log;
  http.log.level = 'silent';
  try {
    await http.listen({ host, port, backlog: BACKLOG });
  } catch (thrown) {
    const cause = thrown as Error & { code?: string };
    const problem = LISTENER_PROBLEMS[cause.code ?? ''] ?? 'HOST and PORT cannot be used';
    throw new Error(`${problem}: ${cause.message}`, { cause });
  } finally {
    http.log.level = level;
  }
  const address = http.server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Opens the resources of the domains, and brings the database up to date. */
async function openResources(config: Config, options: ServiceOptions, stops: AsyncDisposableStack) {
  const { logger, randomness = systemRandomness, rulebook = RULEBOOK } = options;
  const databaseClock = createServiceClock();
  const clock = options.clock ?? databaseClock;
  const arrivals = createArrivals(clock);
  const bundle = readBundle();
  // Before the database is changed: a folder that cannot be used shows at once.
  const storage = await openStorage({
    ...storageOptions(config),
    onAway: (err) => logger.error({ err }, 'the bucket does not answer: files are refused until it does'),
  });
  stops.defer(() => storage.close());
  const begins = () => logger.info('migrating the database, after other nodes that do');
  const applied = await migrate(config.databaseUrl, begins).catch((cause: unknown) => {
    throw new Error(`the database at DATABASE_URL cannot be used: ${reasonOf(cause)}`, { cause });
  });
  if (applied.length > 0) logger.info({ applied }, 'migrated the database');
  const database = openDatabase({
    url: config.databaseUrl,
    // The error contains the whole client, so only its reason is logged.
    reach: {
      broke: (error) => logger.warn({ reason: reasonOf(error) }, 'a database connection broke'),
      lost: (error) => logger.error({ reason: reasonOf(error) }, 'the database is out of reach'),
      regained: (about) => logger.info(about, 'the database works again'),
    },
    onOtherHistory: () => {
      logger.error('the database has another history than before, so the last changes may be lost');
      options.onOtherHistory?.();
    },
  });
  stops.defer(() => database.close());
  options.observe?.(database);
  const keys = await openIdentityKeys({
    publicKeyUrl: config.idpPublicKeyUrl,
    db: database.prisma,
    clock,
    logger,
  });
  stops.defer(() => keys.close());
  const redis =
    config.redisUrl === undefined
      ? null
      : await openRedis({ url: config.redisUrl, namespace: await identityOf(database), logger });
  stops.defer(() => redis?.close());
  return {
    config,
    database,
    storage,
    clock,
    databaseClock,
    arrivals,
    randomness,
    logger,
    bundle,
    keys,
    rulebook,
    redis,
  };
}

/** Opens the socket channel on the HTTP server. */
const openSocket = (app: App, resources: Awaited<ReturnType<typeof openResources>>): Channel =>
  openChannel<Session>({
    ...resources,
    server: app.http.server,
    origins: app.origins,
    forbidden: authErrors.FORBIDDEN,
    addressOf: addressReader(resources.config.trustProxy),
    rateLimitFactor: resources.config.rateLimitFactor,
    observe: app.metrics.command,
    onHandshake: app.metrics.handshake,
    onCut: app.metrics.cut,
    admit: app.admit,
    connected: app.connections.connected,
    disconnected: app.connections.disconnected,
    bindings: app.bindings,
  });

/** Closes all connections and gives the tasks of this node to others. */
async function leaveNodes(app: App, node: ServiceNode, channel: Channel, logger: FastifyBaseLogger) {
  app.connections.beginShutdown();
  await node.retire();
  app.observers.close();
  await Promise.all([channel.close(), app.live.close()]);
  await app.connections.finishShutdown().catch((error: unknown) => {
    // Other nodes store them, so the stop is clean.
    const said = 'lost connections could not be stored; another node stores them when it finds this one gone';
    if (isOutOfReach(error)) logger.warn(said);
    else logger.error({ err: error }, said);
  });
}

async function start(config: Config, options: ServiceOptions, stops: AsyncDisposableStack): Promise<Service> {
  const startedAt = performance.now();
  const resources = await openResources(config, options, stops);
  const { arrivals, database, databaseClock, logger, rulebook } = resources;
  let started = false;
  let draining = false;
  let node: ServiceNode | undefined;
  let channel: Channel | undefined;
  const ready = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('The service has not started yet.');
    return part;
  };
  const late = { node: () => ready(node), channel: () => ready(channel) };
  const app = await buildApp({
    ...resources,
    ...late,
    isStarted: () => started,
    isDraining: () => draining,
  });
  const configCheck = createConfigCheck({ ...resources, ...late, metrics: app.metrics });
  const sharedChanges = createSharedChanges(database);
  // After the last request. A database out of reach has nothing new that could be announced.
  stops.defer(() =>
    sharedChanges.announce().catch((error: unknown) => {
      if (!isOutOfReach(error)) throw error;
    }),
  );
  stops.defer(() => app.http.close());
  await app.http.ready();

  const joined = await joinNodes({
    database,
    databaseUrl: config.databaseUrl,
    clock: databaseClock,
    life: app.outages.life,
    logger,
    rulesVersion: rulebook.newest,
    doneUntil: arrivals.doneUntil,
    onRevived: () => app.connections.retakeSeats(),
    onForgotten: configCheck.forget,
  });
  node = joined;
  stops.defer(() => joined.stop());
  const opened = openSocket(app, resources);
  channel = opened;
  stops.defer(() => leaveNodes(app, joined, opened, logger));

  // An outage ends when players can come back, so the node listens first; from here on it is in service.
  const port = await listen(app.http, config);
  await joined.begin();
  await app.connections
    .recover(joined.startedAsOnlyNode ? SILENT_MS : DEAD_MS)
    .catch((error: unknown) =>
      logger.error({ err: error }, 'the recovery at the start failed; it is tried again every second'),
    );
  app.matches.startLimits(joined.isInService);
  stops.defer(() => app.matches.stopLimits());
  const tasks = startTasks({
    ...resources,
    app,
    node,
    channel,
    sharedChanges,
    configCheck,
    askPeersEveryMs: options.askPeersEveryMs,
    startedAt,
  });
  stops.defer(() => tasks.stop());

  started = true;
  const stop: Service['stop'] = async (within) => {
    draining = true;
    app.connections.announceStop();
    if (within === undefined) return stops.disposeAsync();
    await sleep(within.drainMs);
    const cutOff = setTimeout(() => {
      logger.warn('the stop takes too long: open requests and database connections are closed now');
      app.http.server.closeAllConnections();
      database.abandon();
    }, within.finishMs * SHARE_OF_WORK);
    await stops.disposeAsync();
    clearTimeout(cutOff);
  };
  return { url: config.baseUrl, port, stop };
}

/**
 * Brings the database up to date, listens, and makes up for an outage.
 * @throws Error when the database, the storage, the address to listen on or, without stored keys, the identity provider cannot
 *   be used
 */
export async function startService(config: Config, options: ServiceOptions): Promise<Service> {
  // Stops the started parts in reverse order, also after one has failed.
  const stops = new AsyncDisposableStack();
  try {
    return await start(config, options, stops);
  } catch (error) {
    // The first error says more than those of the clean-up.
    await stops.disposeAsync().catch(() => undefined);
    throw error;
  }
}
