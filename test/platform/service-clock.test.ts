import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createServiceClock } from '../../src/platform/service-clock.ts';

/** A machine whose two clocks are moved by hand: the monotonic one and the time of day. */
let elapsed: number;
let timeOfDay: number;
beforeEach(() => {
  elapsed = 5000.25;
  timeOfDay = 1_000_000;
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed);
});
afterEach(() => void vi.restoreAllMocks());

const clockOf = () => createServiceClock({ now: () => timeOfDay });
const pass = (ms: number): void => {
  elapsed += ms;
  timeOfDay += ms;
};

describe('the time of the service', () => {
  test('is the machine’s before the first reading of the database’s clock', () => {
    const clock = clockOf();
    expect(clock.now()).toBe(1_000_000);
    expect(clock.machineAheadMs()).toBe(0);
  });

  test('is the database’s in the middle of the round trip, in whole milliseconds', () => {
    const clock = clockOf();
    const sentAt = elapsed;
    pass(40);
    clock.observe({ sentAt, receivedAt: elapsed, databaseNow: 980_000.3 });
    expect(clock.now()).toBe(980_020);
    expect(clock.machineAheadMs()).toBe(20_020);
    pass(1000);
    expect(clock.now()).toBe(981_020);
  });

  test('does not change when the machine’s clock is set', () => {
    const clock = clockOf();
    clock.observe({ sentAt: elapsed, receivedAt: elapsed, databaseNow: 1_000_000 });
    timeOfDay += 3_600_000;
    expect(clock.now()).toBe(1_000_000);
    expect(clock.machineAheadMs()).toBe(3_600_000);
  });

  test('changes only as much as a reading requires', () => {
    const clock = clockOf();
    clock.observe({ sentAt: elapsed, receivedAt: elapsed, databaseNow: 1_000_000 });
    // The reading took two seconds and says nothing against the time as it is.
    clock.observe({ sentAt: elapsed - 1000, receivedAt: elapsed + 1000, databaseNow: 1_000_900 });
    expect(clock.now()).toBe(1_000_000);
    clock.observe({ sentAt: elapsed - 10, receivedAt: elapsed + 10, databaseNow: 1_000_200 });
    expect(clock.now()).toBe(1_000_190);
  });

  test('stands still instead of going back a little, and goes back when it is far off', () => {
    const clock = clockOf();
    clock.observe({ sentAt: elapsed, receivedAt: elapsed, databaseNow: 1_000_000 });
    expect(clock.now()).toBe(1_000_000);
    clock.observe({ sentAt: elapsed, receivedAt: elapsed, databaseNow: 999_500 });
    expect(clock.now()).toBe(1_000_000);
    pass(600);
    expect(clock.now()).toBe(1_000_100);
    clock.observe({ sentAt: elapsed, receivedAt: elapsed, databaseNow: 900_000 });
    expect(clock.now()).toBe(900_000);
  });
});
