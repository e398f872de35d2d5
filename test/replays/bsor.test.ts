import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createReplayReader,
  type ReplayDraft,
  ReplayError,
  readReplay,
  recount,
  replaySections,
  writeReplay,
} from '../../src/domains/replays/index.ts';
import { BOUNDS } from '../../src/platform/limits.ts';
import { badCut, bombed, draft, good, missed, noteId, PERFECT, standing } from './plays.ts';

/** Where a file was refused; null when it was read. */
function refusedAt(file: Uint8Array): number | null {
  try {
    readReplay(file);
    return null;
  } catch (error) {
    if (error instanceof ReplayError) return error.byteOffset;
    throw error;
  }
}

/** The same, for a file that comes in pieces and whose length nobody knows. */
function refusedInPiecesAt(file: Uint8Array, size: number): number | null {
  const reader = createReplayReader({ totalBytes: BOUNDS.replay.value });
  try {
    for (let at = 0; at < file.length; at += size) reader.write(file.subarray(at, at + size));
    reader.end();
    return null;
  } catch (error) {
    if (error instanceof ReplayError) return error.byteOffset;
    throw error;
  }
}

const everything: Partial<ReplayDraft> = {
  frames: standing(5),
  notes: [good(0), missed(1), badCut(2), bombed(3)],
  walls: [{ id: 100, energy: 0.4, time: 2, spawnTime: 1.5 }],
  heights: [{ height: 1.7, time: 0 }],
  pauses: [{ duration: 12n, time: 1 }],
  offsets: { left: [0, 0, 0, 0, 0, 0, 1], right: [0, 0, 0, 0, 0, 0, 1] },
  userData: { 'some recorder': Buffer.from('anything'), '': Buffer.alloc(0) },
};

const scoreOf = (changes: Partial<ReplayDraft>) =>
  recount(readReplay(writeReplay(draft(changes)))).score.most;

describe('a written replay', () => {
  test('is read as it was written', () => {
    const file = writeReplay(draft(everything, { score: 115, songName: 'Für Élise ♫', failTime: 3.5 }));
    const replay = readReplay(file);
    expect(replay.bytes).toBe(file.length);
    expect(replay.info).toEqual(
      draft({}, { score: 115, songName: 'Für Élise ♫', failTime: 3.5, height: Math.fround(1.75) }).info,
    );
    expect(replay.frames).toMatchObject({
      count: 5,
      firstTime: 0,
      lastTime: Math.fround(4 / 60),
      backwards: 0,
    });
    expect([...replay.notes.ids.subarray(0, replay.notes.count)]).toEqual(
      [0, 1, 2, 3].map((nth) => noteId(nth)),
    );
    expect(replay.wallTimes).toEqual([2]);
  });

  test.each([1, 3, 64, 4096])('is read the same from pieces of %i bytes, all in the same memory', (size) => {
    const file = writeReplay(draft(everything));
    const reader = createReplayReader({ totalBytes: file.length });
    const block = Buffer.alloc(size);
    for (let at = 0; at < file.length; at += size) {
      reader.write(block.subarray(0, file.copy(block, 0, at, at + size)));
      block.fill(255);
    }
    const replay = reader.end();
    const whole = readReplay(file);
    expect(replay.info).toEqual(whole.info);
    expect(replay.frames).toEqual(whole.frames);
    expect(replay.personal).toEqual(whole.personal);
    expect(recount(replay)).toEqual(recount(whole));
  });

  test('has its personal data where the reader says', () => {
    const file = writeReplay(draft(everything, { playerName: 'Zoë' }));
    const { playerName, height, heights } = readReplay(file).personal;
    expect(file.toString('utf8', playerName.at + 4, playerName.at + playerName.length)).toBe('Zoë');
    expect(file.readFloatLE(height.at)).toBe(1.75);
    expect(file.readInt32LE(heights.at)).toBe(1);
    expect(heights.length).toBe(4 + 8);
  });
});

