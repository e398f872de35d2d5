import { expect, test } from 'vitest';
import { runCrashTest } from '../crash/run.ts';

/** A short piece of `npm run crash-test`, which kills 200 times; another seed is another piece. */
const seed = process.env.CRASH_SEED ?? '20260301';

test('whoever is killed, with one node or with two, no match and no acknowledged command is lost', async () => {
  const [outages, failovers] = await Promise.all([
    runCrashTest({ nodes: 1, players: 8, kills: 4, matches: 4, faults: ['cut'], seed }),
    runCrashTest({ nodes: 2, players: 8, kills: 4, matches: 4, faults: ['cut', 'redis'], seed }),
  ]);
  for (const { problems, matches, acknowledged } of [outages, failovers]) {
    expect(problems).toEqual([]);
    expect(matches).toBeGreaterThanOrEqual(4);
    expect(acknowledged).toBeGreaterThan(20);
  }
}, 600_000);

test('twenty matches between players of two nodes: every change told once and in order, ratings applied once', async () => {
  const result = await runCrashTest({ nodes: 2, players: 16, kills: 0, matches: 20, seed });
  expect(result.problems).toEqual([]);
  expect(result.matches).toBeGreaterThanOrEqual(20);
  expect(result.acrossNodes).toBeGreaterThan(0);
}, 600_000);
