import type { Role } from '../players/index.ts';

/** Who may use a route. */
export type Access =
  /** Anybody, without credentials; staff may see more where the route says so. */
  | { kind: 'public' }
  /** Anybody, without a rate limit: probes of a container or a load balancer. */
  | { kind: 'probe' }
  /** Anybody with a valid token. */
  | { kind: 'player' }
  /** A plugin with a game token and an accepted version, or the one its match began with. */
  | { kind: 'plugin' }
  /** Anybody with one of these roles, in a browser or a script. */
  | { kind: 'staff'; roles: readonly [Role, ...Role[]] }
  /** A step of a login: it creates credentials and reads none. */
  | { kind: 'login' }
  /** Anybody with a login, also a banned player and with an expired token: it only ends logins. */
  | { kind: 'logout' }
  /** Players with a connection to the socket channel. */
  | { kind: 'game' }
  /** Protected by a secret that the route checks itself. */
  | { kind: 'internal' };

const everybody: Access = { kind: 'public' };
const probe: Access = { kind: 'probe' };
const player: Access = { kind: 'player' };
const login: Access = { kind: 'login' };
const logout: Access = { kind: 'logout' };
const game: Access = { kind: 'game' };
const plugin: Access = { kind: 'plugin' };
const internal: Access = { kind: 'internal' };
const staff = (...roles: [Role, ...Role[]]): Access => ({ kind: 'staff', roles });

const pooler = staff('role:pooler');
const admin = staff('role:admin');
const producer = staff('role:admin', 'role:developer');
const anyStaff = staff('role:pooler', 'role:admin', 'role:developer');

/**
 * Who may use each route and each message of the socket channel. The service does not start when an entry is missing. Roles
 * are exact: an admin is no pooler.
 */
export const ACCESS: Readonly<Record<string, Access>> = {
  'GET /health': probe,
  'GET /health/ready': probe,
  'GET /metrics': internal,
  'GET /server/status': everybody,

  'GET /plugin-releases': everybody,
  'GET /plugin-releases/:gameVersion/download': everybody,
  'GET /plugin-releases/:gameVersion/download.sha256': everybody,
  'GET /plugin-releases/:gameVersion/download.minisig': everybody,
  'GET /plugin-releases/:gameVersion/history': anyStaff,
  'PUT /internal/plugin-releases/:gameVersion': internal,
  'DELETE /internal/plugin-releases/:gameVersion': internal,
  'POST /internal/plugin-releases/:gameVersion/rollback': internal,

  'GET /auth/me': player,
  'GET /auth/login': login,
  'GET /auth/callback': login,
  'POST /auth/logout': logout,
  'POST /auth/logout-everywhere': logout,

  'GET /players': everybody,
  'GET /players/:playerGuid': everybody,
  'GET /players/:playerGuid/matches': everybody,
  'GET /players/:playerGuid/roles': admin,
  'PUT /players/:playerGuid/roles': admin,
  'GET /players/:playerGuid/bans': admin,
  'POST /players/:playerGuid/bans': admin,
  'GET /players/:playerGuid/bans/:banGuid': admin,
  'DELETE /players/:playerGuid/bans/:banGuid': admin,

  'GET /seasons': everybody,
  'GET /seasons/:seasonGuid': everybody,
  'POST /seasons': producer,
  'PATCH /seasons/:seasonGuid': producer,

  'GET /map-categories': everybody,
  'GET /map-categories/:categoryGuid': everybody,
  'POST /map-categories': producer,
  'PATCH /map-categories/:categoryGuid': producer,
  'DELETE /map-categories/:categoryGuid': producer,

  'GET /maps/hashes': everybody,
  'GET /maps/playlist': everybody,
  'GET /maps/playlist.bplist': everybody,
  'GET /maps/download/:hash': everybody,

  'GET /pools': everybody,
  'GET /pools/:poolGuid': everybody,
  'GET /pools/:poolGuid/maps': everybody,
  'GET /pools/:poolGuid/playlist.bplist': everybody,
  'GET /pools/:poolGuid/categories/:categoryGuid/playlist.bplist': everybody,
  'GET /pools/:poolGuid/cover.png': everybody,
  'GET /pools/:poolGuid/statistics': anyStaff,
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

  'GET /queues': everybody,
  'GET /queues/:queueGuid': everybody,
  'POST /queues': producer,
  'PATCH /queues/:queueGuid': producer,
  'POST /queues/:queueGuid/open': producer,
  'POST /queues/:queueGuid/drain': producer,
  'POST /queues/:queueGuid/close': producer,

  'GET /leaderboards/:queueGuid': everybody,

  'GET /matches': everybody,
  'GET /matches/:matchGuid': everybody,
  'GET /matches/:matchGuid/log': everybody,
  'POST /matches/:matchGuid/abort': admin,
  'POST /matches/:matchGuid/result': admin,
  'POST /matches/:matchGuid/undo': admin,

  'GET /live/u/:platformId': everybody,
  'POST /matches/:matchGuid/rounds/:roundNumber/replay': plugin,
  'GET /replays/:replayGuid': everybody,
  'GET /replays/:replayGuid/download': everybody,
  'GET /replay-reviews': admin,
  'POST /replay-reviews/:reviewGuid/resolve': admin,

  'GET /audit-log': admin,

  'EVENT hello': game,
  'EVENT joinQueue': game,
  'EVENT leaveQueue': game,
  'EVENT joinMatch': game,
  'EVENT discardMaps': game,
  'EVENT selectMap': game,
  'EVENT setReady': game,
  'EVENT submitScore': game,
  'EVENT forfeit': game,
  'EVENT getMatchState': game,

  'GET /docs': everybody,
  'GET /docs/*': everybody,
  'GET /openapi.json': everybody,
  'GET /socket-docs.json': everybody,
};

/** A path and the wildcards that cover it, the longest first. */
function covering(path: string): string[] {
  const parts = path.split('/');
  const wildcards = parts.map((_, index) => `${parts.slice(0, index).join('/')}/*`).reverse();
  return [path, ...wildcards];
}

/**
 * Who may use a route, by its method and its path with `:parameters`; undefined when the table has no entry. HEAD is
 * treated as GET.
 */
export function accessOf(method: string, path: string): Access | undefined {
  const asked = method === 'HEAD' ? 'GET' : method;
  for (const known of covering(path)) {
    const access = ACCESS[`${asked} ${known}`];
    if (access !== undefined) return access;
  }
  return undefined;
}

/**
 * Checks that the table has every message of the socket channel, for players in the game.
 * @throws Error for another message
 */
export function requireGameEvents(events: Iterable<string>): void {
  for (const event of events) {
    if (ACCESS[`EVENT ${event}`]?.kind !== 'game')
      throw new Error(`The access table has no entry for the socket event ${event}.`);
  }
}

/** The kinds of credentials that a route accepts. */
export function securityOf(method: string, path: string): readonly ('bearer' | 'loginCookie')[] {
  const access = accessOf(method, path);
  // A cookie holds no game token.
  if (access?.kind === 'plugin') return ['bearer'];
  const asks = access !== undefined && ['player', 'staff', 'logout'].includes(access.kind);
  return asks ? ['bearer', 'loginCookie'] : [];
}
