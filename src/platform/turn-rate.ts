import { performance } from 'node:perf_hooks';

/**
 * The event loop counts as busy when it works for at least this share of the time. Node accepts one connection in each turn
 * of the loop. When thousands come at once and each is let in at once, the others wait too long to be read, and a player who
 * was not read is not put off: the grace is not extended.
 */
const BUSY_SHARE = 0.85;
const MEASURE_EVERY_MS = 50;
/** With fewer arrivals a second the loop is busy with other work, and admitting players later would not help. */
const CROWD_A_SECOND = 120;
/** A crowd ends with fewer than these: while the loop is busy, it reads fewer than come. */
const CROWD_ENDS_A_SECOND = 30;
const CROWD_MEMORY_MS = 500;
/** Unused admissions stay valid for this time, because timers run late in a busy event loop. */
const UNUSED_MS = 500;
/** Nothing is delayed at this pace. */
const MOST_A_SECOND = 1000;
const FEWEST_A_SECOND = 100;
const SLOWER_BY = 0.7;
const FASTER_BY = 1.05;

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
 * How many turns of the line may begin in a second: fewer while a crowd keeps the event loop busy.
 * @param now milliseconds of a monotonic clock
 */
export function createTurnRate(now: () => number, loopShare: () => number) {
  let aSecond = MOST_A_SECOND;
  let measuredAt = now();
  let nextAt = now();
  /** Recent arrivals: about the number within the time of the memory. */
  let lately = 0;
  let isCrowd = false;

  const learn = (): void => {
    const passedMs = now() - measuredAt;
    if (passedMs < MEASURE_EVERY_MS) return;
    measuredAt = now();
    lately *= Math.exp(-passedMs / CROWD_MEMORY_MS);
    const comeASecond = lately * (1000 / CROWD_MEMORY_MS);
    isCrowd = comeASecond >= (isCrowd ? CROWD_ENDS_A_SECOND : CROWD_A_SECOND);
    // Asked each time, because the share is that of the time since.
    const isBusy = loopShare() >= BUSY_SHARE;
    const changed = aSecond * (isBusy && isCrowd ? SLOWER_BY : FASTER_BY);
    aSecond = Math.min(MOST_A_SECOND, Math.max(FEWEST_A_SECOND, changed));
  };

  const isReduced = (): boolean => aSecond < MOST_A_SECOND;

  return {
    aSecond: (): number => aSecond,
    /** Counts an arriving player, admitted or refused. */
    arrived: (): void => {
      learn();
      lately += 1;
    },
    /** How long so many turns take to begin. */
    msFor: (turns: number): number => (turns * 1000) / aSecond,
    /** Whether a turn may begin now. */
    allows: (): boolean => {
      learn();
      return !isReduced() || nextAt <= now();
    },
    /** A turn begins. */
    begin: (): void => {
      if (isReduced()) nextAt = Math.max(nextAt, now() - UNUSED_MS) + 1000 / aSecond;
    },
  };
}
