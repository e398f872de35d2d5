import type { RouteAccess } from '../../platform/documents/openapi.ts';
import { ROLES, type Role } from '../players/index.ts';

/** The callers that may use a route. A list of roles admits staff with one of these roles, in a browser or a script. */
export type Access =
  | readonly Role[]
  /** Anybody, without credentials. Staff may see more where the route says so. */
  | 'public'
  /** Anybody. Credentials are not looked at, and the answer is the same for everybody. */
  | 'anyone'
  /** Anybody, without a rate limit: probes of a container or a load balancer. */
  | 'probe'
  /** Anybody with a valid token. */
  | 'player'
  /** The person whose `playerGuid` is in the path, with any credentials, or an admin, but not with a game token. */
  | 'person'
  /** The person whose `playerGuid` is in the path, with a login, also while banned, or an admin, but not with a game token. */
  | 'erasure'
  /** A plugin with a game token and an accepted version, or the version its match began with. */
  | 'plugin'
  /** Anybody, for a step of a login, which creates credentials and reads none. */
  | 'login'
  /** Anybody with a login, also a banned player and with an expired token: it only ends logins. */
  | 'logout'
  /** A program with a secret. The route itself checks the secret. */
  | 'internal';

const pooler: Access = ['role:pooler'];
const admin: Access = ['role:admin'];
const producer: Access = ['role:admin', 'role:developer'];
const anyStaff: Access = ROLES;

/**
 * The callers that may use each route. The service does not start when an entry is missing. Roles are exact: an admin is no pooler.
 * Messages of the socket channel are for players: a connection is admitted only with a game token.
 */
export const ACCESS: Readonly<Record<string, Access>> = {
  'GET /health': 'probe',
  'GET /health/ready': 'probe',
  'GET /metrics': 'internal',
  'GET /server/status': 'public',

  'GET /plugin-releases': 'public',
  'GET /plugin-releases/:gameVersion/download': 'public',
  'GET /plugin-releases/:gameVersion/download.sha256': 'public',
  'GET /plugin-releases/:gameVersion/download.minisig': 'public',
  'GET /plugin-releases/:gameVersion/history': anyStaff,
  'PUT /internal/plugin-releases/:gameVersion': 'internal',
  'DELETE /internal/plugin-releases/:gameVersion': 'internal',
  'POST /internal/plugin-releases/:gameVersion/rollback': 'internal',

  'GET /auth/me': 'player',
  'GET /auth/me/standing': 'player',
  'GET /auth/login': 'login',
  'GET /auth/callback': 'login',
  'POST /auth/logout': 'logout',
  'POST /auth/logout-everywhere': 'logout',

  'GET /players': 'public',
  'GET /players/:playerGuid': 'public',
  'GET /players/:playerGuid/matches': 'public',
  'GET /players/:playerGuid/export': 'person',
  'GET /players/:playerGuid/ratings': 'public',
  'POST /players/:playerGuid/erase': 'erasure',
  'GET /players/:playerGuid/roles': admin,
  'PUT /players/:playerGuid/roles': admin,
  'GET /players/:playerGuid/bans': admin,
  'POST /players/:playerGuid/bans': admin,
  'GET /players/:playerGuid/bans/:banGuid': admin,
  'DELETE /players/:playerGuid/bans/:banGuid': admin,
  'GET /players/:playerGuid/standing': admin,

  'GET /seasons': 'public',
  'GET /seasons/:seasonGuid': 'public',
  'POST /seasons': producer,
  'PATCH /seasons/:seasonGuid': producer,

  'GET /map-categories': 'public',
  'GET /map-categories/:categoryGuid': 'public',
  'POST /map-categories': producer,
  'PATCH /map-categories/:categoryGuid': producer,
  'DELETE /map-categories/:categoryGuid': producer,

  'GET /maps/hashes': 'public',
  'GET /maps/playlist': 'public',
  'GET /maps/playlist.bplist': 'public',
  'GET /maps/download/:hash': 'public',
  'GET /maps/lookup': anyStaff,
  'GET /maps/:hash/cover': 'public',

  'GET /pools': 'public',
  'GET /pools/:poolGuid': 'public',
  'GET /pools/:poolGuid/maps': 'public',
  'GET /pools/:poolGuid/playlist.bplist': 'public',
  'GET /pools/:poolGuid/categories/:categoryGuid/playlist.bplist': 'public',
  'GET /pools/:poolGuid/cover.png': 'public',
  'GET /pools/:poolGuid/statistics': 'public',
  'GET /pools/:poolGuid/export.csv': anyStaff,
  'GET /pools/:poolGuid/export.bplist': anyStaff,
  'POST /pools/:poolGuid/import.csv': pooler,
  'POST /pools/:poolGuid/import.bplist': pooler,
  'GET /pools/:poolGuid/reviews': anyStaff,
  'POST /pools': producer,
  'PATCH /pools/:poolGuid': producer,
  'DELETE /pools/:poolGuid': producer,
  'POST /pools/:poolGuid/maps': pooler,
  'POST /pools/:poolGuid/maps/batch': pooler,
  'PATCH /pools/:poolGuid/maps/:mapGuid': pooler,
  'DELETE /pools/:poolGuid/maps/:mapGuid': pooler,
  'POST /pools/:poolGuid/submit': pooler,
  'POST /pools/:poolGuid/reviews': anyStaff,
  'POST /pools/:poolGuid/publish': producer,
  'POST /pools/:poolGuid/retire': producer,
  'POST /pools/:poolGuid/copy': producer,

  'GET /queues': 'public',
  'GET /queues/:queueGuid': 'public',
  'POST /queues': producer,
  'PATCH /queues/:queueGuid': producer,
  'POST /queues/:queueGuid/open': producer,
  'POST /queues/:queueGuid/drain': producer,
  'POST /queues/:queueGuid/close': producer,

  'GET /leaderboards': 'public',
  'GET /leaderboards/:queueGuid': 'public',

  'GET /matches': 'public',
  'GET /matches/:matchGuid': 'public',
  'GET /matches/:matchGuid/log': 'public',
  'GET /matches/:matchGuid/events': 'anyone',
  'GET /events': 'anyone',
  'POST /matches/:matchGuid/abort': admin,
  'POST /matches/:matchGuid/result': admin,
  'POST /matches/:matchGuid/result/preview': admin,
  'POST /matches/:matchGuid/undo': admin,

  'POST /reports': 'player',
  'GET /reports': admin,
  'PATCH /reports/:reportGuid': admin,

  'GET /live/u/:platformId': 'public',
  'POST /matches/:matchGuid/rounds/:roundNumber/replay': 'plugin',
  'GET /matches/:matchGuid/replays': anyStaff,
  'GET /replays/:replayGuid': 'public',
  'GET /replays/:replayGuid/download': 'public',
  'GET /replay-reviews': admin,
  'GET /replay-reviews/:reviewGuid': admin,
  'POST /replay-reviews/:reviewGuid/resolve': admin,

  'GET /audit-log': admin,
  'GET /audit-log/actions': admin,

  'GET /docs': 'public',
  'GET /docs/*': 'public',
  'GET /openapi.json': 'public',
  'GET /socket-docs.json': 'public',
};

