import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { timeLeft, withDeadline } from '../../src/platform/database/deadline.ts';
import { repeat, singleFlight } from '../../src/platform/loop.ts';

const logger = pino({ level: 'silent' });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How often the work was done after each of these times. */
async function runsAfter(times: readonly number[], firstMs?: number): Promise<number[]> {
  const work = vi.fn(async () => {});
  const loop = repeat('counted', 1000, work, logger, firstMs);
  const counts: number[] = [];
  for (const ms of times) {
    await vi.advanceTimersByTimeAsync(ms);
    counts.push(work.mock.calls.length);
  }
  await loop.stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(work).toHaveBeenCalledTimes(counts.at(-1) ?? 0);
  return counts;
}

test('work is repeated from one interval after the start until it is stopped', async () => {
  expect(await runsAfter([999, 1, 999, 1])).toEqual([0, 1, 1, 2]);
});

test('work with its own time for the first run is repeated at the interval from then on', async () => {
  expect(await runsAfter([99, 1, 999, 1], 100)).toEqual([0, 1, 1, 2]);
});

test('an interval may depend on the last run', async () => {
  let interval = 100;
  const work = vi.fn(async () => {
    interval = 1000;
  });
  const loop = repeat('changing', () => interval, work, logger);
  await vi.advanceTimersByTimeAsync(100);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(999);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(work).toHaveBeenCalledTimes(2);
  await loop.stop();
});

test('wake runs the work at once, and it runs again after the interval even if it fails', async () => {
  const work = vi.fn(async () => {
    throw new Error('failed');
  });
  const loop = repeat('failing', 1000, work, logger);
  loop.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(work).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1000);
  expect(work).toHaveBeenCalledTimes(2);
  await loop.stop();
});

test('a shared run has no deadline of the caller that began it', async () => {
  const leftOfRun = singleFlight(async () => timeLeft());
  expect(await withDeadline(performance.now(), leftOfRun)).toBe(Number.POSITIVE_INFINITY);
});
