import type { Config } from './config.ts';
import { catalogue, httpExamples, httpGroups, socketContract, socketExamples } from './contract.ts';
import { guard, type RequirePlugin, showAccess } from './domains/auth/index.ts';
import type { Replays } from './domains/replays/index.ts';
import { signInBar } from './domains/sessions/index.ts';
import { pageRefusals } from './pages/index.ts';
import { registerDocuments } from './platform/documents/routes.ts';
import type { PageLook } from './platform/documents/socket-page.ts';
import { commonErrors } from './platform/errors.ts';
import { type HealthOptions, healthRoutes } from './platform/http/health.ts';
import { serveMetrics } from './platform/http/metrics.ts';
import { createPublicReads } from './platform/http/reads.ts';
import { createHttp, type Http } from './platform/http/server.ts';
import type { Metrics } from './platform/metrics.ts';
import { type Resources, version } from './resources.ts';

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
  });
  serveMetrics(http, { metrics, token: config.metricsToken });
  return http;
}

interface RoutesOptions {
  config: Config;
  /** The common parts of all pages. */
  pageLook: PageLook;
  /** The pages for people. */
  pages: { routes(http: Http): void };
  /** The arguments of `guard` after the server. */
  guard: Parameters<typeof guard> extends [Http, ...infer Rest] ? Rest : never;
  /** Name of the cookie of a login. */
  loginCookie: string;
  health: HealthOptions;
  /** The domains with routes. */
  domains: readonly { routes(http: Http): PromiseLike<unknown> }[];
}

/** Which plugin may upload a replay: the one of the match that the path names. */
export const pluginOfReplay =
  (replays: Pick<Replays, 'requirePlugin'>): RequirePlugin =>
  ({ params, headers }, { playerGuid }) =>
    replays.requirePlugin(
      playerGuid,
      String((params as { matchGuid?: unknown }).matchGuid),
      [headers['x-service-plugin-version']].flat()[0],
    );

/** Registers all routes. Only routes after the guard look at credentials. */
export async function serveRoutes(http: Http, options: RoutesOptions): Promise<void> {
  const { config, pages, pageLook, loginCookie, health, domains } = options;
  retiredRoutes(http);
  pages.routes(http);
  guard(http, ...options.guard);
  await registerDocuments(http, {
    contract: socketContract,
    catalogue,
    baseUrl: config.baseUrl,
    version,
    loginCookie,
    tags: httpGroups,
    httpExamples,
    socketExamples,
    accessTo: showAccess,
    pageTheme: signInBar,
    pageLook,
  });
  await http.register(healthRoutes, health);
  for (const { routes } of domains) await routes(http);
}

/**
 * The older, generic batch pooling always responds 404 `NOT_IMPLEMENTED` (specification, section 4).
 * Registered before the guard and the documents: both leave it out.
 */
function retiredRoutes(http: Http): void {
  const refuse = async (): Promise<never> => {
    throw commonErrors.NOT_IMPLEMENTED();
  };
  for (const path of ['/queue', '/queue/*'])
    http.all(path, { config: { isWithoutPreflight: true }, onRequest: refuse }, refuse);
}