/**
 * The callers that may use a route, by its method and its path with `:parameters`; undefined when the table has no entry. HEAD is
 * treated as GET.
 */
export const accessOf = (method: string, path: string): Access | undefined =>
  ACCESS[`${method === 'HEAD' ? 'GET' : method} ${path.replace(/^\/docs\/.*/, '/docs/*')}`];

export const isStaffOnly = (access: Access | undefined): access is readonly Role[] => Array.isArray(access);

/** The access rules that need credentials and no role, in words. */
const WORDS: Readonly<Record<string, string>> = {
  player: 'For everybody with a token or a login.',
  person: 'For the person themselves, with any token or a login, or for an admin without a game token.',
  erasure:
    'For the person themselves with a login, also while banned, or for an admin. A game token is refused.',
  logout: 'For everybody with a login, also when it has expired and for banned players.',
  plugin: 'For a plugin: a game token, and an accepted version in `X-Service-Plugin-Version`.',
};

/** The access rule of a route, in the form of the documents. */
export function showAccess(method: string, path: string): RouteAccess {
  const access = accessOf(method, path);
  if (isStaffOnly(access)) {
    const roles = access.map((role) => `\`${role}\``).join(' or ');
    const words = `Needs ${roles}. A game token is refused.`;
    return { credentials: ['bearer', 'loginCookie'], roles: access, words };
  }
  const words = WORDS[access ?? ''];
  if (words === undefined) return { credentials: [], roles: [], words: '' };
  // A cookie holds no game token.
  return { credentials: access === 'plugin' ? ['bearer'] : ['bearer', 'loginCookie'], roles: [], words };
}
