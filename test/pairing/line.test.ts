import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Alarms, inOrder } from '../../src/domains/pairing/order.ts';
import {
  type Moment,
  PairingLine,
  type PairingRules,
  type Place,
  pair,
  REMATCH_WAY_OUT_MS,
  type Waiting,
  windowAfter,
} from '../../src/domains/pairing/rules.ts';

/** 100 unless said otherwise: the mutation test makes do with fewer. */
const { numRuns: RUNS = 100 } = fc.readConfigureGlobal() ?? {};

const START = 1_700_000_000_000;
const MINUTE_MS = 60_000;

/** The rule as one would say it, with no thought of time: the longest waiter picks the nearest in range. */
function plainly(
  waiting: readonly Waiting[],
  rules: PairingRules,
  { now, recentEnd }: Moment,
): [Waiting, Waiting][] {
  const line = waiting.toSorted((a, b) => a.rating - b.rating || a.joinedAt - b.joinedAt);
  const free = new Set(waiting);
  const pairs: [Waiting, Waiting][] = [];
  for (const one of waiting.toSorted((a, b) => a.joinedAt - b.joinedAt)) {
    if (!free.has(one)) continue;
    const gapTo = (other: Waiting) => Math.abs(other.rating - one.rating);
    const own = line.indexOf(one);
    const inRange = [...line.slice(0, own).reverse(), ...line.slice(own + 1)]
      .filter((other) => free.has(other))
      .filter((other) => gapTo(other) <= windowAfter(rules, now - Math.max(one.joinedAt, other.joinedAt)))
      .sort((a, b) => gapTo(a) - gapTo(b));
    const endOf = (other: Waiting) => recentEnd(one.playerGuid, other.playerGuid);
    const opponent =
      inRange.find((other) => endOf(other) === null) ??
      inRange.find(
        (other) => now - Math.max(one.joinedAt, other.joinedAt, endOf(other) ?? 0) >= REMATCH_WAY_OUT_MS,
      );
    if (opponent === undefined) continue;
    free.delete(one);
    free.delete(opponent);
    pairs.push([one, opponent]);
  }
  return pairs;
}

const anyRules = fc.record({
  initialGap: fc.constantFrom(0, 20, 150),
  gapPerSecond: fc.constantFrom(0, 1, 10, 0.7),
  maxGap: fc.constantFrom(null, 100, 400),
});
/** Few ratings and few moments, so that equals are the rule. */
const anyJoiner = fc.record({
  rating: fc.integer({ min: -20, max: 40 }).map((tens) => tens * 17),
  /** Above zero: an innocent player of an aborted match comes back with the old waiting time. Below: another node's clock runs ahead. */
  waitedMs: fc.constantFrom(0, 0, 0, 700, 20_000, 90_000, -3000),
});
interface Tick {
  joiners: { rating: number; waitedMs: number }[];
  /** Which of those who wait, counted round and round. */
  leavers: number[];
  passedMs: number;
}
const anyTick = (joiner: fc.Arbitrary<Tick['joiners'][number]>): fc.Arbitrary<Tick> =>
  fc.record({
    joiners: fc.array(joiner, { maxLength: 8 }),
    leavers: fc.array(fc.nat(), { maxLength: 3 }),
    passedMs: fc.constantFrom(1, 1000, 1000, 7333, 45_000),
  });

/** Every fifth two have met; when follows from who they are; half of them are free again soon. */
const someMetBy =
  (now: number): Moment['recentEnd'] =>
  (a, b) => {
    const [low = 0, high = 0] = [Number(a), Number(b)].sort((x, y) => x - y);
    if ((low * 7 + high * 3) % 5 !== 0) return null;
    const endedAt = START - MINUTE_MS + ((low + high) % 4) * 30_000;
    const freeAfterMs = low % 2 === 0 ? 10 * MINUTE_MS : 10_000;
    return now - endedAt > freeAfterMs ? null : endedAt;
  };

/** Lives through the ticks and compares each with the plain rule, as does the function without memory. */
function expectPlainPairs(rules: PairingRules, ticks: readonly Tick[]): void {
  const line = new PairingLine<Waiting>(rules);
  let waiting: Place<Waiting>[] = [];
  let now = START;
  let joined = 0;
  for (const { joiners, leavers, passedMs } of ticks) {
    now += passedMs;
    for (const { rating, waitedMs } of joiners)
      waiting.push(line.add({ playerGuid: `${joined++}`, rating, joinedAt: now - waitedMs }));
    for (const leaver of leavers) {
      const [left] = waiting.splice(leaver % Math.max(1, waiting.length), 1);
      if (left) line.remove(left);
    }
    const moment = { now, recentEnd: someMetBy(now) };
    const entries = waiting.map(({ entry }) => entry);
    const expected = plainly(entries, rules, moment);
    expect(pair(entries, { rules, ...moment }).pairs).toEqual(expected);
    expect(line.pair(moment).pairs).toEqual(expected);
    const paired = new Set(expected.flat());
    waiting = waiting.filter(({ entry }) => !paired.has(entry));
  }
}