describe('oddities of real files', () => {
  test.each([
    ['before', 'éa'],
    ['at the end', 'aé'],
    ['everywhere', 'プレイヤー'],
    ['beyond 16 bits', '🎮 player 🎮'],
  ])('reads names whose length was counted in UTF-16 units, %s', (_, playerName) => {
    const file = writeReplay(draft({}, { playerName, mapper: 'Ünïcode' }));
    const { personal } = readReplay(file);
    // As old recorders did: the length of the C# string before its bytes in UTF-8.
    const counted = Buffer.from(file);
    counted.writeInt32LE(playerName.length, personal.playerName.at);
    const mapper = counted.indexOf(Buffer.from('Ünïcode', 'utf8'));
    counted.writeInt32LE('Ünïcode'.length, mapper - 4);
    const replay = readReplay(counted);
    expect(replay.info).toMatchObject({ playerName, mapper: 'Ünïcode', platform: 'steam' });
    expect(replay.personal).toEqual(personal);
    expect(refusedInPiecesAt(counted, 7)).toBeNull();
  });

  test('reads files that end before the sections that came later', () => {
    const parts = replaySections(draft(everything));
    expect(refusedAt(Buffer.concat(parts.slice(0, 7)))).toBeNull();
    expect(refusedAt(Buffer.concat(parts.slice(0, 8)))).toBeNull();
    expect(refusedAt(Buffer.concat([...parts.slice(0, 7), ...parts.slice(8)]))).toBeNull();
  });

  test.each([-1, 9, 1009, 32_109])('treats a note without colour and direction, %i, as a bomb', (id) => {
    const cut = { ...good(20), id };
    expect(recount(readReplay(writeReplay(draft({ notes: [good(0), cut] }))))).toMatchObject({
      score: { most: 115 },
      bombs: 1,
      badCuts: 0,
    });
  });

  test('puts events into the order of their times', () => {
    const notes = [good(0), good(1), good(2), missed(3), good(4)];
    expect(scoreOf({ notes: notes.toReversed() })).toBe(scoreOf({ notes }));
    expect(scoreOf({ notes })).toBe(115 + 230 + 230 + 115);
  });

  test('reads a play without frames and notes', () => {
    expect(recount(readReplay(writeReplay(draft({ frames: [], notes: [] }))))).toMatchObject({
      score: { least: 0, most: 0 },
      most: 0,
      fullCombo: true,
    });
  });
});

describe('the score of a replay', () => {
  test.each([
    [1, 115],
    [5, 1035],
    [13, 4715],
    [20, 4715 + 7 * 920],
  ])('of %i perfect cuts is %i', (count, score) => {
    const notes = Array.from({ length: count }, (_, nth) => good(nth));
    expect(recount(readReplay(writeReplay(draft({ notes }))))).toMatchObject({
      score: { least: score, most: score },
      most: score,
      notes: count,
      fullCombo: true,
    });
  });

  test.each([
    ['a miss', missed, { misses: 1 }],
    ['a bad cut', badCut, { badCuts: 1 }],
    ['a bomb', bombed, { bombs: 1 }],
  ])('loses half of the multiplier by %s', (_, event, counted) => {
    const notes = [...Array.from({ length: 14 }, (_, nth) => good(nth)), event(14), good(15), good(16)];
    const found = recount(readReplay(writeReplay(draft({ notes }))));
    // The fourteenth is the first that is worth 8 × 115; after the loss the next two are worth 4 × 115 each.
    expect(found).toMatchObject({ score: { most: 4715 + 920 + 2 * 460 }, fullCombo: false, ...counted });
  });

  test('loses half of the multiplier by a wall, at the later of its two times', () => {
    const notes = [good(0), good(1), good(2)];
    const wall = { id: 1, energy: 0.5, time: 0, spawnTime: 1.3 };
    expect(recount(readReplay(writeReplay(draft({ notes, walls: [wall] }))))).toMatchObject({
      score: { most: 115 + 115 + 230 },
      walls: 1,
      fullCombo: false,
    });
  });

  test.each([
    ['an ordinary note', 3, 0, 115],
    ['an arc head', 4, 30, 115],
    ['an arc tail', 5, 70, 115],
    ['a chain head', 6, 0, 85],
    ['a chain link', 7, 20, 20],
    ['a note between two arcs', 8, 100, 115],
    ['a chain head at the end of an arc', 9, 100, 115],
    ['a chain link at the start of an arc', 10, 20, 20],
    ['a chain head at the start of an arc', 11, 30, 115],
    ['a chain head between two arcs', 12, 100, 115],
  ])('counts the worst and the best cut of %s (scoring type %i) as %i and %i', (_, type, least, most) => {
    expect(scoreOf({ notes: [good(0, { before: 0, after: 0, distance: 0.3 }, type)] })).toBe(least);
    expect(scoreOf({ notes: [good(0, PERFECT, type)] })).toBe(most);
  });

  test('counts neither ignored notes nor notes without score', () => {
    const notes = [good(0, PERFECT, 1), good(1, PERFECT, 2), good(2)];
    expect(recount(readReplay(writeReplay(draft({ notes }))))).toMatchObject({
      score: { most: 115 },
      notes: 1,
    });
  });

  test('rounds the parts of a cut and holds them within their bounds', () => {
    expect(scoreOf({ notes: [good(0, { before: 0.507, after: 0.51, distance: 0.1 })] })).toBe(35 + 15 + 10);
    expect(scoreOf({ notes: [good(0, { before: 3, after: -1, distance: 9 })] })).toBe(70);
  });

  test('allows a value between two integers to be rounded up or down', () => {
    const { score } = recount(
      readReplay(writeReplay(draft({ notes: [good(0, { ...PERFECT, after: 0.75 })] }))),
    );
    expect(score).toEqual({ least: 70 + 22 + 15, most: 70 + 23 + 15 });
  });
});

