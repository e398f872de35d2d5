import { expect, test } from 'vitest';
import { runCrashTest } from '../crash/run.ts';

/**
 * A short piece of `npm run crash-test`, which kills 200 times, also a node that is alone. `CRASH_SEED` chooses other faults.
 * restart.test.ts kills a lone node.
 */
const seed = process.env.CRASH_SEED ?? '20260301';

test('the crash of one of two nodes loses no match and no acknowledged command', async () => {
  const faults = ['cut', 'redis'] as const;
  const found = await runCrashTest({ nodes: 2, players: 6, kills: 2, matches: 2, faults, seed });
  expect(found.problems).toEqual([]);
  expect(found.matches).toBeGreaterThanOrEqual(2);
  expect(found.acknowledged).toBeGreaterThan(20);
}, 600_000);
