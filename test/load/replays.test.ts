import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readReplay, recount } from '../../src/domains/replays/index.ts';
import { preparePlays } from './replays.ts';

const map = {
  hash: 'A'.repeat(40),
  name: 'A song',
  characteristic: 'Standard',
  difficulty: 'ExpertPlus',
  modifiers: [],
  durationSeconds: 60,
  maxScore: 300_000,
};

test('each upload of a play is another file with the same score', async () => {
  const play = preparePlays([map], 3).of(map, 0.9);
  const files = await Promise.all([play.file(), play.file()]);
  const replays = files.map((file) => gunzipSync(file));
  const digests = replays.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
  expect(new Set(digests).size).toBe(2);
  for (const bytes of replays) {
    const found = recount(readReplay(bytes));
    expect(found.score.most).toBe(play.score.rawScore);
    expect(found.misses).toBe(play.score.missCount);
  }
});

test('the play with the nearest accuracy is chosen', () => {
  const plays = preparePlays([map], 8);
  const scores = [0.5, 0.75, 0.9, 0.99].map((accuracy) => plays.of(map, accuracy).score.rawScore);
  expect(scores).toEqual(scores.toSorted((a, b) => a - b));
  expect(new Set(scores).size).toBe(4);
});