describe('a damaged replay', () => {
  const parts = replaySections(draft(everything));
  const whole = Buffer.concat(parts);
  const boundaries = parts.map((_, nth) => parts.slice(0, nth).reduce((sum, part) => sum + part.length, 0));

  test('is refused with the offset wherever it is cut off', () => {
    // After the pauses and after the offsets it is a whole one.
    const complete = new Set([boundaries[7], boundaries[8]]);
    for (let length = 0; length < whole.length; length += 1) {
      const expected = complete.has(length) ? null : length;
      const cut = whole.subarray(0, length);
      if (expected === null) expect(refusedAt(cut)).toBeNull();
      // A count or a length that cannot be kept is refused where it stands, before the end.
      else expect(refusedAt(cut)).toBeLessThanOrEqual(length);
      expect(refusedInPiecesAt(cut, 50), `cut off at ${length}`).toBe(expected);
    }
  });

  /** Where each count stands: behind the byte that begins its section. */
  const counts = [2, 3, 4, 5, 6, 8].map((part) => (boundaries[part] as number) + 1);

  test.each([-1, -(2 ** 31), 2 ** 31 - 1, 2 ** 30, 100_000_000])('is refused at any count of %i', (value) => {
    for (const at of counts) {
      const damaged = Buffer.from(whole);
      damaged.writeInt32LE(value, at);
      expect(refusedAt(damaged)).toBe(at);
      expect(refusedInPiecesAt(damaged, 33)).toBe(at);
    }
  });

  test('is refused at a count of 0 where there are records', () => {
    for (const at of counts) {
      const damaged = Buffer.from(whole);
      damaged.writeInt32LE(0, at);
      expect(refusedAt(damaged)).toBe(at + 4);
    }
  });

  test.each([-1, 2 ** 31 - 1, 4097, 300])('is refused at any text of the length %i', (value) => {
    const info = parts[1] as Buffer;
    for (let nth = 0, at = 1; nth < 13; nth += 1) {
      const damaged = Buffer.from(whole);
      damaged.writeInt32LE(value, 5 + at);
      expect(refusedAt(damaged), `text ${nth}`).not.toBeNull();
      at += 4 + info.readInt32LE(at);
    }
  });

  test('is refused where it ends among the longest texts, whose lengths count UTF-16 units', () => {
    // Three bytes a unit: no other texts are longer.
    const text = Buffer.concat([Buffer.of(0, 16, 0, 0), Buffer.from('一'.repeat(4096))]);
    const texts = Buffer.concat([parts[0] as Buffer, Buffer.of(0), ...Array(13).fill(text)]);
    expect(refusedInPiecesAt(texts, 50_000)).toBe(texts.length);
    expect(refusedAt(texts)).toBe(texts.length);
  });

  test('is refused at more entries of user data than a recorder adds', () => {
    const withEntries = (count: number) =>
      writeReplay(
        draft({
          userData: Object.fromEntries(Array.from({ length: count }, (_, nth) => [nth, Buffer.of()])),
        }),
      );
    expect(refusedAt(withEntries(1000))).toBeNull();
    const before = writeReplay(draft({})).length + 1;
    expect(refusedAt(withEntries(1001))).toBe(before);
    expect(refusedInPiecesAt(withEntries(1001), 50)).toBe(before);
  });

  test('is refused at lengths in the user data that go past the end', () => {
    const userData = boundaries[8] as number;
    for (const value of [-1, 2 ** 31 - 1, 5000, whole.length]) {
      const key = Buffer.from(whole);
      key.writeInt32LE(value, userData + 5);
      expect(refusedAt(key)).toBe(userData + 5);
      const length = Buffer.from(whole);
      const at = userData + 5 + 4 + 'some recorder'.length;
      length.writeInt32LE(value, at);
      expect(refusedAt(length)).toBe(at);
    }
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'is refused with a time or a cut of %f',
    (value) => {
      const bad = (changes: Partial<ReplayDraft>) =>
        refusedAt(writeReplay(draft({ ...everything, ...changes })));
      expect(bad({ frames: [...standing(2), { ...standing(1)[0], time: value } as never] })).not.toBeNull();
      expect(bad({ notes: [{ ...good(0), time: value }] })).not.toBeNull();
      expect(bad({ notes: [{ ...missed(0), spawnTime: value }] })).not.toBeNull();
      expect(bad({ notes: [good(0, { ...PERFECT, after: value })] })).not.toBeNull();
      expect(bad({ walls: [{ id: 1, energy: 0, time: value, spawnTime: Number.NaN }] })).not.toBeNull();
      expect(bad({ heights: [{ height: 1, time: value }] })).not.toBeNull();
      expect(bad({ pauses: [{ duration: 1n, time: value }] })).not.toBeNull();
      expect(refusedAt(writeReplay(draft({}, { failTime: value })))).not.toBeNull();
    },
  );

  test.each([
    ['another format', () => Buffer.from('not a replay at all'), 0],
    ['another version', () => Buffer.concat([whole.subarray(0, 4), Buffer.of(2), whole.subarray(5)]), 4],
    ['bytes behind the last section', () => Buffer.concat([whole, Buffer.from('x')]), whole.length],
    ['a section twice', () => Buffer.concat([...parts, parts[8] as Buffer]), whole.length],
    [
      'a section left out',
      () => Buffer.concat([...parts.slice(0, 3), ...parts.slice(4)]),
      boundaries[3] as number,
    ],
    ['nothing at all', () => Buffer.alloc(0), 0],
  ])('is refused: %s', (_, make, offset) => {
    expect(refusedAt(make())).toBe(offset);
  });

  test.each([
    ['an unknown kind of event', { ...missed(0), kind: 4 }],
    ['an unknown scoring type', { ...missed(0), id: 130_000_000 }],
    ['a negative id', { ...missed(0), id: -2 }],
  ])('is refused: %s', (_, note) => {
    expect(refusedAt(writeReplay(draft({ notes: [note] })))).not.toBeNull();
  });

  test('is refused for an impossible number of events, before they are read', () => {
    const reader = createReplayReader({ totalBytes: BOUNDS.replay.value });
    const claim = Buffer.alloc(4);
    claim.writeInt32LE(2_000_000);
    expect(() => reader.write(Buffer.concat([...parts.slice(0, 3), Buffer.of(2), claim]))).toThrow(
      ReplayError,
    );
  });

  test('with odd poses and times is read, and they are counted', () => {
    const [first] = standing(1) as [ReturnType<typeof standing>[number]];
    const far = { ...first, head: [Number.NaN, 0, 0, 0, 0, 0, 1] as const };
    const frames = [far, { ...first, time: 2 }, { ...first, time: 1 }];
    expect(readReplay(writeReplay(draft({ frames }))).frames).toMatchObject({
      oddPoses: 1,
      backwards: 1,
      longestGap: 2,
    });
  });
});

test('a reader takes memory for the notes that have come, not for the number that the file claims', () => {
  const reader = createReplayReader({ totalBytes: BOUNDS.replay.value });
  const [head, info, frames] = replaySections(draft({ frames: [] })) as [Buffer, Buffer, Buffer];
  const claim = Buffer.alloc(4);
  claim.writeInt32LE(100_000);
  reader.write(Buffer.concat([head, info, frames, Buffer.of(2), claim]));
  expect(reader.memory).toBeLessThan(1000);
});

const shared = path.join(import.meta.dirname, '../../../shared/data/replays');

describe.skipIf(!existsSync(shared))('real replays (skipped where the shared data are absent)', () => {
  test.each(['motion', 'as-it-was', 'sample1'])(
    '%s: the recomputed score is the one in its header',
    (name) => {
      const file = readFileSync(path.join(shared, `${name}.bsor`));
      const replay = readReplay(file);
      const { score } = replay.info;
      expect(recount(replay).score).toEqual({ least: score, most: score });
      expect(replay.frames).toMatchObject({ backwards: 0, oddPoses: 0 });
      const reader = createReplayReader({ totalBytes: file.length });
      for (let at = 0; at < file.length; at += 65_536) reader.write(file.subarray(at, at + 65_536));
      expect(recount(reader.end())).toEqual(recount(replay));
    },
  );

  test('as-it-was: cut off anywhere it is refused', () => {
    const file = readFileSync(path.join(shared, 'as-it-was.bsor'));
    for (let length = 0; length < file.length; length += 10_007)
      expect(refusedAt(file.subarray(0, length))).not.toBeNull();
  });
});
