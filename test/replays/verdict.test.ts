import { describe, expect, test } from 'vitest';
import type { Score } from '../../src/domains/matches/index.ts';
import type { PoolMap } from '../../src/domains/pools/index.ts';
import { publicPieces, publicSize } from '../../src/domains/replays/blanking.ts';
import {
  createReplayReader,
  type ReplayDraft,
  readReplay,
  recount,
  writeReplay,
} from '../../src/domains/replays/index.ts';
import { type CheckName, notesOf, type PartToVerify, verify } from '../../src/domains/replays/verdict.ts';
import { badCut, bombed, draft, good, missed, standing } from './plays.ts';

const STARTED = Date.parse('2026-03-01T12:00:00.000Z');
const HASH = 'AB'.repeat(20);

const map: PoolMap = {
  mapGuid: '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11',
  key: '1abc',
  hash: HASH,
  name: 'A map',
  characteristic: 'Standard',
  difficulty: 'ExpertPlus',
  categoryGuid: '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b12',
  modifiers: [],
  durationSeconds: 12,
  maxScore: 11_155,
  coverUrl: null,
  stale: false,
  addedAt: '2026-01-01T00:00:00.000Z',
} as PoolMap;

const notes = Array.from({ length: 20 }, (_, nth) => good(nth));

/** A play, what was submitted of it, and its round: all in agreement but for the changes. */
function outcomeOf({
  play = {},
  info = {},
  score = {},
  about = {},
}: {
  play?: Partial<ReplayDraft>;
  info?: Partial<ReplayDraft['info']>;
  score?: Partial<Score> | null;
  about?: Partial<PartToVerify>;
} = {}) {
  const events = { notes, frames: standing(600), ...play };
  const found = recount(readReplay(writeReplay(draft(events))));
  const replay = readReplay(
    writeReplay(
      draft(events, {
        hash: HASH,
        score: found.score.most,
        timestamp: String(STARTED / 1000),
        playerID: '76500',
        ...info,
      }),
    ),
  );
  const verification = verify(
    {
      map,
      score:
        score === null
          ? null
          : {
              rawScore: found.score.most,
              modifiedScore: 0,
              missCount: found.misses,
              badCutCount: found.badCuts,
              fullCombo: found.fullCombo,
              noFailTriggered: false,
              failed: false,
              ...score,
            },
      startedAt: STARTED,
      overAt: STARTED + 60_000,
      platformId: '76500',
      gameVersions: ['1.40.0'],
      ...about,
    },
    replay,
  );
  return {
    verdict: verification.verdict,
    wrong: verification.checks.filter(({ ok }) => !ok).map(({ name }) => name),
    check: (name: CheckName) => verification.checks.find((one) => one.name === name),
  };
}

const verified = { verdict: 'verified', wrong: [] };

describe('an honest replay', () => {
  test.each<[string, Parameters<typeof outcomeOf>[0]]>([
    ['of a perfect play', {}],
    [
      'with a miss, a bad cut and a bomb',
      { play: { notes: [good(0), missed(1), badCut(2), bombed(3), ...notes.slice(4), good(20)] } },
    ],
    [
      'with a remark after the hash and a build after the game version',
      { info: { hash: `${HASH.toLowerCase()} WIP`, gameVersion: '1.40.0_8137' } },
    ],
    ['that writes Expert+', { info: { difficulty: 'Expert+' } }],
    [
      'with the recorders’ own codes',
      {
        info: { modifiers: 'NO,SF,SC,BE,DA' },
        about: { map: { ...map, modifiers: ['NW', 'SFS', 'SN', '4L', 'DA'] } },
      },
    ],
    [
      'of a map in Zen Mode, which leaves no code',
      { about: { map: { ...map, modifiers: ['ZM', 'FS'] } }, info: { modifiers: 'FS' } },
    ],
    ['of a map with No Fail that was not needed', { about: { map: { ...map, modifiers: ['NF'] } } }],
    [
      'of a map with No Fail that was needed',
      {
        about: { map: { ...map, modifiers: ['NF'] } },
        info: { modifiers: 'NF', failTime: 3 },
        score: { noFailTriggered: true },
      },
    ],
    [
      'that failed',
      {
        play: { notes: notes.slice(0, 9), frames: standing(200) },
        info: { failTime: 3.2 },
        score: { failed: true },
      },
    ],
    [
      'where no release says which game versions there are',
      { about: { gameVersions: [] }, info: { gameVersion: '1.0' } },
    ],
    ['that notes its time in milliseconds', { info: { timestamp: String(STARTED) } }],
  ])('%s is verified without findings', (_, changes) => {
    expect(outcomeOf(changes)).toMatchObject(verified);
  });
});

