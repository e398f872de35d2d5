import { systemClock } from './clock.ts';

/** The time of the database, which decides limits and graces. It does not depend on the clocks of the machines. */
export type ServiceClock = ReturnType<typeof createServiceClock>;

export interface Reading {
  /** By `performance.now()`; the database read its clock between this and `receivedAt`. */
  sentAt: number;
  receivedAt: number;
  /** Milliseconds since 1970, fractions allowed. */
  databaseNow: number;
}

/** Operators are warned about a machine's clock that differs by more than this. */
const OFF_MS = 1000;
export const isOff = (aheadMs: number): boolean => Math.abs(aheadMs) > OFF_MS;

/** The clock stands still instead of going back, unless it would have to go back further than this. */
const HELD_MS = 1000;

/**
 * Continues the last reading of the database's clock by the monotonic clock of the machine. Before the first reading
 * it is the time of the machine.
 * @param machine the machine's time of day; replaced in tests
 */
export function createServiceClock(machine = systemClock) {
  /** Milliseconds that are added to `performance.now()`. */
  let base = machine.now() - performance.now();
  let isMeasured = false;
  let last = 0;
  return {
    now: () => {
      const now = Math.round(performance.now() + base);
      if (now >= last || last - now > HELD_MS) last = now;
      return last;
    },
    /** Adjusts the clock to a reading of the database's clock. */
    observe: ({ sentAt, receivedAt, databaseNow }: Reading) => {
      // The true base is between these two. The first estimate is the middle; later ones change as little as possible.
      const [least, most] = [databaseNow - receivedAt, databaseNow - sentAt];
      base = isMeasured ? Math.min(Math.max(base, least), most) : (least + most) / 2;
      isMeasured = true;
    },
    /** How far the machine's clock is ahead of the database's, whole milliseconds; 0 before the first reading. */
    machineAheadMs: () => Math.round(machine.now() - (performance.now() + base)),
  };
}
