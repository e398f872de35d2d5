import { performance } from 'node:perf_hooks';

/**
 * From this share of its time on the event loop is busy. Node accepts one connection in each turn of the loop: if it let
 * in everybody whom it reads, thousands who come at once would wait unread, and lose what is kept for those who are seen.
 */
const BUSY_SHARE = 0.85;
const MEASURE_EVERY_MS = 50;
/** Nothing is delayed at this pace. */
const MOST_A_SECOND = 1000;
const FEWEST_A_SECOND = 100;
const SLOWER_BY = 0.7;
const FASTER_BY = 1.1;

/** The share of the time since the last call in which the event loop of this process was busy. */
export function measureLoop(): () => number {
  let last = performance.eventLoopUtilization();
  return () => {
    const before = last;
    last = performance.eventLoopUtilization();
    return performance.eventLoopUtilization(last, before).utilization;
  };
}

/**
 * How many turns of the line may begin in a second: fewer while the event loop is busy.
 * @param now milliseconds of a clock that nobody sets
 */
export function createPace(now: () => number, loopShare: () => number) {
  let aSecond = MOST_A_SECOND;
  let measuredAt = now();
  let nextAt = now();

  const learn = (): void => {
    if (now() - measuredAt < MEASURE_EVERY_MS) return;
    measuredAt = now();
    const changed = aSecond * (loopShare() < BUSY_SHARE ? FASTER_BY : SLOWER_BY);
    aSecond = Math.min(MOST_A_SECOND, Math.max(FEWEST_A_SECOND, changed));
  };

  const isReduced = (): boolean => aSecond < MOST_A_SECOND;

  return {
    aSecond: (): number => aSecond,
    isReduced,
    /** How long so many turns take to begin. */
    msFor: (turns: number): number => (turns * 1000) / aSecond,
    /** Whether a turn may begin now. */
    allows: (): boolean => {
      learn();
      return !isReduced() || nextAt <= now();
    },
    /** A turn begins. */
    begin: (): void => {
      // Only what the last moment left unused is used later.
      if (isReduced()) nextAt = Math.max(nextAt, now() - MEASURE_EVERY_MS) + 1000 / aSecond;
    },
  };
}
