import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Moment,
  type PairingRules,
  pair,
  RECENT_OPPONENT_AFTER_MS,
  recentEnds,
  type Waiting,
  windowAfter,
} from '../../src/domains/pairing/rules.ts';

const rules: PairingRules = { initialGap: 150, gapPerSecond: 10, maxGap: null };
/** 100 by default; the mutation test needs fewer. */
const { numRuns: RUNS = 100 } = fc.readConfigureGlobal() ?? {};

const NOW = 1_000_000_000;
const nobodyMet = () => null;

const waiting = (playerGuid: string, rating: number, waitedSeconds: number): Waiting => ({
  playerGuid,
  rating,
  joinedAt: NOW - waitedSeconds * 1000,
});
const names = (pairs: [Waiting, Waiting][]) => pairs.map(([a, b]) => `${a.playerGuid}-${b.playerGuid}`);
const pairAll = (
  entries: Waiting[],
  recentEnd: (a: string, b: string) => number | null = nobodyMet,
  its = rules,
) => names(pair(entries, { rules: its, now: NOW, recentEnd }));

describe('a window', () => {
  test('starts at the initial gap and widens every second', () => {
    expect(windowAfter(rules, 0)).toBe(150);
    expect(windowAfter(rules, 20_000)).toBe(350);
  });
  test('never exceeds the largest gap', () => {
    expect(windowAfter({ ...rules, maxGap: 200 }, 60_000)).toBe(200);
  });
  test('does not shrink when a clock runs behind', () => {
    expect(windowAfter(rules, -5000)).toBe(150);
  });
});

describe('pairing', () => {
  test('gives the player who has waited longest the nearest rating', () => {
    expect(pairAll([waiting('new', 1000, 0), waiting('old', 1010, 30), waiting('near', 1015, 5)])).toEqual([
      'old-near',
    ]);
  });
  test('skips the player who has waited longest only when nobody is in range', () => {
    expect(pairAll([waiting('outlier', 2000, 10), waiting('a', 1000, 0), waiting('b', 1001, 0)])).toEqual([
      'a-b',
    ]);
  });
  test('needs the gap to be within both windows', () => {
    // 300 apart: the one who waited 20 s accepts 350, the newcomer only 150.
    expect(pairAll([waiting('patient', 1000, 20), waiting('newcomer', 1300, 0)])).toEqual([]);
    expect(pairAll([waiting('patient', 1000, 20), waiting('other', 1300, 15)])).toEqual(['patient-other']);
  });
  test('chooses a farther player with a wide window over a nearer one with a narrow window', () => {
    const narrow = waiting('narrow', 1200, 0);
    const wide = waiting('wide', 1210, 30);
    expect(pairAll([waiting('patient', 1000, 60), narrow, wide])).toEqual(['patient-wide']);
  });
  test('of two at the same distance chooses the lower one, of several there the one who has waited longest', () => {
    expect(
      pairAll([waiting('low', 990, 0), waiting('high', 1010, 10), waiting('own', 1000, 20)], nobodyMet),
    ).toEqual(['own-low']);
    expect(
      pairAll([
        waiting('own', 1000, 20),
        waiting('late', 990, 1),
        waiting('early', 990, 9),
        waiting('mid', 990, 5),
      ]),
    ).toEqual(['own-early', 'mid-late']);
  });
  test('decides between players of the same millisecond by their guid', () => {
    const same = ['c', 'a', 'd', 'b'].map((name) => waiting(name, 1000, 5));
    expect(pairAll(same)).toEqual(['a-b', 'c-d']);
    expect(pairAll(same.toReversed())).toEqual(['a-b', 'c-d']);
  });
  test('pairs an outlier in the end', () => {
    expect(pairAll([waiting('outlier', 2500, 200), waiting('regular', 1000, 150)])).toEqual([
      'outlier-regular',
    ]);
  });
  test('may never pair an outlier when there is a largest gap', () => {
    const capped = { ...rules, maxGap: 400 };
    expect(
      pairAll([waiting('outlier', 2500, 2000), waiting('regular', 1000, 1500)], nobodyMet, capped),
    ).toEqual([]);
  });
});

