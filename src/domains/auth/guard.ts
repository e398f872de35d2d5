import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ServiceError } from '../../platform/errors.ts';
import { noStore } from '../../platform/http/cache.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { Http } from '../../platform/http/server.ts';
import { staffWrite } from '../../platform/http/staff.ts';
import { releaseErrors } from '../releases/index.ts';
import { type Access, accessOf } from './access.ts';
import { GAME_TOKEN } from './checks.ts';
import { authErrors } from './errors.ts';
import type { Auth } from './service.ts';

/** RFC 6750, 3: how to authenticate is part of every 401. */
const CHALLENGE = { 'www-authenticate': 'Bearer' };

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path of the route's entry in the access table, where its own is a matter of configuration. */
    accessAs?: string;
  }
}

/** How a browser says who it is instead of with a token. */
export interface CookieLogin {
  /** Origins whose pages may use it for more than reading. */
  origins: readonly string[];
  /** The cookie of a request, or null. */
  of(request: FastifyRequest): string | null;
  /** Whom it speaks for. @throws ServiceError when for nobody */
  principal(cookie: string): Promise<Principal>;
}

const NO_COOKIES: CookieLogin = {
  origins: [],
  of: () => null,
  principal: async () => {
    throw authErrors.UNAUTHENTICATED();
  },
};

/** Judges the plugin version of a request. @throws PLUGIN_VERSION_NOT_ACCEPTED */
export type RequirePlugin = (request: FastifyRequest, principal: Principal) => Promise<void>;

const NO_PLUGINS: RequirePlugin = async () => {
  throw releaseErrors.PLUGIN_VERSION_NOT_ACCEPTED();
};

/**
 * Puts every route that is registered from here on behind its entry in the access table. Credentials are
 * judged before the body is read. A route open to everybody takes a token too, for what staff may see
 * there; a bad one is refused instead of quietly treated as nobody. A browser's cookie counts where there is
 * no token. It comes along unasked, so on a route open to everybody a bad one is nobody's.
 * @throws Error at registration for a route that is not in the table.
 */
export function guard(
  app: Http,
  auth: Auth,
  cookies: CookieLogin = NO_COOKIES,
  requirePlugin: RequirePlugin = NO_PLUGINS,
): void {
  app.decorateRequest('principal', null);
  app.addHook('onRoute', (route) => {
    const access = accessOfRoute(route);
    if (access.kind === 'internal') {
      // Who has the deploy secret is no reader of the address it comes from.
      route.config = { limit: 'refused', ...route.config };
      return;
    }
    const check = enter(auth, cookies, requirePlugin, access);
    route.onRequest = [access.kind === 'public' ? atOnce(auth, check) : check, ...hooks(route.onRequest)];
    route.onSend = [keepPersonal, ...hooks(route.onSend)];
    if (!['public', 'probe'].includes(access.kind)) route.config = { ...route.config, isPersonal: true };
    if (access.kind === 'probe') route.config = { ...route.config, limit: 'none' };
    if (access.kind === 'staff' && ![route.method].flat().every(isRead))
      route.config = { ...staffWrite, ...route.config };
  });
}

const hooks = <H>(given: H | H[] | undefined): H[] => (given === undefined ? [] : ([given].flat() as H[]));

function accessOfRoute({ method, url, config }: RouteOptions): Access {
  const methods = [method].flat();
  const [access, ...others] = methods.map((one) => accessOf(one, config?.accessAs ?? url));
  if (access === undefined || others.some((other) => other !== access))
    throw new Error(`The access table has no single entry for ${methods.join(', ')} ${url}.`);
  return access;
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Reads of what everybody may read, by somebody who was seen a moment ago: there is nothing to wait for. */
const atOnce =
  (auth: Auth, check: Hook) =>
  (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { authorization } = request.headers;
    const token = authorization !== undefined && isRead(request.method) ? tokenIn(authorization) : undefined;
    const principal = token === undefined ? null : auth.principalNow(token);
    if (principal === null) {
      check(request, reply).then(() => done(), done);
      return;
    }
    request.principal = principal;
    done();
  };

const enter =
  (auth: Auth, cookies: CookieLogin, requirePlugin: RequirePlugin, access: Access) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // A probe asks about this process; who asks would be looked up in what may be down.
    if (access.kind === 'probe') return;
    const open = access.kind === 'public';
    if (!open) await noStore(request, reply);
    if (access.kind === 'login') return;
    const token = bearerToken(request);
    const cookie = token === null ? cookies.of(request) : null;
    if (token === null && cookie === null) {
      if (!open) throw authErrors.UNAUTHENTICATED({ headers: CHALLENGE });
      return;
    }
    // A cookie comes along with what other sites make a browser send; their pages cannot choose the origin.
    if (cookie !== null && !isRead(request.method) && !cookies.origins.includes(request.headers.origin ?? ''))
      throw authErrors.ORIGIN_NOT_ALLOWED();
    if (cookie !== null && access.kind === 'logout') return;
    const principal =
      token === null
        ? await ofCookie(cookies, cookie ?? '', open)
        : await auth.principal(token).catch(refuseOverHttp);
    request.principal = principal;
    if (principal === null || access.kind === 'logout') return;
    if (access.kind === 'plugin') {
      if (principal.tokenType !== GAME_TOKEN) throw authErrors.TOKEN_TYPE_NOT_ALLOWED();
      await requirePlugin(request, principal);
    }
    if (!isRead(request.method)) await auth.refuseBanned(principal.playerGuid);
    if (access.kind === 'staff') refuseOutsiders(principal, access.roles);
  };

async function ofCookie(cookies: CookieLogin, cookie: string, open: boolean): Promise<Principal | null> {
  try {
    return await cookies.principal(cookie);
  } catch (error) {
    if (open && error instanceof ServiceError) return null;
    return refuseOverHttp(error);
  }
}

const tokenIn = (authorization: string): string | undefined =>
  /^Bearer +([^ ]+) *$/i.exec(authorization)?.[1];

/** The token of the request; null when it names no credentials. @throws UNAUTHENTICATED for any other kind. */
export function bearerToken({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  if (headers.authorization === undefined) return null;
  const token = tokenIn(headers.authorization);
  if (token === undefined) throw authErrors.UNAUTHENTICATED({ headers: CHALLENGE });
  return token;
}

/** Over HTTP a token is good, expired, or as good as none; why exactly stays in the message. */
function refuseOverHttp(error: unknown): never {
  if (!(error instanceof ServiceError) || error.status !== 401) throw error;
  const { code, message } = error;
  const refusal = code === 'TOKEN_EXPIRED' ? authErrors.TOKEN_EXPIRED : authErrors.UNAUTHENTICATED;
  throw refusal({ message, headers: { 'www-authenticate': 'Bearer error="invalid_token"' }, cause: error });
}

function refuseOutsiders(principal: Principal, roles: readonly string[]): void {
  if (principal.tokenType === GAME_TOKEN)
    throw authErrors.FORBIDDEN({ message: 'A game token is not for staff work. Log in on the website.' });
  if (!roles.some((role) => principal.roles.has(role)))
    throw authErrors.FORBIDDEN({ message: `This needs one of these roles: ${roles.join(', ')}.` });
}

/**
 * What somebody got with credentials is kept in no cache, even where everybody gets an answer. Without a
 * promise: it runs for every answer.
 */
function keepPersonal(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  if (request.principal !== null) reply.header('cache-control', 'no-store');
  done(null, payload);
}
