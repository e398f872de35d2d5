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

type OpenOptions = Pick<SessionsOptions, 'database' | 'clock' | 'logger' | 'auth' | 'origins'> & {
  config: Config;
  http: Http;
  metrics: Metrics;
  /** Of this service, for the provider's logs. */
  version: string;
};

/** Opens the domain. */
export async function createSessions({ config, http, metrics, version, ...options }: OpenOptions) {
  await http.register(cookie);
  const cookies = createCookies({ baseUrl: config.BASE_URL });
  const provider = await openProvider(http, {
    authorizeUrl: config.IDP_AUTHORIZE_URL,
    tokenUrl: config.IDP_TOKEN_URL,
    clientId: config.OAUTH_CLIENT_ID,
    clientSecret: config.OAUTH_CLIENT_SECRET,
    callbackUrl: config.OAUTH_CALLBACK_URL,
    version,
  });
  const sessions = createService({
    ...options,
    provider,
    sessionSecrets: config.SESSION_SECRET,
    issuer: config.IDP_ISSUER,
    defaultReturnTo: config.WEBSITE_ORIGINS[0] ?? `${config.BASE_URL}/docs`,
    onFinished: metrics.count('logins_total', 'Logins of browsers, by how they ended', 'outcome'),
  });
  const routes = (http: Http) =>
    http.register(sessionRoutes, {
      sessions,
      cookies,
      callbackPath: routePathOf(config.OAUTH_CALLBACK_URL, config.BASE_URL),
      loginUrl: `${config.BASE_URL}/auth/login`,
    });
  /** How a request shows its login, for the guard. */
  const login = { of: cookies.sessionOf, principal: sessions.principal };
  return { ...sessions, cookieName: cookies.sessionName, login, routes };
}
