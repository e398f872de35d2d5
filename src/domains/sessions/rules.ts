import type { LoginError } from './schemas.ts';

const DAY_MS = 24 * 3_600_000;

/** A login that takes longer has to be begun again. */
export const LOGIN_MS = 10 * 60_000;
/** A session nobody uses ends after this time. */
export const IDLE_MS = 7 * DAY_MS;
/** A session ends after this time, however much it is used. */
export const LONGEST_MS = 30 * DAY_MS;
/** New tokens are asked for this long before the access token ends, while others can go on with the old one. */
const RENEW_AHEAD_MS = 60_000;
/** Of a token that does not last long, not before most of its life is over. */
const RENEW_AHEAD_SHARE = 0.2;
/** Use is written down this often: a session is read with every request, and written once an hour. */
const NOTE_USE_MS = 3_600_000;

/** How long a session lasts, and its access token in it; milliseconds since 1970. */
export interface Lifetime {
  startedAt: number;
  endsAt: number;
  accessExpiresAt: number;
  renewAt: number;
  refreshToken: string | null;
}

/** When a session that is used now ends. Nothing can renew one without a refresh token. */
export const endOf = (
  session: Pick<Lifetime, 'startedAt' | 'accessExpiresAt' | 'refreshToken'>,
  now: number,
): number =>
  Math.min(
    now + IDLE_MS,
    session.startedAt + LONGEST_MS,
    session.refreshToken === null ? session.accessExpiresAt : Number.POSITIVE_INFINITY,
  );

/** Whether it is time to write down that the session was used. */
export const isUseWorthNoting = (session: Lifetime, now: number): boolean =>
  endOf(session, now) - session.endsAt >= NOTE_USE_MS;

/** When a token that is got now should be renewed. */
export const renewalOf = (accessExpiresAt: number, now: number): number =>
  accessExpiresAt - Math.min(RENEW_AHEAD_MS, (accessExpiresAt - now) * RENEW_AHEAD_SHARE);

/** Whether new tokens should be asked for. */
export const isRenewalDue = ({ renewAt, refreshToken }: Lifetime, now: number): boolean =>
  refreshToken !== null && now >= renewAt;

const LONGEST_ADDRESS = 2000;
/** Parsers disagree about a backslash and drop some control characters: an address with one is not what it shows. */
const DECEPTIVE = /[\p{Cc}\\]/u;
/** WHATWG parses `https://@host` as without user info; it has no other use than to deceive. */
const WITH_USER_INFO = /^[^/?#]*:\/*[^/?#]*@/;

/**
 * Where a login may return to: an http(s) address on one of these origins.
 * @returns the address as it goes into `Location`, or null when it is not allowed.
 */
export function readReturnTo(given: string, origins: readonly string[]): string | null {
  if (given.length > LONGEST_ADDRESS || DECEPTIVE.test(given) || !URL.canParse(given)) return null;
  const url = new URL(given);
  // A `blob:` address has the origin of the page that made it.
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '' || WITH_USER_INFO.test(given)) return null;
  return origins.includes(url.origin) ? url.href : null;
}

const ERROR_PARAMETER = 'loginError';

/**
 * An address without the `loginError` of an earlier attempt, which a website takes along that returns to its
 * own location. Every other byte of it is left alone.
 */
export function withoutLoginError(returnTo: string): string {
  const url = new URL(returnTo);
  const pairs = url.search.slice(1).split('&');
  const kept = pairs.filter((pair) => pair.split('=', 1)[0] !== ERROR_PARAMETER);
  if (kept.length === pairs.length) return returnTo;
  url.search = kept.join('&');
  return url.href;
}

/** Adds `loginError` to an address and leaves every other byte of it alone. */
export function withLoginError(returnTo: string, error: LoginError): string {
  const url = new URL(returnTo);
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '');
  url.search = [...kept, `${ERROR_PARAMETER}=${error}`].join('&');
  return url.href;
}

/**
 * Where the routes of an address with this path are declared: base addresses may have a path, which a proxy
 * takes away.
 */
export function routePathOf(address: string, baseUrl: string): string {
  const { pathname } = new URL(address);
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, '');
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname;
}
