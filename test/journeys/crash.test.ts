import { expect, test } from 'vitest';
import { runCrashTest } from '../crash/run.ts';

/**
 * A short piece of `npm run crash-test`, which kills 200 times and plays 50 matches without a kill. Another seed is
 * another piece.
 */
const seed = process.env.CRASH_SEED ?? '20260301';

test('with one node or with two, a crash loses no match and no acknowledged command', async () => {
  const [outages, failovers] = await Promise.all([
    runCrashTest({ nodes: 1, players: 6, kills: 2, matches: 2, faults: ['cut'], seed }),
    runCrashTest({ nodes: 2, players: 6, kills: 2, matches: 2, faults: ['cut', 'redis'], seed }),
  ]);
  for (const { problems, matches, acknowledged } of [outages, failovers]) {
    expect(problems).toEqual([]);
    expect(matches).toBeGreaterThanOrEqual(2);
    expect(acknowledged).toBeGreaterThan(20);
  }
}, 600_000);
