/**
 * The circuit breaker of the map host: after some failures in a row it stops all requests for a while, then one request
 * (the probe) shows whether the host is well again.
 *
 * A failure is a host that cannot be reached, is too slow, or answers 5xx, 401 or 403. An unusable answer about a map is
 * no failure. Times are milliseconds since 1970.
 */
export type Breaker =
  | { state: 'closed'; failures: number }
  | { state: 'open'; until: number; openings: number }
  /** The probe is under way. Other requests wait for its outcome, until `until` at most. */
  | { state: 'half_open'; until: number; openings: number };

export type Admission =
  | { verdict: 'go'; next: Breaker }
  | { verdict: 'wait' }
  | { verdict: 'refuse'; retryInMs: number };

/** Failures in a row that open it. */
const FAILURES = 5;
const FIRST_OPEN_MS = 5_000;
const LONGEST_OPEN_MS = 30_000;
/** The longest a probe takes. Without an outcome by then another probe is sent. */
const PROBE_MS = 15_000;

export const closedBreaker: Breaker = { state: 'closed', failures: 0 };

/** Whether a request may be sent now; `next` is the state after that. */
export function admit(breaker: Breaker, now: number): Admission {
  if (breaker.state === 'closed') return { verdict: 'go', next: breaker };
  const { until, openings } = breaker;
  if (now >= until) return { verdict: 'go', next: { state: 'half_open', until: now + PROBE_MS, openings } };
  return breaker.state === 'half_open' ? { verdict: 'wait' } : { verdict: 'refuse', retryInMs: until - now };
}

/** The state after an answer. */
export const afterAnswer = (): Breaker => closedBreaker;

/** The state after a failure. Each failed probe doubles the time without requests: 5, 10, 20, 30 s. */
export function afterFailure(breaker: Breaker, now: number): Breaker {
  const open = (openings: number): Breaker => ({
    state: 'open',
    until: now + Math.min(LONGEST_OPEN_MS, FIRST_OPEN_MS * 2 ** (openings - 1)),
    openings,
  });
  switch (breaker.state) {
    case 'closed':
      return breaker.failures + 1 >= FAILURES ? open(1) : { state: 'closed', failures: breaker.failures + 1 };
    case 'half_open':
      return open(breaker.openings + 1);
    // Failures of requests that were under way when it opened do not count.
    case 'open':
      return breaker;
  }
}
