import {
  type Moment,
  type PairingRules,
  pair,
  type Waiting,
  windowAfter,
} from '../../src/domains/pairing/rules.ts';

/** Pairs players who wait, the longest waiting first. */
export type Matcher = (waiting: readonly Waiting[], moment: Moment) => [Waiting, Waiting][];

/** The contract's defaults. */
export const RULES: PairingRules = { initialGap: 150, gapPerSecond: 10, maxGap: null };

/** Whether the gap is within both windows. */
export function isInRange(a: Waiting, b: Waiting, now: number): boolean {
  return Math.abs(a.rating - b.rating) <= windowAfter(RULES, now - Math.max(a.joinedAt, b.joinedAt));
}

/** The rule of the service. */
const byTheRules: Matcher = (waiting, moment) => pair(waiting, { rules: RULES, ...moment });

/** First in, first out: each player meets the one who came before. */
const firstInFirstOut: Matcher = (waiting) => {
  const pairs: [Waiting, Waiting][] = [];
  for (let at = 0; at + 1 < waiting.length; at += 2)
    pairs.push([waiting[at] as Waiting, waiting[at + 1] as Waiting]);
  return pairs;
};

/**
 * Pairs neighbours of the line within their windows: as many pairs as possible, then the least sum of gaps. The time that
 * a player has waited does not count.
 */
const minimumGap: Matcher = (waiting, { now }) => {
  const line = waiting.toSorted((a, b) => a.rating - b.rating);
  interface Best {
    pairs: number;
    gap: number;
    /** Whether the last one considered is paired with the one before. */
    endsWithPair: boolean;
  }
  const nothing: Best = { pairs: 0, gap: 0, endsWithPair: false };
  /** The best pairing for the first so many. */
  const best: Best[] = [nothing];
  for (const [at, one] of line.entries()) {
    const alone = { ...(best[at] ?? nothing), endsWithPair: false };
    const before = line[at - 1];
    best.push(alone);
    if (before === undefined || !isInRange(before, one, now)) continue;
    const rest = best[at - 1] ?? nothing;
    const pairs = rest.pairs + 1;
    const gap = rest.gap + one.rating - before.rating;
    if (pairs > alone.pairs || (pairs === alone.pairs && gap < alone.gap))
      best[at + 1] = { pairs, gap, endsWithPair: true };
  }
  const found: [Waiting, Waiting][] = [];
  for (let left = line.length; left > 0; )
    if (best[left]?.endsWithPair) {
      found.push([line[left - 2] as Waiting, line[left - 1] as Waiting]);
      left -= 2;
    } else left -= 1;
  return found;
};

export const matchers: Record<'rules' | 'fifo' | 'minimum', { name: string; match: Matcher }> = {
  rules: { name: 'this service', match: byTheRules },
  fifo: { name: 'first in, first out', match: firstInFirstOut },
  minimum: { name: 'minimum gap per tick', match: minimumGap },
};
