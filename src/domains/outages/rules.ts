/**
 * Time in which no node was in service. All times are whole milliseconds since 1970, all durations whole milliseconds.
 * Source: docs/lost-time.md.
 */
export interface Outage {
  /** 1, 2, … in the order of discovery. */
  number: number;
  since: number;
  until: number;
}

/** A gap that a running node finds counts as an outage from this length on. */
export const STOOD_STILL_MS = 5000;

/** Evidence from the database when a node comes into service. */
export interface Evidence {
  /** The last time any node was in service; null: none ever was. */
  inServiceUntil: number | null;
  now: number;
  /** The node has just started and found no node in service. */
  isRestart: boolean;
}

/**
 * @returns the outage that ends now; null: none, because the gap is too short. While any node is in service it moves
 * `inServiceUntil`, so there is no gap.
 */
export function outageFrom(evidence: Evidence): Omit<Outage, 'number'> | null {
  const { inServiceUntil, now, isRestart } = evidence;
  if (inServiceUntil === null) return null;
  const downMs = now - inServiceUntil;
  const leastMs = isRestart ? 1 : STOOD_STILL_MS;
  return downMs >= leastMs ? { since: inServiceUntil, until: now } : null;
}

/** The moment from which on, until `at`, the service was there for `ms`: outages do not count. @param outages in order */
export function servedBefore(at: number, ms: number, outages: readonly Outage[]): number {
  let from = at - ms;
  for (const { since, until } of outages.toReversed()) {
    if (until < from) break;
    from -= Math.max(0, Math.min(until, at) - since);
  }
  return from;
}

/** The moment until which, from `at` on, the service is there for `ms`: outages do not count. @param outages in order */
export function servedAfter(at: number, ms: number, outages: readonly Outage[]): number {
  let end = at + ms;
  for (const { since, until } of outages) {
    if (since > end) break;
    end += Math.max(0, until - Math.max(since, at));
  }
  return end;
}

/** The part of a match that says for which outages it was compensated. */
export interface Life {
  createdAt: number;
  endedAt: number | null;
  /** The number of the last outage for which it was compensated; 0: none. */
  lastOutage: number;
}

/** An outage for which a match is to be compensated. */
export interface MissedOutage {
  outage: number;
  /** The part of the outage in which the match existed. */
  downMs: number;
  until: number;
}

/** The outages for which a match was not yet compensated, in order. */
export function missedOutages(
  { createdAt, endedAt, lastOutage }: Life,
  outages: readonly Outage[],
): MissedOutage[] {
  if (endedAt !== null) return [];
  return outages
    .filter(({ number, until }) => number > lastOutage && until > createdAt)
    .map(({ number, since, until }) => ({
      outage: number,
      downMs: until - Math.max(since, createdAt),
      until,
    }));
}