describe('a line kept from tick to tick', () => {
  test('pairs in every tick exactly whom the plain rule pairs among the same players', () => {
    fc.assert(fc.property(anyRules, fc.array(anyTick(anyJoiner), { maxLength: 25 }), expectPlainPairs), {
      numRuns: 20 * RUNS,
    });
  });

  test('does so too where many wait far from each other and few come and go', () => {
    const rules = { initialGap: 30, gapPerSecond: 1, maxGap: 80 };
    const farApart = Array.from({ length: 80 }, (_, at) => ({ rating: at * 100, waitedMs: 0 }));
    const begin = { joiners: farApart, leavers: [], passedMs: 1 };
    const joiner = fc.record({ rating: fc.integer({ min: -50, max: 8050 }), waitedMs: fc.constant(0) });
    fc.assert(
      fc.property(fc.array(anyTick(joiner), { maxLength: 12 }), (ticks) =>
        expectPlainPairs(rules, [begin, ...ticks]),
      ),
      { numRuns: 5 * RUNS },
    );
  });

  test('pairs two who wait in the tick in which the narrower window reaches the gap, and not before', () => {
    const rules = { initialGap: 150, gapPerSecond: 10, maxGap: null };
    const line = new PairingLine<Waiting>(rules);
    line.add({ playerGuid: 'a', rating: 1000, joinedAt: START });
    line.add({ playerGuid: 'b', rating: 1200, joinedAt: START + 2000 });
    const pairsAt = (now: number) => line.pair({ now, recentEnd: () => null }).pairs.length;
    expect([2000, 4000, 6999, 7000].map((after) => pairsAt(START + after))).toEqual([0, 0, 0, 1]);
  });

  test('gives the longest waiter, not the one who arrives, the choice', () => {
    const line = new PairingLine<Waiting>({ initialGap: 150, gapPerSecond: 0, maxGap: null });
    const at = (now: number) => ({ now, recentEnd: () => null });
    line.add({ playerGuid: 'old', rating: 1000, joinedAt: START });
    expect(line.pair(at(START)).pairs).toEqual([]);
    line.add({ playerGuid: 'far', rating: 1100, joinedAt: START + 1 });
    line.add({ playerGuid: 'near', rating: 1090, joinedAt: START + 2 });
    expect(line.pair(at(START + 3)).pairs.map((two) => two.map((one) => one.playerGuid))).toEqual([
      ['old', 'near'],
    ]);
  });

  test('forgets who left, before the first tick as well as after it', () => {
    const line = new PairingLine<Waiting>({ initialGap: 150, gapPerSecond: 0, maxGap: null });
    const join = (playerGuid: string) => line.add({ playerGuid, rating: 1000, joinedAt: START });
    const early = join('early');
    line.remove(early);
    line.remove(early);
    const lone = join('lone');
    expect(line.pair({ now: START, recentEnd: () => null }).pairs).toEqual([]);
    line.remove(lone);
    join('other');
    expect(line.pair({ now: START, recentEnd: () => null }).pairs).toEqual([]);
  });
});

test('the order is the one of a stable sort', () => {
  const range = fc.constantFrom(3, 3000, 10_000_000, 2 ** 40);
  const keys = range.chain((max) => fc.array(fc.integer({ min: -max, max }), { maxLength: 200 }));
  fc.assert(
    fc.property(keys, (keys) => {
      const items = keys.map((key, at) => ({ key, at }));
      expect(inOrder(items, ({ key }) => key)).toEqual(items.toSorted((a, b) => a.key - b.key));
    }),
  );
});

test('alarms go off in the order of their moments, none before its own', () => {
  const moment = fc.integer({ min: 0, max: 50 });
  fc.assert(
    fc.property(fc.array(fc.array(moment)), (rounds) => {
      const alarms = new Alarms<number>();
      let set: number[] = [];
      for (const [at, round] of rounds.entries()) {
        const now = at * 10;
        for (const when of round) alarms.set(when, when);
        set.push(...round);
        const due: number[] = [];
        for (let one = alarms.takeDue(now); one !== null; one = alarms.takeDue(now)) due.push(one);
        expect(due).toEqual(set.filter((when) => when <= now).sort((a, b) => a - b));
        set = set.filter((when) => when > now);
      }
    }),
  );
});