describe('a recent opponent', () => {
  const met = (endedSecondsAgo: number) => () => NOW - endedSecondsAgo * 1000;
  test('is not paired again at once', () => {
    expect(pairAll([waiting('a', 1000, 30), waiting('b', 1000, 30)], met(45))).toEqual([]);
  });
  test('is chosen only when nobody else is in range', () => {
    const onlyAB = (a: string, b: string) => ([a, b].sort().join('') === 'ab' ? NOW - 300_000 : null);
    expect(pairAll([waiting('a', 1000, 90), waiting('b', 1000, 90), waiting('c', 1100, 0)], onlyAB)).toEqual([
      'a-c',
    ]);
  });
  test('is paired again when nobody else was in range for a minute', () => {
    expect(pairAll([waiting('a', 1000, 60), waiting('b', 1000, 61)], met(300))).toEqual(['b-a']);
    expect(pairAll([waiting('a', 1000, 59), waiting('b', 1000, 90)], met(300))).toEqual([]);
  });
  test('is not paired sooner because of an old waiting time', () => {
    expect(pairAll([waiting('a', 1000, 500), waiting('b', 1000, 500)], met(10))).toEqual([]);
  });
});

test('the last one of several meetings counts, for both players', () => {
  const meeting = (redGuid: string, blueGuid: string, endedAt: number) => ({ redGuid, blueGuid, endedAt });
  const recentEnd = recentEnds([meeting('a', 'b', 5), meeting('b', 'a', 9), meeting('a', 'b', 7)]);
  expect([recentEnd('a', 'b'), recentEnd('b', 'a')]).toEqual([9, 9]);
  expect([recentEnd('a', 'c'), recentEnd('c', 'a')]).toEqual([null, null]);
});

test('in a random crowd nobody is paired twice, every gap is within both windows, and nobody in range is left', () => {
  const entry = fc.record({
    rating: fc.integer({ min: 0, max: 3000 }),
    waited: fc.integer({ min: 0, max: 300 }),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60 }), (crowd) => {
      const entries = crowd.map(({ rating, waited }, at) => waiting(`p${at}`, rating, waited));
      const pairs = pair(entries, { rules, now: NOW, recentEnd: nobodyMet });
      const paired = new Set(pairs.flat().map((one) => one.playerGuid));
      expect(paired.size).toBe(pairs.length * 2);
      const fits = (a: Waiting, b: Waiting) =>
        Math.abs(a.rating - b.rating) <=
        Math.min(windowAfter(rules, NOW - a.joinedAt), windowAfter(rules, NOW - b.joinedAt));
      for (const [a, b] of pairs) expect(fits(a, b)).toBe(true);
      const left = entries.filter((one) => !paired.has(one.playerGuid));
      for (const a of left) for (const b of left) if (a !== b) expect(fits(a, b)).toBe(false);
    }),
  );
});

test('in a random crowd nobody is left out while two who joined later are paired, if they were in range', () => {
  const entry = fc.record({
    rating: fc.integer({ min: 900, max: 1400 }),
    waited: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 3, maxLength: 25 }), (crowd) => {
      const entries = crowd.map(({ rating, waited }, at) => waiting(`p${at}`, rating, waited));
      const pairs = pair(entries, { rules, now: NOW, recentEnd: nobodyMet });
      const paired = new Set(pairs.flat());
      const fits = (a: Waiting, b: Waiting) =>
        Math.abs(a.rating - b.rating) <=
        Math.min(windowAfter(rules, NOW - a.joinedAt), windowAfter(rules, NOW - b.joinedAt));
      for (const lonely of entries.filter((one) => !paired.has(one)))
        for (const [a, b] of pairs)
          if (a.joinedAt > lonely.joinedAt && b.joinedAt > lonely.joinedAt)
            expect(fits(lonely, a) || fits(lonely, b)).toBe(false);
    }),
  );
});

