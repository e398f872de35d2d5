import type { LoginError } from './schemas.ts';

const DAY_MS = 24 * 3_600_000;

/** A login that takes longer has to be begun again. */
export const LOGIN_MS = 10 * 60_000;
/** A session that is not used ends after this time. */
export const IDLE_MS = 7 * DAY_MS;
/** A session ends after this time, however much it is used. */
export const LONGEST_MS = 30 * DAY_MS;
/** A token is renewed this long before it expires, while other requests still use the old one. */
const RENEW_AHEAD_MS = 60_000;
/** A short-lived token is renewed no earlier than after this share of its life. */
const RENEW_AHEAD_SHARE = 0.2;
/** The last use is stored at most this often: a session is read with every request and written once an hour. */
const NOTE_USE_MS = 3_600_000;

/** How long a session lasts, and its access token in it. */
export interface Lifetime {
  startedAt: Date;
  endsAt: Date;
  accessExpiresAt: Date;
  renewAt: Date;
  refreshToken: string | null;
}

/** When a session that is used now ends. Without a refresh token it ends with its access token. */
export const endOf = (
  session: Pick<Lifetime, 'startedAt' | 'accessExpiresAt' | 'refreshToken'>,
  now: number,
): Date =>
  new Date(
    Math.min(
      now + IDLE_MS,
      session.startedAt.getTime() + LONGEST_MS,
      session.refreshToken === null ? session.accessExpiresAt.getTime() : Number.POSITIVE_INFINITY,
    ),
  );

/** Whether the last use is stored again. */
export const isUseWorthNoting = (session: Lifetime, now: number): boolean =>
  endOf(session, now).getTime() - session.endsAt.getTime() >= NOTE_USE_MS;

/** When a token received now is to be renewed. */
export const renewalOf = (accessExpiresAt: number, now: number): Date =>
  new Date(accessExpiresAt - Math.min(RENEW_AHEAD_MS, (accessExpiresAt - now) * RENEW_AHEAD_SHARE));

/** Whether the token is to be renewed now. */
export const isRenewalDue = ({ renewAt, refreshToken }: Lifetime, now: number): boolean =>
  refreshToken !== null && now >= renewAt.getTime();

const LONGEST_ADDRESS = 2000;
/** Parsers disagree about backslashes and drop some control characters, so such an address may lead to another host than it shows. */
const DECEPTIVE = /[\p{Cc}\\]/u;
/** WHATWG parses `https://@host` as an address without user info; only attackers use that form. */
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
 * Removes the `loginError` of an earlier attempt from an address: a website that passes its own location as `returnTo`
 * sends it along. Every other byte stays.
 */
export function withoutLoginError(returnTo: string): string {
  const url = new URL(returnTo);
  const pairs = url.search.slice(1).split('&');
  const kept = pairs.filter((pair) => pair.split('=', 1)[0] !== ERROR_PARAMETER);
  if (kept.length === pairs.length) return returnTo;
  url.search = kept.join('&');
  return url.href;
}

/** Adds `loginError` to an address. Every other byte stays. */
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
 * The path of a route for a public address. The base address may have a path of its own, which the proxy removes.
 */
export function routePathOf(address: string, baseUrl: string): string {
  const { pathname } = new URL(address);
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, '');
  return `${pathname}/`.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) || '/' : pathname;
}
