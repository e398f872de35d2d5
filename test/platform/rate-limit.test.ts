import { expect, test } from 'vitest';
import { TokenBuckets } from '../../src/platform/rate-limit.ts';
import { manualClock } from '../harness/clock.ts';

const LIMIT = { perSecond: 2, burst: 3 };
const MANY = 8;

test('a caller has its burst and no more, alone or among others', () => {
  for (const others of [0, 5]) {
    const buckets = new TokenBuckets(LIMIT, 1, manualClock());
    for (let other = 0; other < others; other++) buckets.take(`other ${other}`);
    const waits = Array.from({ length: MANY }, () => buckets.take('caller'));
    expect(waits).toEqual([0, 0, 0, 500, 500, 500, 500, 500]);
  }
});

test('what was taken comes back with time, up to the burst', () => {
  const clock = manualClock();
  const buckets = new TokenBuckets(LIMIT, 1, clock);
  const granted = () =>
    Array.from({ length: MANY }, () => buckets.take('caller')).filter((ms) => ms === 0).length;
  expect(granted()).toBe(3);
  clock.advance(1000);
  expect(granted()).toBe(2);
  clock.advance(60_000);
  expect(granted()).toBe(3);
});

test('a factor multiplies both, and at least one is always granted', () => {
  const twice = new TokenBuckets(LIMIT, 2, manualClock());
  expect(Array.from({ length: MANY }, () => twice.take('caller')).filter((ms) => ms === 0)).toHaveLength(6);
  const hardly = new TokenBuckets(LIMIT, 0.01, manualClock());
  expect([hardly.take('caller'), hardly.take('caller')]).toEqual([0, 50_000]);
});
