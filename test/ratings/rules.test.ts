import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterMatch,
  counted,
  EMPTY_TALLY,
  isProvisional,
  isSameChange,
  isSameStrength,
  type MatchScore,
  NEWCOMER,
  ranks,
  rateAgain,
  type Strength,
  shownRating,
} from '../../src/domains/ratings/rules.ts';
import library from './openskill-5.0.1.json' with { type: 'json' };
import { ratedInOrder } from './rated-in-order.ts';

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
    ratedInOrder([
      { red: 'Anna', blue: 'Bert', score: first },
      { red: 'Bert', blue: 'Cara', score: 1 },
      { red: 'Anna', blue: 'Cara', score: 0 },
    ]).map(({ red, blue }) =>
      [red, blue].map((one) => `${shownRating(one.before)}→${shownRating(one.after)}`),
    );

  test.each([
    [1, ['1000→1079', '1000→921'], ['921→1004', '1000→912'], ['1079→987', '912→1004']],
    [null, ['1000→1000', '1000→1000'], ['1000→1079', '1000→921'], ['1000→912', '921→1004']],
    [0, ['1000→921', '1000→1079'], ['1079→1147', '1000→928'], ['921→846', '928→1003']],
  ] as const)('depend on the first result as the documentation shows: %s', (first, ...matches) => {
    expect(shown(first)).toEqual(matches);
  });
});

describe('matches rated again', () => {
  const players = ['Anna', 'Bert', 'Cara', 'Dora', 'Emil'];
  const match = fc
    .record({
      pair: fc.shuffledSubarray(players, { minLength: 2, maxLength: 2 }),
      score: fc.constantFrom<MatchScore | null>(1, 0.5, 0, null),
    })
    .map(({ pair: [red = '', blue = ''], score }) => ({ red, blue, score }));

  test('come out as if the first result had been another from the start; only those that differ are returned', () => {
    fc.assert(
      fc.property(fc.array(match, { minLength: 2, maxLength: 12 }), match, fc.nat(), (played, other, cut) => {
        const before = ratedInOrder(played);
        const [first, ...later] = before.map(({ match: one, red, blue }) => ({
          ...one,
          stored: one.score === null ? null : { red, blue },
        }));
        const [corrected, ...expected] = ratedInOrder([
          { ...played[0], score: other.score } as typeof other,
          ...later,
        ]);
        if (!first || !corrected) throw new Error('Two matches at least.');
        const changed = new Map(
          (['red', 'blue'] as const).flatMap((seat) =>
            isSameStrength(corrected[seat].after, before[0]?.[seat].after ?? NEWCOMER)
              ? []
              : [[first[seat], corrected[seat].after]],
          ),
        );
        const at = cut % later.length;
        const again = [...rateAgain(later.slice(0, at), changed), ...rateAgain(later.slice(at), changed)];
        const found = new Map(again.map((one) => [one.match, one]));
        for (const [nth, one] of later.entries())
          for (const seat of ['red', 'blue'] as const) {
            const stored = before[nth + 1]?.[seat];
            expect(found.get(one)?.[seat] ?? stored).toEqual(expected[nth]?.[seat]);
          }
        for (const one of again)
          expect(
            [one.red, one.blue].some((change, side) => {
              const stored = before[later.indexOf(one.match) + 1]?.[side === 0 ? 'red' : 'blue'];
              return change && stored && !isSameChange(change, stored);
            }),
          ).toBe(true);
        const last = new Map(
          [corrected, ...expected].flatMap((one) => [
            [one.match.red, one.red.after],
            [one.match.blue, one.blue.after],
          ]),
        );
        for (const [player, strength] of changed) expect(strength).toEqual(last.get(player));
      }),
    );
  });

  test('cannot be rated without what is stored for them', () => {
    const unrated = { red: 'Anna', blue: 'Bert', score: 1, stored: null } as const;
    expect(() => rateAgain([unrated], new Map([['Anna', { mu: 30, sigma: 3 }]]))).toThrow(
      'has not been rated',
    );
    expect(rateAgain([unrated], new Map())).toEqual([]);
  });

  test('reach the stored strengths again when nothing differs any more', () => {
    const settled = { mu: 30, sigma: 3 };
    const after = afterMatch(settled, NEWCOMER, 1);
    const stored = {
      red: { before: { mu: 29, sigma: 3 }, after: after.red },
      blue: { before: NEWCOMER, after: after.blue },
    };
    const changed = new Map([['Anna', settled]]);
    expect(rateAgain([{ red: 'Anna', blue: 'Bert', score: 1, stored }], changed)).toHaveLength(1);
    expect(changed.size).toBe(0);
  });
});