/** The rule written down naively: each pair is found by comparing everybody. */
function naively(waiting: readonly Waiting[], rules: PairingRules, { now, recentEnd }: Moment) {
  const byWait = (a: Waiting, b: Waiting) =>
    a.joinedAt - b.joinedAt || (a.playerGuid < b.playerGuid ? -1 : 1);
  const windowOf = (one: Waiting) => windowAfter(rules, now - one.joinedAt);
  const free = new Set(waiting);
  const pairs: [Waiting, Waiting][] = [];
  for (const one of waiting.toSorted(byWait)) {
    if (!free.has(one)) continue;
    const gapTo = (other: Waiting) => Math.abs(other.rating - one.rating);
    const inRange = [...free]
      .filter((other) => other !== one && gapTo(other) <= Math.min(windowOf(one), windowOf(other)))
      .sort((a, b) => gapTo(a) - gapTo(b) || a.rating - b.rating || byWait(a, b));
    const endWith = (other: Waiting) => recentEnd(one.playerGuid, other.playerGuid);
    const opponent =
      inRange.find((other) => endWith(other) === null) ??
      inRange.find(
        (other) =>
          now - Math.max(one.joinedAt, other.joinedAt, endWith(other) ?? 0) >= RECENT_OPPONENT_AFTER_MS,
      );
    if (opponent === undefined) continue;
    free.delete(one);
    free.delete(opponent);
    pairs.push([one, opponent]);
  }
  return pairs;
}

describe('in a random crowd the pairs are those of the rule written down naively', () => {
  const anyRules = fc.record({
    initialGap: fc.constantFrom(0, 20, 150),
    gapPerSecond: fc.constantFrom(0, 1, 10, 0.7),
    maxGap: fc.constantFrom(null, 100, 400),
  });
  /** Pairs of recent opponents, by their indexes in the crowd. */
  const anyMeetings = fc.array(
    fc.record({ a: fc.nat(39), b: fc.nat(39), endedSecondsAgo: fc.integer({ min: 0, max: 120 }) }),
    { maxLength: 60 },
  );
  const expectSame = (
    crowd: readonly { rating: number; waited: number }[],
    meetings: readonly { a: number; b: number; endedSecondsAgo: number }[],
    its: PairingRules,
  ): void => {
    const entries = crowd.map(({ rating, waited }, at) => waiting(`p${at}`, rating, waited));
    const recentEnd = recentEnds(
      meetings.map(({ a, b, endedSecondsAgo }) => ({
        redGuid: `p${a}`,
        blueGuid: `p${b}`,
        endedAt: NOW - endedSecondsAgo * 1000,
      })),
    );
    const moment = { now: NOW, recentEnd };
    expect(names(pair(entries, { rules: its, ...moment }))).toEqual(names(naively(entries, its, moment)));
  };

  test('with few different ratings and waiting times, so that many are equal', () => {
    const entry = fc.record({
      rating: fc.integer({ min: -10, max: 20 }).map((steps) => steps * 17),
      // Below zero: the clock of the node that let the player in runs ahead.
      waited: fc.constantFrom(-3, 0, 0, 0.7, 20, 60, 61, 90),
    });
    fc.assert(fc.property(fc.array(entry, { maxLength: 40 }), anyMeetings, anyRules, expectSame), {
      numRuns: 10 * RUNS,
    });
  });
  test('with ratings far apart and long waits', () => {
    const entry = fc.record({
      rating: fc.integer({ min: 0, max: 6000 }),
      waited: fc.integer({ min: 0, max: 600 }),
    });
    fc.assert(fc.property(fc.array(entry, { maxLength: 40 }), anyMeetings, anyRules, expectSame), {
      numRuns: 10 * RUNS,
    });
  });
});
