import { describe, expect, test } from 'vitest';
import {
  afterMatch,
  counted,
  EMPTY_TALLY,
  isProvisional,
  type MatchScore,
  NEWCOMER,
  ranks,
  rateInOrder,
  type Strength,
  shownRating,
} from '../../src/domains/ratings/rules.ts';
import library from './openskill-5.0.1.json' with { type: 'json' };

/** Weng & Lin 2011, algorithm 1, written down once more by hand for two players. */
function byHand(one: Strength, two: Strength, score: number): Strength {
  const beta = 25 / 6;
  const tau = 25 / 300;
  const variance = one.sigma ** 2 + tau ** 2;
  const c = Math.sqrt(variance + two.sigma ** 2 + tau ** 2 + 2 * beta ** 2);
  const expected = 1 / (1 + Math.exp((two.mu - one.mu) / c));
  const shrink = (Math.sqrt(variance) / c) * (variance / c ** 2) * expected * (1 - expected);
  return {
    mu: one.mu + (variance / c) * (score - expected),
    sigma: Math.sqrt(variance * (1 - shrink)),
  };
}

describe('a rating', () => {
  test('starts at 1000, provisional', () => {
    expect(shownRating(NEWCOMER)).toBe(1000);
    expect(isProvisional(NEWCOMER)).toBe(true);
  });

  test.each<[Strength, Strength, 1 | 0.5 | 0]>([
    [NEWCOMER, NEWCOMER, 1],
    [NEWCOMER, NEWCOMER, 0.5],
    [{ mu: 30, sigma: 3 }, { mu: 22, sigma: 7 }, 0],
    [{ mu: 30, sigma: 3 }, { mu: 22, sigma: 7 }, 0.5],
    [{ mu: 12.5, sigma: 1.5 }, { mu: 40, sigma: 8 }, 1],
  ])('changes by the formula of the paper: %j against %j, %d', (red, blue, score) => {
    const after = afterMatch(red, blue, score);
    const expected = { red: byHand(red, blue, score), blue: byHand(blue, red, 1 - score) };
    for (const side of ['red', 'blue'] as const) {
      expect(after[side].mu).toBeCloseTo(expected[side].mu, 10);
      expect(after[side].sigma).toBeCloseTo(expected[side].sigma, 10);
    }
  });

  test('changes bit for bit as the library openskill computes it', () => {
    expect(library.matches.length).toBeGreaterThan(450);
    const strength = ([mu, sigma]: number[]): Strength => ({ mu: mu as number, sigma: sigma as number });
    for (const match of library.matches) {
      const [red, blue, score, redAfter, blueAfter] = match as [
        number[],
        number[],
        MatchScore,
        number[],
        number[],
      ];
      expect(afterMatch(strength(red), strength(blue), score), JSON.stringify(match)).toEqual({
        red: strength(redAfter),
        blue: strength(blueAfter),
      });
    }
  });

  test('changes by the numbers of the worked example in the documentation', () => {
    const first = afterMatch(NEWCOMER, NEWCOMER, 1);
    expect([shownRating(first.red), shownRating(first.blue)]).toEqual([1079, 921]);
    const settled = { mu: 25, sigma: 2.5 };
    const ahead = { mu: 25 + 200 / 30, sigma: 2.5 };
    const expectedWin = afterMatch(ahead, settled, 1);
    expect([shownRating(expectedWin.red), shownRating(expectedWin.blue)]).toEqual([1208, 992]);
    const upset = afterMatch(ahead, settled, 0);
    expect([shownRating(upset.red), shownRating(upset.blue)]).toEqual([1180, 1020]);
    const drawn = afterMatch(ahead, settled, 0.5);
    expect([shownRating(drawn.red), shownRating(drawn.blue)]).toEqual([1194, 1006]);
  });

  test('stays after a draw between equals, and becomes more certain', () => {
    const { red, blue } = afterMatch(NEWCOMER, NEWCOMER, 0.5);
    expect([red.mu, blue.mu]).toEqual([25, 25]);
    expect(red.sigma).toBeLessThan(NEWCOMER.sigma);
  });

  test('never falls by winning, whichever player is beaten', () => {
    for (const mu of [-50, 0, 25, 60])
      for (const sigma of [0.5, 3, 25 / 3]) {
        const { red, blue } = afterMatch({ mu, sigma }, NEWCOMER, 1);
        expect(red.mu).toBeGreaterThanOrEqual(mu);
        expect(blue.mu).toBeLessThanOrEqual(NEWCOMER.mu);
      }
  });

  test('is no longer provisional after the tenth match between equals', () => {
    let strength = NEWCOMER;
    const provisional: boolean[] = [];
    for (let n = 1; n <= 10; n++) {
      strength = afterMatch(strength, { mu: strength.mu, sigma: strength.sigma }, n % 2 === 0 ? 1 : 0).red;
      provisional.push(isProvisional(strength));
    }
    expect(provisional).toEqual([true, true, true, true, true, true, true, true, true, false]);
  });
});

test('a win streak ends with everything but a win', () => {
  const twice = counted(counted(EMPTY_TALLY, 1), 1);
  expect(twice).toEqual({ wins: 2, losses: 0, draws: 0, winStreak: 2 });
  expect(counted(twice, 0.5)).toEqual({ wins: 2, losses: 0, draws: 1, winStreak: 0 });
  expect(counted(twice, 0)).toEqual({ wins: 2, losses: 1, draws: 0, winStreak: 0 });
});

test('equal ratings share a rank and the ranks after them are left out', () => {
  const rows = [1100, 1090, 1090, 1080, 1080, 1080, 1000].map((rating) => ({ rating }));
  expect(ranks(rows, 0, 0)).toEqual([1, 2, 2, 4, 4, 4, 7]);
  expect(ranks(rows.slice(2), 1, 2), 'a page that begins among equals').toEqual([2, 4, 4, 4, 7]);
  expect(ranks(rows.slice(5), 3, 5)).toEqual([4, 7]);
  expect(ranks([], 0, 0)).toEqual([]);
});

describe('matches rated in order', () => {
  const shown = (first: 1 | 0 | null) =>
    rateInOrder(
      [
        { red: 'Anna', blue: 'Bert', score: first },
        { red: 'Bert', blue: 'Cara', score: 1 },
        { red: 'Anna', blue: 'Cara', score: 0 },
      ],
      new Map(),
    ).map(({ red, blue }) =>
      [red, blue].map((one) => `${shownRating(one.before)}→${shownRating(one.after)}`),
    );

  test.each([
    [1, ['1000→1079', '1000→921'], ['921→1004', '1000→912'], ['1079→987', '912→1004']],
    [null, ['1000→1000', '1000→1000'], ['1000→1079', '1000→921'], ['1000→912', '921→1004']],
    [0, ['1000→921', '1000→1079'], ['1079→1147', '1000→928'], ['921→846', '928→1003']],
  ] as const)('depend on the first result as the documentation shows: %s', (first, ...matches) => {
    expect(shown(first)).toEqual(matches);
  });

  test('begin where the players stood before', () => {
    const settled = { mu: 30, sigma: 3 };
    const [rated] = rateInOrder([{ red: 'Anna', blue: 'Bert', score: 0.5 }], new Map([['Anna', settled]]));
    expect(rated?.red).toEqual({ before: settled, after: afterMatch(settled, NEWCOMER, 0.5).red });
    expect(rated?.blue.before).toEqual(NEWCOMER);
  });
});
