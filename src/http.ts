import {
  catalogue,
  httpExamples,
  httpGroups,
  httpParameters,
  socketContract,
  socketExamples,
} from './contract.ts';
import { type Auth, guard, type RequirePlugin, showAccess } from './domains/auth/index.ts';
import type { Replays } from './domains/replays/index.ts';
import { type createSessions, signInBar } from './domains/sessions/index.ts';
import { createPages, type PageServices, pageLookOf, pageRefusals } from './pages/index.ts';
import { registerDocuments } from './platform/documents/routes.ts';
import { commonErrors } from './platform/errors.ts';
import { healthRoutes } from './platform/http/health.ts';
import { serveMetrics } from './platform/http/metrics.ts';
import { createPublicReads } from './platform/http/reads.ts';
import { createHttp, type Http } from './platform/http/server.ts';
import type { Metrics } from './platform/metrics.ts';
import { readinessChecks } from './readiness.ts';
import { ownOrigins, type Resources, version } from './resources.ts';

/** The address of an older API that this service does not have. */
const RETIRED = '/queue';

/** The HTTP server, before any route is registered. */
export async function openHttp(
  options: Pick<Resources, 'config' | 'database' | 'clock' | 'logger' | 'redis' | 'bundle'> & {
    metrics: Metrics;
    origins: readonly string[];
  },
): Promise<Http> {
  const { config, database, clock, logger, redis, bundle, metrics, origins } = options;
  const http = await createHttp({
    logger,
    clock,
    trustProxy: config.trustProxy,
    credentialOrigins: origins,
    rateLimitFactor: config.rateLimitFactor,
    redis,
    reads: createPublicReads({ changes: database.changes, clock }),
    onQuickResponse: metrics.request,
    pages: pageRefusals({ bundle, baseUrl: config.baseUrl }),
    refusalAt: (url) => (url.startsWith(`${RETIRED}/`) ? commonErrors.NOT_IMPLEMENTED() : undefined),
  });
  serveMetrics(http, { metrics, token: config.metricsToken });
  return http;
}

interface HasRoutes {
  routes(http: Http): PromiseLike<unknown>;
}

/** The domains with routes, and those among them that the guard, the pages and the check of readiness ask. */
type Domains = Record<string, HasRoutes> &
  Omit<PageServices, 'clock' | 'baseUrl'> & {
    auth: Auth;
    replays: Replays;
    sessions: Awaited<ReturnType<typeof createSessions>>;
  };

/** Which plugin may upload a replay: the one of the match that the path names. */
const pluginOfReplay =
  (replays: Replays): RequirePlugin =>
  ({ params, headers }, { playerGuid }) =>
    replays.requirePlugin(
      playerGuid,
      String((params as { matchGuid?: unknown }).matchGuid),
      [headers['x-service-plugin-version']].flat()[0],
    );

/** Registers all routes. Only routes after the guard look at credentials. */
export async function serveRoutes(http: Http, resources: Resources, domains: Domains): Promise<void> {
  const { config, clock, bundle } = resources;
  const { auth, maps, replays, sessions } = domains;
  const { baseUrl } = config;
  retiredRoutes(http);
  createPages({ clock, baseUrl, bundle, ...domains }).routes(http);
  guard(http, auth, { origins: ownOrigins(config), ...sessions.login }, pluginOfReplay(replays));
  await registerDocuments(http, {
    contract: socketContract,
    catalogue,
    baseUrl,
    version,
    loginCookie: sessions.cookieName,
    tags: httpGroups,
    httpExamples,
    parameters: httpParameters,
    socketExamples,
    accessTo: showAccess,
    pageTheme: signInBar,
    pageLook: pageLookOf(bundle),
  });
  await http.register(healthRoutes, { clock, checks: readinessChecks(resources, maps) });
  for (const { routes } of Object.values<HasRoutes>(domains)) await routes(http);
}

/**
 * The retired address and everything below it answer 404 with the code `NOT_IMPLEMENTED`. Registered before the guard and
 * the documents, so that both leave them out.
 */
function retiredRoutes(http: Http): void {
  const refuse = async (): Promise<never> => {
    throw commonErrors.NOT_IMPLEMENTED();
  };
  for (const path of [RETIRED, `${RETIRED}/*`])
    http.all(path, { config: { isWithoutPreflight: true }, onRequest: refuse }, refuse);
}