describe('the checks', () => {
  test('show no half of a character, because the database cannot store it', () => {
    const { check } = outcomeOf({ info: { hash: `${'A'.repeat(39)}\u{1f600} WIP` } });
    expect(check('mapHash')).toMatchObject({ ok: false, actual: `${'A'.repeat(39)}\u{1f600}` });
  });

  test.each<[CheckName, Parameters<typeof outcomeOf>[0]]>([
    ['mapHash', { info: { hash: 'CD'.repeat(20) } }],
    ['characteristic', { info: { mode: 'OneSaber' } }],
    ['difficulty', { info: { difficulty: 'Expert' } }],
    ['modifiers', { info: { modifiers: 'FS' } }],
    ['modifiers', { about: { map: { ...map, modifiers: ['FS'] } } }],
    ['modifiers', { info: { modifiers: 'NF' } }],
    ['modifiers', { score: { noFailTriggered: true }, about: { map: { ...map, modifiers: ['NF'] } } }],
    ['modifiers', { info: { modifiers: 'QQ' } }],
    ['missCount', { score: { missCount: 1 } }],
    ['badCutCount', { score: { badCutCount: 1 } }],
    ['fullCombo', { score: { fullCombo: false } }],
    ['notPractice', { info: { startTime: 10 } }],
    ['notPractice', { info: { speed: 0.8 } }],
  ])('make a replay with a wrong %s a mismatch', (name, changes) => {
    const found = outcomeOf(changes);
    expect(found).toMatchObject({ verdict: 'mismatch', wrong: [name] });
    expect(found.check(name)).toMatchObject({ ok: false, decisive: true });
  });

  test('submittedScore and recomputedScore distinguish a false header from false notes', () => {
    const { most } = recount(readReplay(writeReplay(draft({ notes })))).score;
    expect(outcomeOf({ score: { rawScore: most - 1 } }).wrong).toEqual(['submittedScore', 'recomputedScore']);
    expect(outcomeOf({ info: { score: most - 1 }, score: { rawScore: most - 1 } }).wrong).toEqual([
      'recomputedScore',
    ]);
    expect(
      outcomeOf({ info: { score: most - 1 }, score: { rawScore: most - 1 } }).check('recomputedScore'),
    ).toEqual({
      name: 'recomputedScore',
      ok: false,
      decisive: true,
      expected: String(most - 1),
      actual: String(most),
    });
  });

  test('accept both scores of a cut that is between two points', () => {
    const between = [good(0, { before: 1, after: 0.75, distance: 0 })];
    for (const rawScore of [107, 108])
      expect(
        outcomeOf({ play: { notes: between }, info: { score: rawScore }, score: { rawScore } }).verdict,
      ).toBe('verified');
    expect(
      outcomeOf({ play: { notes: between }, info: { score: 109 }, score: { rawScore: 109 } }).verdict,
    ).toBe('mismatch');
  });

  test.each<[CheckName, Parameters<typeof outcomeOf>[0]]>([
    ['noteCount', { play: { notes: notes.slice(1) } }],
    ['notFailed', { info: { failTime: 5 } }],
    ['timeWindow', { info: { timestamp: String(STARTED / 1000 - 600) } }],
    ['timeWindow', { info: { timestamp: String(STARTED / 1000 + 600) } }],
    ['timeWindow', { info: { timestamp: 'yesterday' } }],
    ['timeWindow', { info: { timestamp: '' } }],
    ['gameVersion', { info: { gameVersion: '1.39.1' } }],
    ['plausibility', { play: { frames: [] } }],
    ['plausibility', { play: { frames: standing(100) } }],
    ['plausibility', { play: { frames: standing(600).toReversed() } }],
    ['plausibility', { about: { map: { ...map, durationSeconds: 200 } } }],
    ['player', { info: { playerID: '1' } }],
  ])('report a wrong %s of a replay that stays verified', (name, changes) => {
    const found = outcomeOf(changes);
    expect(found).toMatchObject({ verdict: 'verified', wrong: [name] });
    expect(found.check(name)).toMatchObject({ ok: false, decisive: false });
  });

  test('make a replay without a submitted score a mismatch', () => {
    expect(outcomeOf({ score: null })).toMatchObject({ verdict: 'mismatch', wrong: ['submittedScore'] });
  });
});

test('the number of notes is computed from a maximum score, and is no whole number unless all notes are ordinary', () => {
  expect([115, 1035, 4715, 388_355, 116].map(notesOf)).toEqual([1, 5, 13, 430, expect.closeTo(1 + 1 / 230)]);
});

describe('the public’s copy', () => {
  const file = writeReplay(
    draft(
      { frames: standing(2), heights: [{ height: 1.7, time: 0 }] },
      { playerName: 'Somebody', height: 1.7 },
    ),
  );
  const { personal } = readReplay(file);
  const copy = (range?: { start: number; end: number }): Buffer =>
    Buffer.concat(
      publicPieces(file.length, personal, range).map((piece) =>
        'zeros' in piece ? Buffer.alloc(piece.zeros) : file.subarray(piece.file.start, piece.file.end + 1),
      ),
    );

  test('is a replay without name, height and changes of the height, and the same otherwise', () => {
    expect(copy()).toHaveLength(publicSize(file.length, personal));
    const read = readReplay(copy());
    expect(read.info).toEqual({ ...readReplay(file).info, playerName: '', height: 0 });
    expect(recount(read)).toEqual(recount(readReplay(file)));
    expect(read.personal.heights.length).toBe(4);
  });

  test.each([1, 7, 40, file.length])('comes out of the reader too, in pieces of %i bytes', (size) => {
    const pieces: Buffer[] = [];
    const reader = createReplayReader({
      totalBytes: file.length,
      onPublic: (bytes) => pieces.push(Buffer.from(bytes)),
    });
    for (let at = 0; at < file.length; at += size) reader.write(file.subarray(at, at + size));
    reader.end();
    expect(Buffer.concat(pieces).equals(copy())).toBe(true);
  });

  test('can be read in any range', () => {
    const whole = copy();
    for (let start = 0; start < whole.length; start += 7)
      for (const length of [1, 5, 64, whole.length]) {
        const end = Math.min(whole.length, start + length) - 1;
        expect(copy({ start, end }).equals(whole.subarray(start, end + 1))).toBe(true);
      }
  });
});
