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

test('every change is delivered to players of two nodes once and in order, and each match is rated once', async () => {
  // Each node has three of the players, so one of the first three matches is between the nodes. Now and then a player
  // lets a limit decide.
  const environment = { DISCARD_SECONDS: '2', PICK_SECONDS: '2' };
  const result = await runCrashTest({ nodes: 2, players: 6, kills: 0, matches: 5, seed, environment });
  expect(result.problems).toEqual([]);
  expect(result.matches).toBeGreaterThanOrEqual(5);
  expect(result.acrossNodes).toBeGreaterThan(0);
}, 600_000);
