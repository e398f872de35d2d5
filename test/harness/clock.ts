import type { Clock } from '../../src/platform/clock.ts';

/** A clock that stands still until it is moved by hand. */
export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
  set(milliseconds: number): void;
}

export function manualClock(start = Date.parse('2026-03-01T12:00:00.000Z')): ManualClock {
  let now = start;
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds;
    },
    set: (milliseconds) => {
      now = milliseconds;
    },
  };
}
