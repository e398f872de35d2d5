import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { existing, ServiceError } from '../../platform/errors.ts';
import { noStore } from '../../platform/http/cache.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { Http } from '../../platform/http/server.ts';
import { staffWrite } from '../../platform/http/staff.ts';
import { type Access, accessOf, isStaffOnly } from './access.ts';
import { GAME_TOKEN } from './checks.ts';
import { authErrors } from './errors.ts';
import type { Auth } from './service.ts';

/** RFC 6750, 3: how to authenticate is part of every 401. */
const CHALLENGE = { 'www-authenticate': 'Bearer' };

/** Their answers are not personal. */
const OPEN: readonly Access[] = ['public', 'anyone', 'probe'];

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path of the route's entry in the access table, where its own is a matter of configuration. */
    accessAs?: string;
    /** The route says itself what caches may store, also for somebody with credentials. */
    isOneForAll?: true;
  }
}

/** The login of a browser by a cookie instead of a token. */
export interface CookieLogin {
  /** Origins whose pages may use it for more than reading. */
  origins: readonly string[];
  /** The cookie of a request, or null. */
  of(request: FastifyRequest): string | null;
  /** The player of a cookie. @throws ServiceError without one */
  principal(cookie: string): Promise<Principal>;
}

/** Checks the plugin version of a request. @throws PLUGIN_VERSION_NOT_ACCEPTED */
export type RequirePlugin = (request: FastifyRequest, principal: Principal) => Promise<void>;

/**
 * Guards every route that is registered after this call with its entry in the access table. Credentials are checked before
 * the body is read. Public routes accept a token too, because staff see more there; a bad token is refused. A cookie counts
 * when there is no token. Browsers send it with every request, so on a public route a bad cookie is ignored.
 * @throws Error at registration for a route that is not in the table
 */
