import { expect, test } from 'vitest';
import { figuresOf } from './figures.ts';
import { runLoad } from './run.ts';

/**
 * A short piece of `npm run load`, which runs for minutes. The checker of histories finds a change that a player was told twice,
 * never or in another order, and a match that was rated twice or not at all.
 */
test('twenty players on two nodes play sixty times faster than people, and nothing is lost', async () => {
  const result = await runLoad({
    players: 20,
    minutes: 0.15,
    nodes: 2,
    pace: 60,
    seed: '20260301',
    restarts: false,
    // Where tests run side by side three seconds may pass before a player is heard.
    environment: { JOIN_SECONDS: '60', DISCARD_SECONDS: '60', PICK_SECONDS: '60', PREPARE_SECONDS: '60' },
  });
  expect(result.problems).toEqual([]);
  expect(result.matches.made).toBeGreaterThan(0);
  expect(result.acknowledged).toBeGreaterThan(0);
  expect(result.others.reads).toBeGreaterThan(0);
  const { others, times, kinds } = figuresOf(result);
  expect(Object.fromEntries(others)).toMatchObject({ Verdict: 'nothing was lost' });
  expect(times[0]?.times).toBe(result.acks.length);
  expect(kinds).toEqual([]);
}, 120_000);
