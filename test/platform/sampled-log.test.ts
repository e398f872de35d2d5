import { expect, test } from 'vitest';
import { sampleLines } from '../../src/platform/sampled-log.ts';
import { manualClock } from '../harness/clock.ts';

test('at most five equal lines a minute are written, and the next one says how many were left out', () => {
  const clock = manualClock(0);
  const sample = sampleLines(clock);
  const lines = (kind: string, count: number) => Array.from({ length: count }, () => sample(kind));
  expect(lines('one', 100).filter((line) => line !== null)).toEqual(Array(5).fill({ leftOut: 0 }));
  // Another kind has its own.
  expect(sample('other')).toEqual({ leftOut: 0 });
  clock.advance(59_999);
  expect(sample('one')).toBeNull();
  clock.advance(1);
  expect(lines('one', 7)).toEqual([
    { leftOut: 96 },
    ...Array(4).fill({ leftOut: 0 }),
    ...Array(2).fill(null),
  ]);
});

test('the minute begins anew when the clock was set back', () => {
  const clock = manualClock();
  const sample = sampleLines(clock);
  for (let nth = 0; nth < 6; nth++) sample('one');
  clock.advance(-300_000);
  expect(sample('one')).toEqual({ leftOut: 1 });
});
