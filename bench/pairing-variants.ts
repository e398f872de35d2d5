import { pair, type Waiting } from '../src/domains/pairing/rules.ts';
import type { Task, Variants } from './own-process.ts';
import { arrivals, momentOf, RULES, StandingCrowd } from './pairing-crowds.ts';

/** What `pairing.ts` compares, over the same waiting players. */

export const SIZES = [10_000, 100_000];

type Pairs = [Waiting, Waiting][];

/** By all the rules. */
export function byTheRules(waiting: readonly Waiting[], moment = momentOf(waiting)): Pairs {
  return pair(waiting, { rules: RULES, ...moment }).pairs;
}

/** The least that can be done, and nearly the smallest gaps there can be: no rule is kept. */
export function neighbours(waiting: readonly Waiting[]): Pairs {
  const sorted = [...waiting].sort((a, b) => a.rating - b.rating);
  const pairs: Pairs = [];
  for (let at = 0; at + 1 < sorted.length; at += 2)
    pairs.push([sorted[at] as Waiting, sorted[at + 1] as Waiting]);
  return pairs;
}

/** Fair but without windows and recent opponents: the longest waiter takes the nearest who is free. */
export function longestFirstNearestFree(waiting: readonly Waiting[]): Pairs {
  const line = waiting.toSorted((a, b) => a.rating - b.rating);
  const free = new Set(line.keys());
  const nearestFree = (at: number, step: 1 | -1): number => {
    let other = at + step;
    while (!free.has(other) && line[other] !== undefined) other += step;
    return other;
  };
  const gap = (a: number, b: number) =>
    Math.abs((line[a]?.rating ?? Number.NEGATIVE_INFINITY) - (line[b]?.rating ?? Number.NEGATIVE_INFINITY));
  const pairs: Pairs = [];
  for (const at of [...free].sort((a, b) => (line[a]?.joinedAt ?? 0) - (line[b]?.joinedAt ?? 0))) {
    if (!free.delete(at) || free.size === 0) continue;
    const [lower, higher] = [nearestFree(at, -1), nearestFree(at, 1)];
    const opponent = gap(at, lower) <= gap(at, higher) ? lower : higher;
    free.delete(opponent);
    pairs.push([line[at] as Waiting, line[opponent] as Waiting]);
  }
  return pairs;
}

/** @throws unless they are the pairs expected and everybody is in one of them at most */
function expectPairs(pairs: Pairs, expected: Pairs): void {
  const isExpected = ([a, b]: Pairs[number], at: number) =>
    a === expected[at]?.[0] && b === expected[at]?.[1];
  if (pairs.length !== expected.length || !pairs.every(isExpected)) throw new Error('These are other pairs.');
  if (new Set(pairs.flat()).size !== 2 * pairs.length) throw new Error('Somebody is in two pairs.');
}

/** The same players again and again. */
function repeated(run: () => Pairs): Task<Pairs> {
  const expected = run();
  return { run, check: (pairs) => expectPairs(pairs, expected) };
}

/** A tick of a crowd of which one in a hundred changed; what one form says, the other must say too. */
function tick(size: number, form: 'whole' | 'changes'): Task<Pairs> {
  const crowd = new StandingCrowd(size);
  const whole = () => byTheRules(waiting, crowd.moment);
  const changes = () => crowd.pairOnesChanged();
  let waiting: Waiting[] = [];
  let expected: Pairs = [];
  return {
    before: () => {
      waiting = crowd.moveOn();
      expected = form === 'whole' ? changes() : whole();
    },
    run: form === 'whole' ? whole : changes,
    check: (pairs) => expectPairs(pairs, expected),
  };
}

const variantsFor = (size: number): Variants => ({
  [`${size}: sort, pair neighbours`]: () => {
    const waiting = arrivals(size);
    return repeated(() => neighbours(waiting));
  },
  [`${size}: all rules`]: () => {
    const waiting = arrivals(size);
    const moment = momentOf(waiting);
    return repeated(() => byTheRules(waiting, moment));
  },
  [`${size}: full tick`]: () => tick(size, 'whole'),
  [`${size}: tick with 1 % change`]: () => tick(size, 'changes'),
});

export const variants: Variants = Object.assign({}, ...SIZES.map(variantsFor));
