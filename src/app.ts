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
import { createRatings } from './domains/ratings/index.ts';
import { createReleases } from './domains/releases/index.ts';
import { createReplays } from './domains/replays/index.ts';
import { createReports } from './domains/reports/index.ts';
import { createSeasons } from './domains/seasons/index.ts';
import { createSessions } from './domains/sessions/index.ts';
import { createStanding } from './domains/standing/index.ts';
import { registerGauges } from './gauges.ts';
import { openHttp, serveRoutes } from './http.ts';
import { styleOf } from './pages/index.ts';
import { createAdmissionLine } from './platform/admission-line.ts';
import { createMetrics } from './platform/metrics.ts';
import { ownOrigins, type Resources, version } from './resources.ts';
import { createRetention } from './retention.ts';

export type App = Awaited<ReturnType<typeof buildApp>>;

/**
 * Opens the domains in their order: who gets what. Nothing is connected to before the first request, so the documents can
 * be generated without a database. Long because it is the table of contents.
 *
 * A closure calls a domain that is opened further down; none is called before all are open. `node` and `channel` are
 * functions because this process joins its peers, and opens the socket channel, after the domains are open.
 */
export async function buildApp(resources: Resources) {
  const { config, database, clock, logger, storage, redis, bundle, isDraining, node, channel } = resources;
  const { keys, randomness, rulebook, arrivals } = resources;
  const { rateLimitFactor, adminSubjects } = config;
  const origins = ownOrigins(config);
  const metrics = createMetrics();
  const http = await openHttp({ ...resources, metrics, origins });
  const nodeGuid = () => node().nodeGuid;
  /** Other nodes find everything in the database; this makes them look sooner. */
  const hint = (guids: readonly string[]): void => redis?.hint(guids);
  /** Options of nearly every domain. */
  const common = { database, clock, logger };

  const outages = createOutages({ ...resources, onOutage: () => connections.compensateSoon() });
  const audit = createAudit(common);
  const seasons = createSeasons(common);
  const categories = createCategories(common);
  const maps = createMaps({ ...common, ...config, storage, metrics, version });
  const players = createPlayers({
    ...common,
    adminSubjects,
    ratingsOf: (playerGuid) => ratings.ratingsOf(playerGuid),
    onRolesChanged: () => auth.forgetRoles(),
    onBanned: (playerGuid, ban) => connections.banned(playerGuid, ban),
  });
  const seasonOfLadder = (queueGuid: string, asked?: string) => queues.seasonOfLadder(queueGuid, asked);
  const ratings = createRatings({ ...common, queueErrors, seasonOfLadder });
  const deployGuard = createDeployGuard(config.deploySecret, { factor: rateLimitFactor, clock, redis });
  const releases = createReleases({ ...common, config, storage, isDraining, deployGuard });
  const { requireAccepted, gameVersions, versions: pluginVersions } = releases;
  const identityProvider = { keys, issuer: config.idpIssuer, audience: config.idpAudience };
  const auth = createAuth({ ...common, ...identityProvider, adminSubjects });
  const website = { http, origins, metrics, version, pageStyle: styleOf(bundle) };
  const sessions = await createSessions({ ...common, ...website, config, auth });
  const pools = createPools({ ...common, maps, onRetired: (db, pool) => queues.drainQueuesOfPool(db, pool) });
  const mapChecks = createMapChecks({ ...common, maps });
  const queues = createQueues({ ...common, onDraining: (guids, reason) => pairing.empty(guids, reason) });
  const storePutOff = () => connections.putOff.store();
  const matches = createMatches({
    ...common,
    config,
    redis,
    randomness,
    rulebook,
    arrivals,
    metrics,
    outages,
    nodeGuid,
    storePutOff,
    exclusivePeriod: () => node().exclusivePeriod(),
    untilInService: () => node().untilInService(),
    send: (playerGuid, event, payload) => channel().send(playerGuid, event, payload),
    hint,
    relayProgress: (playerGuid, report) => connections.relayProgress(playerGuid, report),
    isFollowed: (matchGuid) => observers.isFollowed(matchGuid),
    followedVersion: (matchGuid) => observers.versionOf(matchGuid),
    onFollowed: (match, kind) => observers.onFollowed(match, kind),
    spectatorsOf: (platformIds) => live.spectatorsOf(platformIds),
    onRequeued: (playerGuid) => pairing.requeued(playerGuid),
  });
  const limited = { rateLimitFactor, metrics, isDraining };
  const observers = createObservers({ ...common, ...limited, http, queues, matches });
  const reports = createReports({ ...common, config, matches, outages });
  const versions = { requireAccepted, gameVersions };
  const replays = createReplays({ ...common, ...versions, config, storage, metrics, matches, outages });
  const standing = createStanding({ ...common, players, reports, replays });
  const line = createAdmissionLine();
  const onPutOff = (subject: string, forMs: number) => connections.putOff.note(subject, forMs);
  const admit = createAdmission({ ...common, isDraining, auth, line, pluginVersions, onPutOff });
  const live = createLive({ ...common, ...limited, redis, nodeGuid, matches, admit });
  const pairing = createPairing({
    ...common,
    config,
    metrics,
    isDraining,
    outages,
    matches,
    requireAccepted,
    pluginVersions,
    storePutOff,
    send: (playerGuids, update) => connections.send(playerGuids, update),
    shareConnections: (db, playerGuids) => connections.shareConnections(db, playerGuids),
  });
  const connections = createConnections({
    ...common,
    config,
    randomness,
    isDraining,
    node,
    channel,
    line,
    outages,
    matches,
    pairing,
    pluginVersions,
    hint,
  });
  const onErased = (playerGuid: string) => connections.erased(playerGuid);
  const privacy = createPrivacy({ ...common, players, replays, forgetPlayers: auth.forgetRoles, onErased });
  const retention = createRetention({ ...common, ...config });

  // In the order of the references.
  const setUp = { releases, auth, sessions, players, seasons, categories, maps, pools, queues };
  const played = { ratings, matches, observers, reports, live, replays, standing, audit, privacy };
  const domains = { ...setUp, ...played };
  await serveRoutes(http, resources, domains);
  registerGauges(metrics, { ...resources, line });
  const bindings = [connections.binding, pairing.binding, matches.binding];
  metrics.commands(bindings.flatMap(({ contract }) => Object.keys(contract)));
  const unrouted = { connections, pairing, outages, mapChecks, retention };
  return { http, metrics, origins, bindings, admit, ...unrouted, ...domains };
}
