import { describe, expect, test } from 'vitest';
import { players, simulateDay } from '../../scripts/simulation/day.ts';
import { matchers } from '../../scripts/simulation/matchers.ts';
import { mean } from '../../scripts/simulation/statistics.ts';

const crowd = players(1000, 1);
const dayOf = (which: keyof typeof matchers) => simulateDay(crowd, matchers[which].match, 2);

describe('a simulated day', () => {
  const service = dayOf('rules');

  test('is the same every time', () => {
    expect(dayOf('rules')).toEqual(service);
  });
  test('never pairs two later players first; the minimum-gap method does', () => {
    expect(service.passedOver).toBe(0);
    expect(dayOf('minimum').passedOver).toBeGreaterThan(0);
  });
  test('pairs nearer ratings than first in, first out, and fewer of the same two again', () => {
    const fifo = dayOf('fifo');
    expect(mean(service.gaps)).toBeLessThan(mean(fifo.gaps) / 2);
    expect(service.repeats).toBeLessThan(dayOf('minimum').repeats);
  });
  test('has two waiting times for every match', () => {
    expect(service.waits.flat()).toHaveLength(2 * service.gaps.length);
  });
});

test('the minimum gap takes the most pairs, then the least gaps', () => {
  const line = [1000, 1100, 1110, 1200].map((rating) => ({
    playerGuid: String(rating),
    rating,
    joinedAt: 0,
  }));
  const ratings = (count: number) =>
    matchers.minimum
      .match(line.slice(0, count), { now: 0, recentEnd: () => null })
      .map((two) => two.map(({ rating }) => rating));
  expect(ratings(3)).toEqual([[1100, 1110]]);
  expect(ratings(4)).toEqual([
    [1110, 1200],
    [1000, 1100],
  ]);
});
