const HOUR_MS = 3_600_000;

/** How long an offence counts: it doubles the next time-out, and makes a second early leave a loss. */
export const MEMORY_MS = 14 * 24 * HOUR_MS;
const LONGEST_MS = 24 * HOUR_MS;

/**
 * Length of a queue time-out in milliseconds: the first one doubled for each earlier offence in 14 days, at
 * most a day. With a first one of 5 min: 5, 10, 20, 40, 80, 160, 320, 640, 1280 min, then 1440 min.
 */
export const timeOutMs = (firstMs: number, earlierOffences: number): number =>
  Math.min(LONGEST_MS, firstMs * 2 ** earlierOffences);