export function guard(app: Http, auth: Auth, cookies: CookieLogin, requirePlugin: RequirePlugin): void {
  app.decorateRequest('principal', null);
  app.addHook('onRoute', (route) => {
    const access = accessOfRoute(route);
    if (access === 'internal') {
      // Only requests without a valid secret are counted.
      route.config = { limit: 'refused', ...route.config };
      return;
    }
    const check = enter(auth, cookies, requirePlugin, access);
    route.onRequest = [access === 'public' ? fromCache(auth, check) : check, ...hooks(route.onRequest)];
    if (!route.config?.isOneForAll) route.onSend = [keepPersonal, ...hooks(route.onSend)];
    if (!OPEN.includes(access)) route.config = { ...route.config, isPersonal: true };
    if (access === 'probe') route.config = { ...route.config, limit: 'none' };
    if (isStaffOnly(access) && ![route.method].flat().every(isRead))
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

/** Checks a read of a public route without a promise when the player of its token is cached. */
const fromCache =
  (auth: Auth, check: Hook) =>
  (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    const { authorization } = request.headers;
    const token = authorization !== undefined && isRead(request.method) ? tokenIn(authorization) : undefined;
    const principal = token === undefined ? null : auth.cachedPrincipal(token);
    if (principal === null) {
      check(request, reply).then(() => done(), done);
      return;
    }
    request.principal = principal;
    done();
  };

const enter =
  (auth: Auth, cookies: CookieLogin, requirePlugin: RequirePlugin, access: Access) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    // A probe must work while the database is down.
    if (access === 'probe' || access === 'anyone') return;
    const open = access === 'public';
    if (!open) await noStore(request, reply);
    if (access === 'login') return;
    const token = bearerToken(request);
    const cookie = token === null ? cookies.of(request) : null;
    if (token === null && cookie === null) {
      if (!open) throw authErrors.UNAUTHENTICATED({ headers: CHALLENGE });
      return;
    }
    // Other sites can make a browser send the cookie, but cannot choose the origin (CSRF).
    if (cookie !== null && !isRead(request.method) && !cookies.origins.includes(request.headers.origin ?? ''))
      throw authErrors.ORIGIN_NOT_ALLOWED();
    // The routes look whose login they end, also when there is a token.
    if (cookie !== null && access === 'logout') return;
    const principal =
      token === null
        ? await ofCookie(cookies, cookie ?? '', open)
        : await auth.principal(token).catch(throwOverHttp);
    request.principal = principal;
    if (principal === null || access === 'logout') return;
    if (cookie !== null && !isRead(request.method)) refuseOthersPage(principal.playerGuid, request);
    if (access === 'plugin') {
      if (principal.tokenType !== GAME_TOKEN) throw authErrors.TOKEN_TYPE_NOT_ALLOWED();
      await requirePlugin(request, principal);
    }
    const isGame = principal.tokenType === GAME_TOKEN;
    if (access === 'erasure' && cookie !== null && !isGame && isOf(principal, request)) return;
    if (!isRead(request.method)) await auth.refuseBanned(principal.playerGuid);
    if (isStaffOnly(access)) refuseOutsiders(principal, access);
    if (access === 'erasure' || (access === 'person' && !isOf(principal, request)))
      refuseOutsiders(principal, ADMINS);
  };

async function ofCookie(cookies: CookieLogin, cookie: string, open: boolean): Promise<Principal | null> {
  try {
    return await cookies.principal(cookie);
  } catch (error) {
    if (open && error instanceof ServiceError) return null;
    return throwOverHttp(error);
  }
}

const tokenIn = (authorization: string): string | undefined =>
  /^Bearer +([^ ]+) *$/i.exec(authorization)?.[1];

/** The token of a request; null without credentials. @throws UNAUTHENTICATED for another kind of credentials */
export function bearerToken({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  if (headers.authorization === undefined) return null;
  return existing(tokenIn(headers.authorization), () => authErrors.UNAUTHENTICATED({ headers: CHALLENGE }));
}

/** A refusal of a token in HTTP. One with 401 becomes UNAUTHENTICATED or TOKEN_EXPIRED and keeps its message; others stay. */
export function overHttp(refusal: ServiceError): ServiceError {
  if (refusal.status !== 401) return refusal;
  const { code, message } = refusal;
  const told = code === 'TOKEN_EXPIRED' ? authErrors.TOKEN_EXPIRED : authErrors.UNAUTHENTICATED;
  return told({ message, headers: { 'www-authenticate': 'Bearer error="invalid_token"' }, cause: refusal });
}

function throwOverHttp(error: unknown): never {
  throw error instanceof ServiceError ? overHttp(error) : error;
}

/**
 * @param playerGuid who is signed in; null: nobody
 * @throws UNAUTHENTICATED: the page is of somebody else, who was signed in in this browser when it was opened, or the token is
 */
export function refuseOthersPage(
  playerGuid: string | null,
  { headers, principal }: Pick<FastifyRequest, 'headers' | 'principal'>,
): void {
  const expected = [headers['x-player-guid'], principal?.playerGuid];
  if (playerGuid !== null && expected.some((one) => one !== undefined && one !== playerGuid))
    throw authErrors.UNAUTHENTICATED({
      message: 'Somebody else is signed in in this browser now.',
      headers: CHALLENGE,
    });
}

/** Whether the path is about the caller. */
const isOf = ({ playerGuid }: Principal, { params }: FastifyRequest): boolean =>
  String((params as { playerGuid?: unknown }).playerGuid).toLowerCase() === playerGuid;

const ADMINS = ['role:admin'];

function refuseOutsiders(principal: Principal, roles: readonly string[]): void {
  if (principal.tokenType === GAME_TOKEN)
    throw authErrors.FORBIDDEN({ message: 'A game token is not for staff work. Log in on the website.' });
  if (!roles.some((role) => principal.roles.has(role)))
    throw authErrors.FORBIDDEN({ message: `This needs one of these roles: ${roles.join(', ')}.` });
}

/** Forbids caches to store an answer to somebody with credentials. */
function keepPersonal(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  if (request.principal !== null) reply.header('cache-control', 'no-store');
  done(null, payload);
}
