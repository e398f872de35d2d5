import { readFileSync } from 'node:fs';
import cookie from '@fastify/cookie';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import { catalogue, socketContract } from './contract.ts';
import { auditRoutes, createAudit } from './domains/audit/index.ts';
import {
  authRoutes,
  createAdmission,
  createAuth,
  createDeployGuard,
  guard,
  type IdentityKeys,
  requireGameEvents,
  securityOf,
} from './domains/auth/index.ts';
import { categoryRoutes, createCategories } from './domains/categories/index.ts';
import { connectionsSocket, createConnections } from './domains/connections/index.ts';
import { createLive, liveRoutes } from './domains/live/index.ts';
import { createMaps, mapRoutes } from './domains/maps/index.ts';
import { createMatches, matchesSocket, matchRoutes } from './domains/matches/index.ts';
import { createPairing, pairingSocket } from './domains/pairing/index.ts';
import { createPlayers, playerRoutes } from './domains/players/index.ts';
import { createMapChecks, createPools, poolRoutes } from './domains/pools/index.ts';
import { createQueues, queueRoutes } from './domains/queues/index.ts';
import { createLeaderboards, leaderboardRoutes, ratingsOf } from './domains/ratings/index.ts';
import { createReleases, releaseRoutes } from './domains/releases/index.ts';
import { createReplays, replayRoutes } from './domains/replays/index.ts';
import { createSeasons, seasonRoutes } from './domains/seasons/index.ts';
import {
  createCookies,
  createSessions,
  openProvider,
  routePathOf,
  sessionRoutes,
  signInBar,
} from './domains/sessions/index.ts';
import { registerGauges } from './gauges.ts';
import type { Clock, Randomness } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import { registerDocuments } from './platform/documents/routes.ts';
import { commonErrors } from './platform/errors.ts';
import { healthRoutes } from './platform/http/health.ts';
import { serveMetrics } from './platform/http/metrics.ts';
import { createPublicReads } from './platform/http/reads.ts';
import { createHttp, type Http } from './platform/http/server.ts';
import { createMetrics } from './platform/metrics.ts';
import type { ServiceNode } from './platform/node.ts';
import type { Redis } from './platform/redis.ts';
import type { Channel, Handshake } from './platform/socket/channel.ts';
import type { Storage } from './platform/storage/storage.ts';
import { readinessChecks } from './readiness.ts';

export interface AppOptions {
  config: Config;
  database: Database;
  /** Where plugin releases and replays are kept. */
  storage: Storage;
  clock: Clock;
  randomness: Randomness;
  logger: FastifyBaseLogger;
  keys: IdentityKeys;
  /** What nodes share beside the database; null: there is one node, or the database has to do. */
  redis: Redis | null;
  /** Whether this node is about to stop. */
  isDraining(): boolean;
  /** This process among its peers, once it has joined them. */
  node(): ServiceNode;
  /** The socket channel, once it is open. */
  channel(): Channel;
}

export type App = Awaited<ReturnType<typeof buildApp>>;

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Origins that may use the login cookie and the channel: the website's and our own pages'. */
const ownOrigins = (config: Config): string[] => [
  ...new Set([...config.WEBSITE_ORIGINS, new URL(config.BASE_URL).origin]),
];

/**
 * Puts the product together: the domains in their order, then their routes. Nothing is connected to before
 * the first request, so the documents can be generated without a database.
 */
