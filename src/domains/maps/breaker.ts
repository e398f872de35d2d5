/**
 * The circuit breaker of the map host: after some failures in a row it stops all requests for a while, then one request
 * (the probe) shows whether the host answers again.
 *
 * A failure is a host that cannot be reached, is too slow, or answers 5xx, 401 or 403. An unusable answer about a map is
 * no failure. Times are milliseconds since 1970.
 */
export interface Breaker {
  /** `half_open`: the probe is under way, and other requests wait for its outcome. */
  state: 'closed' | 'open' | 'half_open';
  /** In a row. */
  failures: number;
  /** When the next probe may be sent, unless it is closed. */
  until: number;
}

/** Failures in a row that open it. */
const FAILURES = 5;
const FIRST_OPEN_MS = 5_000;
const LONGEST_OPEN_MS = 30_000;
/** The longest a probe takes. Without an outcome by then another probe is sent. */
const PROBE_MS = 15_000;

export const closedBreaker: Breaker = { state: 'closed', failures: 0, until: 0 };

/** Decides about a request now: send it, let it wait for the outcome of the probe, or refuse it. */
export function admit({ state, until }: Breaker, now: number): 'go' | 'wait' | 'refuse' {
  // An end that is further away than the longest pause is from before the clock was set back.
  if (state === 'closed' || now >= until || until > now + LONGEST_OPEN_MS) return 'go';
  return state === 'half_open' ? 'wait' : 'refuse';
}

/** The state after a request was sent: of an open breaker it is the probe. */
export const afterRequest = (breaker: Breaker, now: number): Breaker =>
  breaker.state === 'closed' ? breaker : { ...breaker, state: 'half_open', until: now + PROBE_MS };

/** The state after a failure. Each failed probe doubles the time without requests: 5, 10, 20, 30 s. */
export function afterFailure(breaker: Breaker, now: number): Breaker {
  // Failures of requests that were under way when it opened do not count.
  if (breaker.state === 'open') return breaker;
  const failures = breaker.failures + 1;
  if (failures < FAILURES) return { ...breaker, failures };
  const openMs = Math.min(LONGEST_OPEN_MS, FIRST_OPEN_MS * 2 ** (failures - FAILURES));
  return { state: 'open', failures, until: now + openMs };
}
