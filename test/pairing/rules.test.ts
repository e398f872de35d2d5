import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type PairingRules,
  pair,
  recentEnds,
  type Waiting,
  windowAfter,
} from '../../src/domains/pairing/rules.ts';

const rules: PairingRules = { initialGap: 150, gapPerSecond: 10, maxGap: null };
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
) => names(pair(entries, { rules: its, now: NOW, recentEnd }).pairs);

describe('a window', () => {
  test('starts at the initial gap and widens by the second', () => {
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
  test('serves the longest waiter first, with the nearest rating', () => {
    expect(pairAll([waiting('new', 1000, 0), waiting('old', 1010, 30), waiting('near', 1015, 5)])).toEqual([
      'old-near',
    ]);
  });
  test('leaves the longest waiter out only when nobody is in range', () => {
    expect(pairAll([waiting('outlier', 2000, 10), waiting('a', 1000, 0), waiting('b', 1001, 0)])).toEqual([
      'a-b',
    ]);
  });
  test('needs the gap to be within both windows', () => {
    // 300 apart: the one who waited 20 s accepts 350, the newcomer only 150.
    expect(pairAll([waiting('patient', 1000, 20), waiting('newcomer', 1300, 0)])).toEqual([]);
    expect(pairAll([waiting('patient', 1000, 20), waiting('other', 1300, 15)])).toEqual(['patient-other']);
  });
  test('looks past a near one with a narrow window to a farther one with a wide one', () => {
    const narrow = waiting('narrow', 1200, 0);
    const wide = waiting('wide', 1210, 30);
    expect(pairAll([waiting('patient', 1000, 60), narrow, wide])).toEqual(['patient-wide']);
  });
  test('an outlier finds somebody in the end', () => {
    expect(pairAll([waiting('outlier', 2500, 200), waiting('regular', 1000, 150)])).toEqual([
      'outlier-regular',
    ]);
  });
  test('with a largest gap an outlier may find nobody', () => {
    const capped = { ...rules, maxGap: 400 };
    expect(
      pairAll([waiting('outlier', 2500, 2000), waiting('regular', 1000, 1500)], nobodyMet, capped),
    ).toEqual([]);
  });
});

describe('a recent opponent', () => {
  const met = (endedSecondsAgo: number) => () => NOW - endedSecondsAgo * 1000;
  test('is not met again at once', () => {
    expect(pairAll([waiting('a', 1000, 30), waiting('b', 1000, 30)], met(45))).toEqual([]);
  });
  test('gives way to anybody else in range', () => {
    const onlyAB = (a: string, b: string) => ([a, b].sort().join('') === 'ab' ? NOW - 300_000 : null);
    expect(pairAll([waiting('a', 1000, 90), waiting('b', 1000, 90), waiting('c', 1100, 0)], onlyAB)).toEqual([
      'a-c',
    ]);
  });
  test('is met again when nobody else was in range for a minute', () => {
    expect(pairAll([waiting('a', 1000, 60), waiting('b', 1000, 61)], met(300))).toEqual(['b-a']);
    expect(pairAll([waiting('a', 1000, 59), waiting('b', 1000, 90)], met(300))).toEqual([]);
  });
  test('is not met sooner because an old waiting time came back', () => {
    expect(pairAll([waiting('a', 1000, 500), waiting('b', 1000, 500)], met(10))).toEqual([]);
  });
});

test('of several meetings of two the last one counts, whoever asks for whom', () => {
  const meeting = (redGuid: string, blueGuid: string, endedAt: number) => ({ redGuid, blueGuid, endedAt });
  const recentEnd = recentEnds([meeting('a', 'b', 5), meeting('b', 'a', 9), meeting('a', 'b', 7)]);
  expect([recentEnd('a', 'b'), recentEnd('b', 'a')]).toEqual([9, 9]);
  expect([recentEnd('a', 'c'), recentEnd('c', 'a')]).toEqual([null, null]);
});

test('over any crowd: nobody twice, every gap within both windows, nobody in range left over', () => {
  const entry = fc.record({
    rating: fc.integer({ min: 0, max: 3000 }),
    waited: fc.integer({ min: 0, max: 300 }),
  });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 60 }), (crowd) => {
      const entries = crowd.map(({ rating, waited }, at) => waiting(`p${at}`, rating, waited));
      const { pairs } = pair(entries, { rules, now: NOW, recentEnd: nobodyMet });
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

test('over any crowd: nobody is left out in favour of two who joined later and were both in range', () => {
  const entry = fc.record({
    rating: fc.integer({ min: 900, max: 1400 }),
    waited: fc.integer({ min: 0, max: 60 }),
  });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 3, maxLength: 25 }), (crowd) => {
      const entries = crowd.map(({ rating, waited }, at) => waiting(`p${at}`, rating, waited));
      const { pairs } = pair(entries, { rules, now: NOW, recentEnd: nobodyMet });
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
