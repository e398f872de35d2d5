import { describe, expect, test } from 'vitest';
import { ConnectionBucket } from '../../src/platform/socket/connection-bucket.ts';
import { SOCKET_BUCKET } from '../../src/platform/socket/web-socket-engine.ts';
import { manualClock } from '../harness/clock.ts';

/** Asks for this many packets a second, ten times a second, for so long. @returns when it was exhausted, in ms */
function askFor(perSecond: number, bytes: number, seconds: number): number | null {
  const clock = manualClock(0);
  const bucket = new ConnectionBucket(SOCKET_BUCKET, clock.now);
  for (let tenths = 0; tenths < seconds * 10; tenths++) {
    for (let times = 0; times < perSecond / 10; times++)
      if (bucket.take(bytes) === 'exhausted') return tenths * 100;
    clock.advance(100);
  }
  return null;
}

describe('the bucket of a connection', () => {
  test('is never exhausted by its refill rate', () => {
    expect(askFor(510, 100, 60)).toBeNull();
    expect(askFor(30, 32 * 1024, 60)).toBeNull();
  });

  test('is exhausted by two seconds above the rate, and not sooner', () => {
    // 1,024 and 512 a second are used up after 0.7 s at 2,000 a second.
    expect(askFor(2000, 10, 10)).toBeGreaterThanOrEqual(2600);
    expect(askFor(2000, 10, 10)).toBeLessThanOrEqual(2900);
    // 2 MiB and 1 MiB a second at 3.1 MiB a second: 0.9 s.
    expect(askFor(100, 32 * 1024, 10)).toBeGreaterThanOrEqual(2800);
    expect(askFor(100, 32 * 1024, 10)).toBeLessThanOrEqual(3200);
    // Also when it is hardly more.
    expect(askFor(600, 10, 60)).not.toBeNull();
  });

  test('recovers from a burst whose debt is paid in time', () => {
    const clock = manualClock(0);
    const bucket = new ConnectionBucket(SOCKET_BUCKET, clock.now);
    expect(bucket.exhaustedInMs()).toBe(Number.POSITIVE_INFINITY);
    for (let times = 0; times < 1024 + 512; times++) expect(bucket.take(10)).not.toBe('exhausted');
    expect(bucket.debtMs()).toBe(1000);
    clock.advance(900);
    expect(bucket.exhaustedInMs()).toBe(1100);
    clock.advance(1100);
    expect(bucket.exhaustedInMs()).toBe(Number.POSITIVE_INFINITY);
    expect(bucket.take(10)).toBe('within');
  });

  test('is exhausted after two seconds by one burst that it could not hold until then', () => {
    const clock = manualClock(0);
    const bucket = new ConnectionBucket(SOCKET_BUCKET, clock.now);
    for (let times = 0; times < 1024 + 3 * 512; times++) expect(bucket.take(10)).not.toBe('exhausted');
    expect(bucket.debtMs()).toBe(3000);
    clock.advance(1999);
    expect(bucket.exhaustedInMs()).toBe(1);
    clock.advance(1);
    expect(bucket.exhaustedInMs()).toBe(0);
    expect(bucket.take(10)).toBe('exhausted');
  });
});
