/**
 * What an outage is and what it gives to whom: decided here and nowhere else. All times are whole milliseconds since
 * 1970, all durations whole milliseconds. Source: contract, sections 6 (*Restart*) and 8 (*Put off*); docs/lost-time.md.
 */

/** Time in which no node was in service. */
export interface Outage {
  /** 1, 2, … in the order in which they were found. */
  number: number;
  since: number;
  until: number;
}

/** From this long on it is an outage that a node which goes on found nobody in service, itself included. */
export const STOOD_STILL_MS = 5000;

/** What the database knows when a node says that it is in service. */
export interface Evidence {
  /** The last time any node was; null: none ever was. */
  inServiceUntil: number | null;
  now: number;
  /** The node has just started and found nobody in service. */
  isRestart: boolean;
}

/**
 * Whether nobody was in service up to now for so long that it counts. Whatever a single node suffered counts for
 * nothing while another was in service: that one has moved `inServiceUntil` on.
 */
export function outageFrom(evidence: Evidence): Omit<Outage, 'number'> | null {
  const { inServiceUntil, now, isRestart } = evidence;
  if (inServiceUntil === null) return null;
  const downMs = now - inServiceUntil;
  const leastMs = isRestart ? 1 : STOOD_STILL_MS;
  return downMs >= leastMs ? { since: inServiceUntil, until: now } : null;
}

/** What of a match says which outages it has been given back. */
export interface Life {
  createdAt: number;
  endedAt: number | null;
  /** The number of the last one that was; 0: none was. */
  lastOutage: number;
}

/** What a match is given back for one outage. */
export interface MissedOutage {
  outage: number;
  /** What of the outage fell into the match. */
  downMs: number;
  until: number;
}

/** What a match has yet to be given back, in order: each outage once, and exactly as much as it was there for. */
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
