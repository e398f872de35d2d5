import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { RATES } from '../../platform/limits.ts';
import { authErrors, refuseOthersPage } from '../auth/index.ts';
import type { Cookies } from './cookies.ts';
import { sessionErrors } from './errors.ts';
import { type RefusalPageOptions, refusalPage } from './refusal-page.ts';
import { callbackQuery, loggedOut, loginQuery, redirect } from './schemas.ts';
import type { Sessions } from './service.ts';

const refusals = refusalsOf({ ...authErrors, ...sessionErrors });

interface SessionRoutesOptions extends RefusalPageOptions {
  sessions: Sessions;
  cookies: Cookies;
  /** Path of the callback route. */
  callbackPath: string;
}

export const sessionRoutes: FastifyPluginAsyncZod<SessionRoutesOptions> = async (app, options) => {
  const { sessions, cookies, callbackPath } = options;
  const page = refusalPage(options);

  app.get('/auth/login', {
    // No HEAD: it would begin a login, or use one up.
    exposeHeadRoute: false,
    config: { limit: { name: 'login', rate: RATES.login }, refusalPage: page },
    schema: {
      operationId: 'beginLogin',
      sends: ['Location', 'Set-Cookie'],
      summary: 'Log in with a browser',
      description:
        'Leads over the identity provider back to `returnTo`, with a login cookie. When somebody is not let in, `returnTo` gets `loginError=` `access_denied`, `provider_error`, `insufficient_scope` or `banned`. A browser is refused with a page instead of JSON. `HEAD` is 405: it would begin a login.',
      querystring: loginQuery,
      response: {
        302: redirect.describe('`Location` is the identity provider'),
        ...refusals('VALIDATION_FAILED', 'RETURN_TO_NOT_ALLOWED', 'RATE_LIMITED'),
      },
    },
    handler: async (request, reply) => {
      const { location, state, verifier } = await sessions.begin(request.query.returnTo);
      return cookies.setVerifier(reply, state, verifier).redirect(location);
    },
  });

  app.get(callbackPath, {
    exposeHeadRoute: false,
    config: {
      accessAs: '/auth/callback',
      // Counted apart from `GET /auth/login`.
      limit: { name: 'login-callback', rate: RATES.login },
      refusalPage: page,
    },
    schema: {
      operationId: 'finishLogin',
      sends: ['Location', 'Set-Cookie'],
      summary: 'Come back from the identity provider',
      description:
        'For the identity provider alone. Each login comes back once, in the browser it began in. A browser is refused with a page instead of JSON. `HEAD` is 405: it would use the login up.',
      querystring: callbackQuery,
      response: {
        302: redirect.describe('`Location` is the `returnTo` of the login'),
        ...refusals('VALIDATION_FAILED', 'LOGIN_FAILED', 'RATE_LIMITED'),
      },
    },
    handler: async (request, reply) => {
      const { state } = request.query;
      const { location, cookie } = await sessions.finish(request.query, {
        verifier: cookies.verifierOf(request, state),
        replaced: cookies.sessionOf(request),
      });
      if (cookie !== null) cookies.setSession(reply, cookie);
      return cookies.clearVerifier(reply, state).redirect(location);
    },
  });

  await app.register(logoutRoutes, options);
};

/** The ends of a login. */
const logoutRoutes: FastifyPluginAsyncZod<SessionRoutesOptions> = async (app, { sessions, cookies }) => {
  app.post('/auth/logout', {
    schema: {
      operationId: 'logOut',
      sends: ['Set-Cookie'],
      summary: 'Log this browser out',
      description:
        'Ends the session of the login cookie. Also well when it has ended before. Beside a token only the session of the same person.',
      response: { 204: loggedOut, ...refusals('UNAUTHENTICATED', 'ORIGIN_NOT_ALLOWED') },
    },
    handler: async (request, reply) => {
      const cookie = cookies.sessionOf(request);
      refuseOthersPage(await sessions.playerOf(cookie), request);
      await sessions.end(cookie);
      cookies.clearSession(reply);
    },
  });

  app.post('/auth/logout-everywhere', {
    schema: {
      operationId: 'logOutEverywhere',
      sends: ['Set-Cookie'],
      summary: 'Log every browser out',
      description:
        'Ends all sessions of the caller. Access tokens that somebody has elsewhere go on until they expire.',
      response: { 204: loggedOut, ...refusals('UNAUTHENTICATED', 'ORIGIN_NOT_ALLOWED') },
    },
    handler: async (request, reply) => {
      const { principal } = request;
      const signedIn = await sessions.playerOf(cookies.sessionOf(request));
      if (principal === null) refuseOthersPage(signedIn, request);
      const playerGuid = principal?.playerGuid ?? signedIn;
      await sessions.endAll(playerGuid);
      // Beside a token the cookie may be somebody else's.
      if (signedIn === null || signedIn === playerGuid) cookies.clearSession(reply);
    },
  });
};
