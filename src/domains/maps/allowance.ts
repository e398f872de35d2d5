/** What the headers of a map host's answer ask of us. The limits are undocumented, and so are their forms. */

/** A time named by the host beyond this is not believed: one question then shows what it says. */
const LONGEST_PAUSE_MS = 3_600_000;
/** For a 429 that says nothing more. */
const UNNAMED_PAUSE_MS = 5_000;
/** A number of seconds above this is an instant since 1970, one above its thousandfold has milliseconds. */
const INSTANT_SECONDS = 1e9;

const PREFIXES = ['rate-limit', 'ratelimit', 'x-rate-limit', 'x-ratelimit'] as const;

const numberOf = (text: string | null | undefined): number | null => {
  const trimmed = text?.trim() ?? '';
  return /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
};

/** Milliseconds from `now` to a time given as seconds to wait, an instant since 1970, or a date. */
function untilTime(text: string | null | undefined, now: number): number | null {
  const number = numberOf(text);
  if (number !== null) {
    if (number < INSTANT_SECONDS) return number * 1000;
    return (number < INSTANT_SECONDS * 1000 ? number * 1000 : number) - now;
  }
  // A date has letters; without any it takes many a number for a year.
  const date = /[a-z]/i.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN;
  return Number.isNaN(date) ? null : date - now;
}

/** `r` and `t`, or `remaining` and `reset`, of the fields of the `RateLimit` draft; seconds to wait. */
function fromFields(header: string): { remaining: number | null; resetMs: number | null } {
  const field = (names: string) =>
    numberOf(new RegExp(`(?:^|[;,])\\s*(?:${names})\\s*=\\s*(\\d+)`, 'i').exec(header)?.[1]);
  const reset = field('t|reset');
  return { remaining: field('r|remaining'), resetMs: reset === null ? null : reset * 1000 };
}

function used(headers: Headers, now: number): { remaining: number | null; resetMs: number | null } {
  for (const prefix of PREFIXES) {
    const remaining = numberOf(headers.get(`${prefix}-remaining`));
    if (remaining !== null) return { remaining, resetMs: untilTime(headers.get(`${prefix}-reset`), now) };
  }
  return fromFields(headers.get('ratelimit') ?? '');
}

/**
 * How long the host is not to be asked after this answer: `Retry-After` (RFC 9110, 10.2.3: seconds or a
 * date), or the end of a window in which nothing remains (`Rate-Limit-Remaining` and `-Reset`, and the names
 * others give them).
 * @param now milliseconds since 1970, by which instants are measured where the answer has no `Date`
 * @returns milliseconds, 0 for not at all, at most an hour
 */
export function pauseOf(status: number, headers: Headers, now: number): number {
  // The host's instants are of its own clock.
  const date = Date.parse(headers.get('date') ?? '');
  const hostNow = Number.isNaN(date) ? now : date;
  const retryMs = untilTime(headers.get('retry-after'), hostNow);
  const { remaining, resetMs } = used(headers, hostNow);
  const asked = [retryMs, remaining === 0 || status === 429 ? resetMs : null].filter((one) => one !== null);
  if (status === 429 && asked.length === 0) return UNNAMED_PAUSE_MS;
  return Math.ceil(Math.min(LONGEST_PAUSE_MS, Math.max(0, ...asked)));
}
