import { describe, expect, test } from 'vitest';
import {
  missedOutages,
  type Outage,
  outageFrom,
  STOOD_STILL_MS,
  servedAfter,
  servedBefore,
} from '../../src/domains/outages/rules.ts';

/** When an outage is found, and for which outages a match is compensated. */

describe('whether it is an outage when no node was in service', () => {
  test.each([
    ['never before: no', { inServiceUntil: null, now: 9000, isRestart: true }, null],
    ['for a moment: no', { inServiceUntil: 1000, now: 1500, isRestart: false }, null],
    [
      'for a millisecond less than five seconds: no',
      { inServiceUntil: 1000, now: 1000 + STOOD_STILL_MS - 1, isRestart: false },
      null,
    ],
    [
      'for five seconds: yes',
      { inServiceUntil: 1000, now: 6000, isRestart: false },
      { since: 1000, until: 6000 },
    ],
    [
      'for a day: yes',
      { inServiceUntil: 0, now: 86_400_000, isRestart: false },
      { since: 0, until: 86_400_000 },
    ],
    [
      'for a second, and the node is new: yes',
      { inServiceUntil: 1000, now: 2000, isRestart: true },
      { since: 1000, until: 2000 },
    ],
    ['for no time, and the node is new: no', { inServiceUntil: 1000, now: 1000, isRestart: true }, null],
    ['by a clock that went back: no', { inServiceUntil: 9000, now: 1000, isRestart: true }, null],
  ])('%s', (_name, evidence, outage) => {
    expect(outageFrom(evidence)).toEqual(outage);
  });
});

describe('a match is compensated for', () => {
  const outages: Outage[] = [
    { number: 1, since: 1000, until: 7000 },
    { number: 2, since: 7400, until: 20_000 },
    { number: 5, since: 50_000, until: 58_000 },
  ];
  const life = (createdAt: number, lastOutage = 0, endedAt: number | null = null) => ({
    createdAt,
    lastOutage,
    endedAt,
  });

  test('every outage once, in order', () => {
    expect(missedOutages(life(0), outages)).toEqual([
      { outage: 1, downMs: 6000, until: 7000 },
      { outage: 2, downMs: 12_600, until: 20_000 },
      { outage: 5, downMs: 8000, until: 58_000 },
    ]);
    expect(missedOutages(life(0, 2), outages)).toEqual([{ outage: 5, downMs: 8000, until: 58_000 }]);
    expect(missedOutages(life(0, 5), outages)).toEqual([]);
  });

  test('the part of an outage in which it existed', () => {
    expect(missedOutages(life(10_000), outages)).toEqual([
      { outage: 2, downMs: 10_000, until: 20_000 },
      { outage: 5, downMs: 8000, until: 58_000 },
    ]);
    expect(missedOutages(life(58_000), outages), 'made when it was over').toEqual([]);
  });

  test('nothing once it has ended', () => {
    expect(missedOutages(life(0, 0, 900), outages)).toEqual([]);
  });
});

describe('the time of a limit in which the service was there', () => {
  const outages: Outage[] = [
    { number: 1, since: 1000, until: 7000 },
    { number: 2, since: 8000, until: 20_000 },
  ];

  test.each([
    ['without an outage in it', 500, 400, 900],
    ['until an outage begins', 500, 500, 7000],
    ['over an outage', 500, 1000, 7500],
    ['over two outages', 500, 2000, 20_500],
    ['from within an outage', 4000, 500, 7500],
    ['from within an outage over the next one', 4000, 1500, 20_500],
    ['after all outages', 20_000, 5000, 25_000],
  ])('%s', (_name, from, ms, end) => {
    expect(servedAfter(from, ms, outages)).toBe(end);
  });

  test.each([
    ['without an outage in it', 900, 400, 500],
    ['since an outage ended', 7500, 500, 1000],
    ['over an outage', 7500, 1000, 500],
    ['over two outages', 20_500, 2000, 500],
    ['until within an outage', 10_000, 500, 7500],
    ['until within an outage over the one before it', 10_000, 1500, 500],
    ['before all outages', 800, 5000, -4200],
  ])('%s, counted from its end', (_name, at, ms, from) => {
    expect(servedBefore(at, ms, outages)).toBe(from);
  });

  test('is over at the same moment in both ways of counting', () => {
    for (let from = 0; from < 22_000; from += 250)
      for (let now = from; now < 24_000; now += 250) {
        // While an outage lasts nobody asks.
        if (outages.some(({ since, until }) => now > since && now < until)) continue;
        const known = outages.filter(({ until }) => until <= now);
        const isOver = now > servedAfter(from, 1500, known);
        expect([from, now, from < servedBefore(now, 1500, known)]).toEqual([from, now, isOver]);
      }
  });
});
