/**
 * The circuit breaker in front of the map host: after some failures in a row nobody asks for a while, then
 * one question shows whether the host is well again.
 *
 * A failure is a host that cannot be reached, is too slow, answers 5xx or shuts us out; one that answers
 * nonsense about a map is not down. Times are milliseconds since 1970.
 */
export type Breaker =
  | { state: 'closed'; failures: number }
  | { state: 'open'; until: number; openings: number }
  /** One question is out; who else comes waits for what becomes of it, at most until then. */
  | { state: 'half_open'; until: number; openings: number };

export type Admission =
  | { verdict: 'go'; next: Breaker }
  | { verdict: 'wait' }
  | { verdict: 'refuse'; retryInMs: number };

/** Failures in a row that open it. */
const FAILURES = 5;
const FIRST_OPEN_MS = 5_000;
const LONGEST_OPEN_MS = 30_000;
/** A question takes at most so long; one of which nothing was heard by then is given up. */
const PROBE_MS = 15_000;

export const closedBreaker: Breaker = { state: 'closed', failures: 0 };

/** Whether somebody may ask now; `next` is the state once they do. */
export function admit(breaker: Breaker, now: number): Admission {
  if (breaker.state === 'closed') return { verdict: 'go', next: breaker };
  const { until, openings } = breaker;
  if (now >= until) return { verdict: 'go', next: { state: 'half_open', until: now + PROBE_MS, openings } };
  return breaker.state === 'half_open' ? { verdict: 'wait' } : { verdict: 'refuse', retryInMs: until - now };
}

/** The host answered: it is well, whatever was thought of it. */
export const afterAnswer = (): Breaker => closedBreaker;

/** The host failed. Each time it fails its one question it is left alone for twice as long: 5, 10, 20, 30 s. */
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
    // Questions that were out when it opened say nothing new.
    case 'open':
      return breaker;
  }
}