export async function buildApp(options: AppOptions) {
  const { config, database, storage, clock, randomness, logger, keys, redis, isDraining, node, channel } =
    options;
  const origins = ownOrigins(config);
  /** A message that is lost with a node is no loss: what it says is in the database, and `hello` asks there. */
  const send = (playerGuid: string, event: string, payload: unknown): Promise<void> =>
    connections.send(playerGuid, event, payload).catch((error: unknown) => {
      logger.error({ err: error, event }, 'a message could not be sent');
    });

  const metrics = createMetrics();
  /** Other nodes find everything in the database; this makes them look sooner. */
  const hint = (topics: readonly string[]): void => redis?.hint(topics);

  const audit = createAudit({ database });
  const seasons = createSeasons({ database, clock });
  const categories = createCategories({ database, clock });
  const maps = createMaps({
    database,
    clock,
    logger,
    baseUrl: config.BASE_URL,
    mapHostUrl: config.MAP_HOST_URL,
    mapHostFileHosts: config.MAP_HOST_FILE_HOSTS,
    onAsked: metrics.times(
      'map_host_request_duration_seconds',
      'Requests to the map host, whatever became of them',
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    ),
    version,
  });
  const players = createPlayers({
    database,
    clock,
    adminSubjects: config.ADMIN_SUBJECTS,
    onRolesChanged: () => auth.forgetRoles(),
    onBanned: (playerGuid, { reason }) => connections.banned(playerGuid, reason),
  });
  const auth = createAuth({
    database,
    clock,
    logger,
    keys,
    issuer: config.IDP_ISSUER,
    audience: config.IDP_AUDIENCE,
    adminSubjects: config.ADMIN_SUBJECTS,
  });
  const queues = createQueues({
    database,
    clock,
    onDraining: (queueGuids, reason) => pairing.empty(queueGuids, reason),
  });
  const pools = createPools({ database, clock, maps, onRetired: queues.drainQueuesOfPool });
  const mapChecks = createMapChecks({ database, clock, maps, logger });
  const leaderboards = createLeaderboards({ database, seasonOfQueue: queues.seasonOf });
  const releases = createReleases({ config, database, storage, clock, isDraining });
  const matches = createMatches({
    config,
    database,
    clock,
    randomness,
    logger,
    solitude: () => node().solitude(),
    send: (playerGuid, event, payload) => void channel().send(playerGuid, event, payload),
    onToldElsewhere: hint,
    spectatorsOf: (platformIds) => live.spectatorsOf(platformIds),
    onRequeued: (entry) => pairing.requeued(entry),
  });
  const replays = createReplays({
    config,
    database,
    storage,
    clock,
    logger,
    matches,
    requireAccepted: releases.requireAccepted,
    gameVersions: releases.gameVersions,
    onJudged: metrics.count('replays_published_total', 'Replays that were published, by verdict', 'verdict'),
  });
  const pairing = createPairing({
    config,
    database,
    clock,
    logger,
    matches,
    send,
    requireAccepted: releases.requireAccepted,
    pluginVersions: releases.versions,
    connectedAmong: (playerGuids) => connections.connectedAmong(playerGuids),
    onPaired: metrics.times(
      'pairing_wait_seconds',
      'Time players waited until they were put into a match',
      [1, 2, 5, 10, 20, 30, 60, 120, 300, 600],
    ),
    isDraining,
  });
  const connections = createConnections({
    config,
    database,
    clock,
    logger,
    node,
    channel,
    matches,
    pairing,
    onLeftForNode: (nodeGuid) => hint([nodeGuid]),
    pluginVersions: releases.versions,
  });
  const admit = createAdmission({
    auth,
    database,
    clock,
    pluginVersions: releases.versions,
    runningMatchVersion: async (playerGuid) =>
      (await matches.runningSeatOf(playerGuid))?.pluginVersion ?? null,
    isDraining,
  });

  const live = createLive({
    clock,
    logger,
    redis,
    rateLimitFactor: config.RATE_LIMIT_FACTOR,
    nodeGuid: () => node().nodeGuid,
    matches,
    admit,
    isDraining,
  });

  const http = await createHttp({
    logger,
    clock,
    trustProxy: config.TRUST_PROXY,
    credentialOrigins: origins,
    rateLimitFactor: config.RATE_LIMIT_FACTOR,
    redis,
    reads: createPublicReads({ changes: database.changes, clock }),
    quickAnswerTimes: metrics.requests,
  });
  serveMetrics(http, { metrics, token: config.METRICS_TOKEN });
  await http.register(cookie);
  const cookies = createCookies({ baseUrl: config.BASE_URL });
  const sessions = createSessions({
    database,
    clock,
    logger,
    auth,
    provider: await openProvider(http, {
      authorizeUrl: config.IDP_AUTHORIZE_URL,
      tokenUrl: config.IDP_TOKEN_URL,
      clientId: config.OAUTH_CLIENT_ID,
      clientSecret: config.OAUTH_CLIENT_SECRET,
      callbackUrl: config.OAUTH_CALLBACK_URL,
      version,
    }),
    sessionSecrets: config.SESSION_SECRET,
    issuer: config.IDP_ISSUER,
    origins,
    defaultReturnTo: config.WEBSITE_ORIGINS[0] ?? `${config.BASE_URL}/docs`,
    onFinished: metrics.count('logins_total', 'Logins of browsers, by how they ended', 'outcome'),
  });
  retiredRoutes(http);
  guard(
    http,
    auth,
    { origins, of: cookies.sessionOf, principal: sessions.principal },
    ({ params, headers }, { playerGuid }) =>
      replays.requirePlugin(
        playerGuid,
        String((params as { matchGuid?: unknown }).matchGuid),
        [headers['x-service-plugin-version']].flat()[0],
      ),
  );
  await registerDocuments(http, {
    contract: socketContract,
    catalogue,
    baseUrl: config.BASE_URL,
    version,
    loginCookie: cookies.sessionName,
    securityOf,
    pageTheme: signInBar,
  });
  await http.register(healthRoutes, {
    clock,
    checks: readinessChecks({ database, keys, redis, maps, isDraining }),
  });
  await http.register(releaseRoutes, {
    releases,
    deployGuard: createDeployGuard(config.DEPLOY_SECRET, {
      factor: config.RATE_LIMIT_FACTOR,
      clock,
      redis,
    }),
  });
  await http.register(authRoutes);
  await http.register(sessionRoutes, {
    sessions,
    cookies,
    callbackPath: routePathOf(config.OAUTH_CALLBACK_URL, config.BASE_URL),
    loginUrl: `${config.BASE_URL}/auth/login`,
  });
  await http.register(playerRoutes, {
    players,
    ratingsOf: (playerGuid) => ratingsOf(database.prisma, playerGuid),
  });
  await http.register(seasonRoutes, { seasons });
  await http.register(categoryRoutes, { categories });
  await http.register(mapRoutes, { maps });
  await http.register(poolRoutes, { pools });
  await http.register(queueRoutes, { queues });
  await http.register(leaderboardRoutes, { leaderboards });
  await http.register(matchRoutes, { matches });
  await http.register(liveRoutes, { live });
  await http.register(replayRoutes, { replays });
  await http.register(auditRoutes, { audit });

  const bindings = [connectionsSocket(connections), pairingSocket(pairing), matchesSocket(matches)];
  for (const { contract } of bindings) requireGameEvents(Object.keys(contract));

  registerGauges(metrics, { database, redis, channel, maps, matches, pairing, live });

  return {
    http,
    metrics,
    origins,
    connections,
    live,
    mapChecks,
    matches,
    pairing,
    queues,
    replays,
    sessions,
    releases,
    admit: ({ auth: given }: Handshake) => admit(given),
    bindings,
  };
}

/**
 * The older, generic batch pooling: gone, and its callers are told so (specification, section 4), before
 * anybody looks at what they sent. Registered before the guard and the documents: both leave it out.
 */
function retiredRoutes(http: Http): void {
  const refuse = async (): Promise<never> => {
    throw commonErrors.NOT_IMPLEMENTED();
  };
  for (const path of ['/queue', '/queue/*']) http.all(path, { onRequest: refuse }, refuse);
}
