import { createAudit } from './domains/audit/index.ts';
import { createAdmission, createAuth, createDeployGuard } from './domains/auth/index.ts';
import { createCategories } from './domains/categories/index.ts';
import { createConnections } from './domains/connections/index.ts';
import { createLive } from './domains/live/index.ts';
import { createMaps } from './domains/maps/index.ts';
import { createMatches } from './domains/matches/index.ts';
import { createObservers } from './domains/observers/index.ts';
import { createOutages } from './domains/outages/index.ts';
import { createPairing } from './domains/pairing/index.ts';
import { createPlayers } from './domains/players/index.ts';
import { createMapChecks, createPools } from './domains/pools/index.ts';
import { createPrivacy } from './domains/privacy/index.ts';
import { createQueues, queueErrors } from './domains/queues/index.ts';
import { createLeaderboards } from './domains/ratings/index.ts';
import { createReleases } from './domains/releases/index.ts';
import { createReplays } from './domains/replays/index.ts';
import { createReports } from './domains/reports/index.ts';
import { createSeasons } from './domains/seasons/index.ts';
import { createSessions } from './domains/sessions/index.ts';
import { createStanding } from './domains/standing/index.ts';
import { registerGauges } from './gauges.ts';
import { openHttp, pluginOfReplay, serveRoutes } from './http.ts';
import { createPages, pageLookOf, styleOf } from './pages/index.ts';
import { createAdmissionLine } from './platform/admission-line.ts';
import { createMetrics } from './platform/metrics.ts';
import { readinessChecks } from './readiness.ts';
import { ownOrigins, type Resources, version } from './resources.ts';
import { createRetention } from './retention.ts';

export type App = Awaited<ReturnType<typeof buildApp>>;

/**
 * Opens the domains in their order: who gets what. Nothing is connected to before the first request, so the
 * documents can be generated without a database. Long because it is the table of contents.
 */
export async function buildApp(options: Resources) {
  const { config, clock, redis, node, channel } = options;
  const origins = ownOrigins(config);
  const metrics = createMetrics();
  const http = await openHttp({ ...options, metrics, origins });
  /** The resources of the process for every domain. */
  const base = { ...config, ...options, version, metrics, http, origins };
  /** Other nodes find everything in the database; this makes them look sooner. */
  const hint = (topics: readonly string[]): void => redis?.hint(topics);

  const outages = createOutages({ ...base, onOutage: () => connections.compensateSoon() });
  const audit = createAudit(base);
  const seasons = createSeasons(base);
  const categories = createCategories(base);
  const maps = createMaps(base);
  const players = createPlayers({
    ...base,
    ratingsOf: (playerGuid) => leaderboards.ratingsOf(playerGuid),
    onRolesChanged: () => auth.forgetRoles(),
    onBanned: (playerGuid, { reason }) => connections.banned(playerGuid, reason),
  });
  const leaderboards = createLeaderboards({
    ...base,
    queueErrors,
    seasonOfLadder: (...asked) => queues.seasonOfLadder(...asked),
  });
  const deployGuard = createDeployGuard(config.deploySecret, {
    factor: config.rateLimitFactor,
    clock,
    redis,
  });
  const releases = createReleases({ ...base, deployGuard });
  const auth = createAuth({ ...base, issuer: config.idpIssuer, audience: config.idpAudience });
  const sessions = await createSessions({ ...base, auth, pageStyle: styleOf(options.bundle) });
  const pools = createPools({ ...base, maps, onRetired: (...pool) => queues.drainQueuesOfPool(...pool) });
  const mapChecks = createMapChecks({ ...base, maps });
  const queues = createQueues({ ...base, onDraining: (guids, reason) => pairing.empty(guids, reason) });
  const matches = createMatches({
    ...base,
    exclusivePeriod: () => node().exclusivePeriod(),
    confirm: () => node().confirm(),
    nodeGuid: () => node().nodeGuid,
    outages,
    storePutOff: () => connections.putOff.store(),
    send: (playerGuid, event, payload) => void channel().send(playerGuid, event, payload),
    notifyOtherNodes: hint,
    relayProgress: (...told) => connections.relayProgress(...told),
    isFollowed: (matchGuid) => observers.isFollowed(matchGuid),
    followedVersion: (matchGuid) => observers.versionOf(matchGuid),
    onFollowed: (...shown) => observers.onFollowed(...shown),
    spectatorsOf: (platformIds) => live.spectatorsOf(platformIds),
    onRequeued: (entry) => pairing.requeued(entry),
  });
  const observers = createObservers({ ...base, queues, matches });
  const reports = createReports({ ...base, matches });
  const replays = createReplays({
    ...base,
    matches,
    requireAccepted: releases.requireAccepted,
    gameVersions: releases.gameVersions,
  });
  const standing = createStanding({ ...base, players, reports, replays });
  const line = createAdmissionLine();
  const admit = createAdmission({
    ...base,
    auth,
    line,
    onPutOff: (subject, forMs) => connections.putOff.note(subject, forMs),
    pluginVersions: releases.versions,
  });
  const live = createLive({ ...base, nodeGuid: () => node().nodeGuid, matches, admit });
  const pairing = createPairing({
    ...base,
    outages,
    matches,
    send: (...message) => connections.send(...message),
    storePutOff: () => connections.putOff.store(),
    requireAccepted: releases.requireAccepted,
    pluginVersions: releases.versions,
    connectedAmong: (playerGuids) => connections.connectedAmong(playerGuids),
  });
  const connections = createConnections({
    ...base,
    line,
    outages,
    matches,
    pairing,
    onMessageForNode: (nodeGuid) => hint([nodeGuid]),
    pluginVersions: releases.versions,
  });

  const privacy = createPrivacy({
    ...base,
    players,
    replays,
    forgetPlayers: auth.forgetRoles,
    onErased: (playerGuid) => connections.erased(playerGuid),
  });

  const domains = {
    releases,
    auth,
    sessions,
    players,
    seasons,
    categories,
    maps,
    pools,
    queues,
    leaderboards,
    matches,
    observers,
    reports,
    live,
    replays,
    standing,
    audit,
    privacy,
  };
  const bindings = [connections.binding, pairing.binding, matches.binding];
  await serveRoutes(http, {
    config,
    pageLook: pageLookOf(options.bundle),
    pages: createPages({ ...base, ...domains }),
    guard: [auth, { origins, ...sessions.login }, pluginOfReplay(replays)],
    loginCookie: sessions.cookieName,
    health: { clock, checks: readinessChecks(options, maps) },
    domains: Object.values(domains),
  });
  registerGauges(metrics, { ...options, line });
  return {
    http,
    metrics,
    origins,
    bindings,
    admit,
    connections,
    outages,
    mapChecks,
    pairing,
    retention: createRetention(base),
    ...domains,
  };
}
