import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { StoredRow } from '../crash/findings.ts';
import type { Intent } from './player.ts';
import { endProblems, readNotes } from './verdict.ts';

const RED = 'red-guid';
const BLUE = 'blue-guid';
const at = (seconds: number) => Date.parse('2026-03-01T12:00:00Z') + seconds * 1000;

/** A match that red has lost, unrated, between the first and the hundredth second. */
const endedBy = (reason: string): StoredRow =>
  ({
    matchGuid: 'match-guid',
    log: [{ at: at(1) }],
    state: {
      rated: false,
      endedAt: at(100),
      result: { outcome: 'decided', reason, winner: 'blue' },
      seats: { red: { playerGuid: RED }, blue: { playerGuid: BLUE } },
    },
    rated: 0,
    points: 0,
  }) as unknown as StoredRow;

const forfeit = (playerGuid: string): Intent => ({ kind: 'forfeit', playerGuid, matchGuid: 'match-guid' });
const away = (playerGuid: string, from: number, to: number): Intent => ({
  kind: 'away',
  playerGuid,
  from: at(from),
  to: at(to),
});

test('a match that was played to its end is expected without a script', () => {
  expect(endProblems(endedBy('health'), [])).toEqual([]);
});

test('a match that a player did not join is expected when the script of that player was away', () => {
  const problem = ['match match-guid: it ended by not_joined, which no script asked for'];
  expect(endProblems(endedBy('not_joined'), [])).toEqual(problem);
  expect(endProblems(endedBy('not_joined'), [away(RED, 50, 1000)])).toEqual([]);
});

test('a forfeit is expected when it is in the script of the loser', () => {
  expect(endProblems(endedBy('forfeit'), [forfeit(RED)])).toEqual([]);
});

test('a forfeit that is not in the script of the loser is a problem, also when it is in the winner’s', () => {
  const problem = ['match match-guid: it ended by forfeit, which no script asked for'];
  expect(endProblems(endedBy('forfeit'), [])).toEqual(problem);
  expect(endProblems(endedBy('forfeit'), [forfeit(BLUE)])).toEqual(problem);
});

test('a match that is lost by a lost connection is expected when the script of the loser was away during the match', () => {
  const problem = ['match match-guid: it ended by disconnected, which no script asked for'];
  expect(endProblems(endedBy('disconnected'), [away(RED, 50, 90)])).toEqual([]);
  expect(endProblems(endedBy('disconnected'), [away(RED, -50, 0)])).toEqual(problem);
  expect(endProblems(endedBy('disconnected'), [away(BLUE, 50, 90)])).toEqual(problem);
});

test('notes of several processes are sorted by time, and their connections and questions get numbers of their own', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'matches-notes-'));
  const note = (kind: string, at: number, more: object) => JSON.stringify({ kind, at, ...more });
  const files = ['one', 'two'].map((name) => path.join(folder, name));
  const notesFrom = (first: number) =>
    [
      note('opened', first, { connection: 0, player: 'a', url: '' }),
      note('asked', first + 2, { connection: 0, question: 0, event: 'hello', payload: {} }),
    ].join('\n');
  for (const [nth, file] of files.entries()) await writeFile(file, notesFrom(nth + 1));
  const notes = await readNotes(files);
  await rm(folder, { recursive: true });
  expect(notes).toMatchObject([
    { at: 1, connection: 0 },
    { at: 2, connection: 1 },
    { at: 3, connection: 0, question: 0 },
    { at: 4, connection: 1, question: 1 },
  ]);
});
