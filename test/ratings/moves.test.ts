import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LadderPosition, movesOf } from '../../src/domains/ratings/moves.ts';

/** Ranks before and after some ratings of a ladder have changed, against ranks that are counted one by one. */

const rankIn = (positions: readonly LadderPosition[], { rating, matches }: LadderPosition): number | null =>
  matches > 0 ? positions.filter((one) => one.matches > 0 && one.rating > rating).length + 1 : null;

const place = fc.record({
  rating: fc.integer({ min: 995, max: 1005 }),
  matches: fc.integer({ min: 0, max: 2 }),
});
const unmoved = fc.record({
  rating: fc.integer({ min: 990, max: 1010 }),
  matches: fc.constant(1),
});

test('moves on a ladder are the same as counting all players', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ before: place, after: place }), { maxLength: 8 }),
      fc.array(unmoved, { maxLength: 12 }),
      (changed, others) => {
        const before = [...changed.map((one) => one.before), ...others];
        const after = [...changed.map((one) => one.after), ...others];
        const counts = new Map<number, number>();
        for (const { rating, matches } of before)
          if (matches > 0) counts.set(rating, (counts.get(rating) ?? 0) + 1);
        const { moves, shifts } = movesOf(
          [...counts].map(([rating, players]) => ({ rating, players })),
          changed.map((one, index) => ({ playerGuid: String(index), ...one })),
        );
        expect(moves).toEqual(
          changed.map((one, index) => ({
            playerGuid: String(index),
            ratingBefore: one.before.rating,
            ratingAfter: one.after.rating,
            rankBefore: rankIn(before, one.before),
            rankAfter: rankIn(after, one.after),
          })),
        );
        const shifted = others.filter((one) => rankIn(before, one) !== rankIn(after, one));
        expect(shifts.reduce((sum, { players }) => sum + players, 0)).toBe(shifted.length);
        for (const { rating, rankBefore, rankAfter } of shifts)
          expect([rankBefore, rankAfter]).toEqual([
            rankIn(before, { rating, matches: 1 }),
            rankIn(after, { rating, matches: 1 }),
          ]);
      },
    ),
  );
});
