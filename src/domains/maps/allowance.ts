/** Reads the rate-limit headers of the map host. Its limits and their headers are undocumented. */

/** The longest pause. After it one request shows whether the host asks for more. */
const LONGEST_PAUSE_MS = 3_600_000;
/** For a 429 without a time, or with one in the past. */
const UNNAMED_PAUSE_MS = 5_000;
/** From here on a number is an instant in seconds since 1970, from a thousand times this on in milliseconds. */
const INSTANT_SECONDS = 1e9;

const PREFIXES = ['rate-limit', 'ratelimit', 'x-rate-limit', 'x-ratelimit'] as const;

const numberOf = (text: string | null | undefined): number | null => {
  const trimmed = text?.trim() ?? '';
  return /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
};

/** Milliseconds from `now` to a time given as seconds to wait or a date (RFC 9110, 10.2.3); null for anything else. */
function untilRetry(text: string | null, now: number): number | null {
  const seconds = numberOf(text);
  if (seconds !== null) return seconds * 1000;
  // `Date.parse` takes many numbers for a year; a date of HTTP has letters.
  const date = /[a-z]/i.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN;
  return Number.isNaN(date) ? null : date - now;
}

/** Milliseconds from `now` to a time given as seconds to wait, an instant since 1970, or a date. */
function untilReset(text: string | null, now: number): number | null {
  const number = numberOf(text);
  if (number === null || number < INSTANT_SECONDS) return untilRetry(text, now);
  return (number < INSTANT_SECONDS * 1000 ? number * 1000 : number) - now;
}

/** `r` and `t`, or `remaining` and `reset`, of the fields of the `RateLimit` draft; seconds to wait. */
function fromFields(header: string): { remaining: number | null; resetMs: number | null } {
  const field = (names: string) =>
    numberOf(new RegExp(`(?:^|[;,])\\s*(?:${names})\\s*=\\s*(\\d+)`, 'i').exec(header)?.[1]);
  const reset = field('t|reset');
  return { remaining: field('r|remaining'), resetMs: reset === null ? null : reset * 1000 };
}

/** How many requests remain in the host's window, and when it ends. @returns null for a number that the headers do not have */
function windowOf(headers: Headers, now: number): { remaining: number | null; resetMs: number | null } {
  for (const prefix of PREFIXES) {
    const remaining = numberOf(headers.get(`${prefix}-remaining`));
    if (remaining !== null) return { remaining, resetMs: untilReset(headers.get(`${prefix}-reset`), now) };
  }
  return fromFields(headers.get('ratelimit') ?? '');
}

/**
 * The pause that an answer asks for: `Retry-After` (RFC 9110, 10.2.3: seconds or a date), or the end of a window in which
 * no requests remain (`Rate-Limit-Remaining` and `-Reset`, or other names of them).
 * @param now milliseconds since 1970, for an answer without `Date`
 * @returns milliseconds, 0 for no pause, at most an hour
 */
export function pauseOf(status: number, headers: Headers, now: number): number {
  // Instants in the answer are of the clock of the host.
  const date = Date.parse(headers.get('date') ?? '');
  const hostNow = Number.isNaN(date) ? now : date;
  const retryMs = untilRetry(headers.get('retry-after'), hostNow);
  const { remaining, resetMs } = windowOf(headers, hostNow);
  const asked = [retryMs, remaining === 0 || status === 429 ? resetMs : null].filter((one) => one !== null);
  // `-Infinity` when no time is asked for.
  const askedMs = Math.max(...asked);
  if (status === 429 && askedMs < 0) return UNNAMED_PAUSE_MS;
  return Math.ceil(Math.min(LONGEST_PAUSE_MS, Math.max(0, askedMs)));
}
