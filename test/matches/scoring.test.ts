import { describe, expect, test } from 'vitest';
import { toServer } from '../../src/domains/matches/events.ts';
import {
  accuracyOf,
  modifiedScoreOf,
  playingMs,
  requirePossible,
} from '../../src/domains/matches/scoring.ts';
import type { Score } from '../../src/domains/matches/state.ts';
import type { PoolMap } from '../../src/domains/pools/index.ts';
import { ServiceError } from '../../src/platform/errors.ts';
import { Game, poolMap, SECOND, scoreOn } from './game.ts';

function refusal(map: Parameters<typeof requirePossible>[0], score: Score, playedMs = 1e9): string | null {
  try {
    requirePossible(map, score, playedMs, 0.8);
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

test('a minus zero is taken as the zero that the database stores', () => {
  const counts = { missCount: -0, badCutCount: -0 };
  const flags = { fullCombo: false, noFailTriggered: false, failed: true };
  const about = { matchGuid: '01900000-0000-7000-8000-000000000000', roundNumber: 1, ...flags };
  const score = toServer.submitScore.payload.parse({ ...about, rawScore: -0, modifiedScore: -0, ...counts });
  expect(score).toEqual({ ...about, rawScore: 0, modifiedScore: 0, missCount: 0, badCutCount: 0 });
});

describe('the modified score', () => {
  test.each([
    ['no modifier', [], 1_000_000],
    ['NF', ['NF'], 1_000_000],
    ['NB', ['NB'], 900_000],
    ['SS', ['SS'], 700_000],
    ['SFS', ['SFS'], 1_100_000],
    ['4L', ['4L'], 1_000_000],
    ['GN', ['GN'], 1_110_000],
    ['SA', ['SA'], 1_000_000],
    ['ZM', ['ZM'], 0],
    ['NW', ['NW'], 950_000],
    ['NA', ['NA'], 700_000],
    ['FS', ['FS'], 1_080_000],
    ['IF', ['IF'], 1_000_000],
    ['DA', ['DA'], 1_070_000],
    ['PM', ['PM'], 1_000_000],
    ['SN', ['SN'], 1_000_000],
    ['FS and DA', ['FS', 'DA'], 1_150_000],
    ['SFS, GN and NW', ['SFS', 'GN', 'NW'], 1_160_000],
    ['NB, NA, SS and NW', ['NB', 'NA', 'SS', 'NW'], 250_000],
    ['ZM and GN', ['ZM', 'GN'], 110_000],
    ['ZM and NW: never below nothing', ['ZM', 'NW'], 0],
  ])('of 1,000,000 with %s', (_name, modifiers, expected) => {
    expect(modifiedScoreOf(1_000_000, modifiers, false)).toBe(expected);
  });

  test('is halved only when No Fail was triggered', () => {
    expect(modifiedScoreOf(1_000_000, ['NF', 'FS'], false)).toBe(1_080_000);
    expect(modifiedScoreOf(1_000_000, ['NF', 'FS'], true)).toBe(580_000);
  });

  test('is rounded down in whole hundredths, where binary fractions would be one off', () => {
    // 1.15 × 100 is 114.99999999999999 in binary fractions.
    expect(modifiedScoreOf(100, ['FS', 'DA'], false)).toBe(115);
    expect(modifiedScoreOf(999, ['FS'], false)).toBe(1078);
    expect(modifiedScoreOf(1, ['NW'], false)).toBe(0);
  });
});

describe('the playing time', () => {
  test.each<[PoolMap['modifiers'], number]>([
    [[], 120_000],
    [['SS'], 150_000],
    [['FS'], 100_000],
    [['NF', 'SFS'], 80_000],
  ])('of two minutes with %j', (modifiers, expected) => {
    expect(playingMs(poolMap(1, { durationSeconds: 120, modifiers }))).toBe(expected);
  });

  test('is a whole number of milliseconds', () => {
    expect(playingMs(poolMap(1, { durationSeconds: 100, modifiers: ['FS'] }))).toBe(83_334);
  });
});

describe('accuracy', () => {
  const map = poolMap(1, { modifiers: ['NF', 'FS'] });

  test('is the raw score’s share of the maximum, modifiers or not', () => {
    expect(accuracyOf(map, scoreOn(map, 0.875))).toBe(0.875);
  });

  test('is halved when No Fail was triggered', () => {
    expect(accuracyOf(map, scoreOn(map, 0.875, { noFailTriggered: true }))).toBe(0.4375);
  });
});

describe('a score', () => {
  const plain = poolMap(1);
  const noFail = poolMap(2, { modifiers: ['NF'] });
  const good = scoreOn(plain, 0.9);

  test('is accepted when it is possible', () => {
    expect(refusal(plain, good)).toBeNull();
    expect(refusal(plain, scoreOn(plain, 0))).toBeNull();
    expect(refusal(plain, scoreOn(plain, 1, { fullCombo: true, missCount: 0, badCutCount: 0 }))).toBeNull();
    expect(refusal(noFail, scoreOn(noFail, 0.9, { noFailTriggered: true }))).toBeNull();
  });

  test.each<[string, Partial<Score>]>([
    ['below nothing', { rawScore: -1, modifiedScore: -1 }],
    ['above the maximum', { rawScore: 1_000_001, modifiedScore: 1_000_001 }],
    ['with another modified score', { modifiedScore: good.modifiedScore + 1 }],
    ['with No Fail triggered on a map without it', { noFailTriggered: true, modifiedScore: 450_000 }],
    ['as a full combo with a miss', { fullCombo: true, missCount: 1, badCutCount: 0 }],
    ['as a full combo with a bad cut', { fullCombo: true, missCount: 0, badCutCount: 1 }],
  ])('is refused %s', (_name, about) => {
    expect(refusal(plain, { ...good, ...about })).toBe('SCORE_IMPOSSIBLE');
  });

  test('is refused with the untriggered value once No Fail was triggered', () => {
    const score = scoreOn(noFail, 0.9, { noFailTriggered: true, modifiedScore: 900_000 });
    expect(refusal(noFail, score)).toBe('SCORE_IMPOSSIBLE');
  });

  test('is refused before the earliest share of the playing time, unless failed', () => {
    expect(refusal(plain, good, 79_999)).toBe('SCORE_IMPOSSIBLE');
    expect(refusal(plain, good, 80_000)).toBeNull();
    expect(refusal(plain, { ...good, failed: true }, 1000)).toBeNull();
    const faster = poolMap(3, { durationSeconds: 120, modifiers: ['SFS'] });
    expect(refusal(faster, scoreOn(faster, 0.9), 63_999)).toBe('SCORE_IMPOSSIBLE');
    expect(refusal(faster, scoreOn(faster, 0.9), 64_000)).toBeNull();
  });

  test('that is refused changes nothing', () => {
    const game = new Game().toPlaying();
    game.wait(100 * SECOND);
    const before = game.state;
    expect(game.red.submits({ ...good, modifiedScore: 1 })).toBe('SCORE_IMPOSSIBLE');
    expect(game.state).toBe(before);
    expect(game.red.submits(good)).toBe('changed');
  });
});
