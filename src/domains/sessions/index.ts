import cookie from '@fastify/cookie';
import type { Config } from '../../config.ts';
import type { Http } from '../../platform/http/server.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { createCookies } from './cookies.ts';
import { openProvider } from './provider.ts';
import { sessionRoutes } from './routes.ts';
import { routePathOf } from './rules.ts';
import { createService, type SessionsOptions } from './service.ts';

export { sessionErrors } from './errors.ts';
export { signInBar } from './sign-in.ts';
export { endSessionsOfPlayer, expirePendingLogins, expireSessions, loginsOf } from './store.ts';

type OpenOptions = Pick<SessionsOptions, 'database' | 'clock' | 'logger' | 'auth' | 'origins'> & {
  config: Config;
  http: Http;
  metrics: Metrics;
  /** The version of this service, for the provider's logs. */
  version: string;
  /** The stylesheet of all pages. */
  pageStyle: string;
};

/** Opens the domain. */
export async function createSessions({ config, http, metrics, version, pageStyle, ...options }: OpenOptions) {
  await http.register(cookie);
  const cookies = createCookies(config.baseUrl);
  const provider = await openProvider(http, config, version);
  const sessions = createService({
    ...options,
    config,
    provider,
    defaultReturnTo: config.websiteOrigins[0] ?? `${config.baseUrl}/docs`,
    onFinished: metrics.count('logins_total', 'Logins of browsers, by how they ended', 'outcome', [
      'ok',
      'provider_error',
      'LOGIN_FAILED',
    ]),
  });
  const routes = (http: Http) =>
    http.register(sessionRoutes, {
      sessions,
      cookies,
      callbackPath: routePathOf(config.oauthCallbackUrl, config.baseUrl),
      baseUrl: config.baseUrl,
      style: pageStyle,
    });
  /** How a request shows its login, for the guard. */
  const login = { of: cookies.sessionOf, principal: sessions.principal };
  return { ...sessions, cookieName: cookies.sessionName, login, routes };
}
