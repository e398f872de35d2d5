import type { Clock } from './clock.ts';

/**
 * The time by which limits, graces and orders are decided: the database's. Nodes whose machines disagree agree on it,
 * and nobody who sets a machine's clock moves a limit.
 */
export interface ServiceClock extends Clock {
  /**
   * The database said what time it is.
   * @param reading `sentAt` and `receivedAt` by `performance.now()`, between which the database read its clock;
   *   `databaseNow` in milliseconds since 1970, fractions allowed
   */
  observe(reading: Reading): void;
  /** How far the machine's clock is ahead of the database's, whole milliseconds; null before the first reading. */
  machineAheadMs(): number | null;
}

export interface Reading {
  sentAt: number;
  receivedAt: number;
  databaseNow: number;
}

/** A clock that is further off than this is worth a look, though nothing is decided by it. */
const OFF_MS = 1000;
export const isOff = (aheadMs: number): boolean => Math.abs(aheadMs) > OFF_MS;

/** How far the time may go back before it follows: until then it stands still. */
const HELD_MS = 1000;

/**
 * The database's clock, carried on from the last reading by the one clock of the machine that nobody sets. Before the
 * first reading it is the machine's own time.
 * @param machine the machine's time of day; another in tests
 */
export function createServiceClock(machine: Clock = { now: () => Date.now() }): ServiceClock {
  /** What is added to `performance.now()`. */
  let base = machine.now() - performance.now();
  let isMeasured = false;
  let last = 0;
  return {
    now: () => {
      const now = Math.round(performance.now() + base);
      // A correction is no reason to decide something before what was decided already.
      if (now >= last || last - now > HELD_MS) last = now;
      return last;
    },
    observe: ({ sentAt, receivedAt, databaseNow }) => {
      // The truth lies between the two: the first guess is the middle, and later ones move no further than they must.
      const [least, most] = [databaseNow - receivedAt, databaseNow - sentAt];
      base = isMeasured ? Math.min(Math.max(base, least), most) : (least + most) / 2;
      isMeasured = true;
    },
    machineAheadMs: () => (isMeasured ? Math.round(machine.now() - (performance.now() + base)) : null),
  };
}
