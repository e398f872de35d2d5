import { expect, test } from 'vitest';
import { figuresOf } from './figures.ts';
import { runLoad } from './run.ts';

/** A short piece of `npm run load`, which runs for minutes. */
test('twenty players play at sixty times the pace of life, and nothing is lost', async () => {
  const result = await runLoad({
    players: 20,
    minutes: 0.15,
    nodes: 1,
    pace: 60,
    seed: '20260301',
    restarts: false,
  });
  expect(result.problems).toEqual([]);
  expect(result.matches.made).toBeGreaterThanOrEqual(8);
  expect(result.acknowledged).toBeGreaterThan(50);
  expect(result.tally.uploads).toBeGreaterThan(0);
  expect(result.others.reads).toBeGreaterThan(0);
  const { others, times, kinds } = figuresOf(result);
  expect(Object.fromEntries(others)).toMatchObject({ Verdict: 'nothing was lost' });
  expect(times[0]?.times).toBe(result.acks.length);
  expect(kinds).toEqual([]);
}, 120_000);
