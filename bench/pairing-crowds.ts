import { pair, recentEnds, type Waiting } from '../src/domains/pairing/rules.ts';
import type { Task, Variants } from './own-process.ts';

/** The waiting players in the measurements of pairing: the same in every process. */

export const RULES = { initialGap: 150, gapPerSecond: 10, maxGap: null };
export const WAITING = 10_000;
const NOW = 1_700_000_000_000;

const guidOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

/** Numbers from 0 to 1 (a linear congruence, as in Numerical Recipes). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const crowd = (
  one: (at: number, random: () => number) => { rating: number; waitedMs: number },
): Waiting[] => {
  const random = seeded(WAITING);
  return Array.from({ length: WAITING }, (_, at) => {
    const { rating, waitedMs } = one(at, random);
    return { playerGuid: guidOf(at), rating, joinedAt: NOW - Math.floor(waitedMs) };
  });
};

/** 2000 apart, joined within the last two seconds: nobody is in range of anybody for three minutes. */
export const farApart = (): Waiting[] =>
  crowd((at, random) => ({ rating: at * 2000, waitedMs: random() * 2000 }));

const crowds: Record<string, () => Waiting[]> = {
  'ratings in a bell, joined within two minutes': () =>
    crowd((_, random) => ({
      rating: Math.round(1000 + 250 * Math.sqrt(3) * (random() + random() + random() + random() - 2)),
      waitedMs: random() * 120_000,
    })),
  'the same rating, as when a season begins': () =>
    crowd((_, random) => ({ rating: 1000, waitedMs: random() * 1000 })),
  'nobody in range of anybody': farApart,
  'one in a hundred waits for up to an hour among newcomers out of range': () =>
    crowd((at, random) => ({ rating: at * 151, waitedMs: at % 100 === 0 ? random() * 3_600_000 : 0 })),
};

/** In every crowd half of all have met within the last ten minutes: every third met one of the twentieth next above in rating. */
function meetingsOf(waiting: readonly Waiting[]) {
  const random = seeded(1);
  const byRating = waiting.toSorted((a, b) => a.rating - b.rating);
  return byRating.flatMap(({ playerGuid: redGuid }, at) => {
    const opponent = byRating[at + 1 + Math.floor((random() * waiting.length) / 20)];
    const endedAt = NOW - Math.floor(random() * 600_000);
    return opponent && at % 3 === 0 ? [{ redGuid, blueGuid: opponent.playerGuid, endedAt }] : [];
  });
}

/** A pass of `pair` over each crowd. */
export const variants: Variants = Object.fromEntries(
  Object.entries(crowds).map(([name, make]) => [
    name,
    (): Task<[Waiting, Waiting][]> => {
      const waiting = make();
      const options = { rules: RULES, now: NOW, recentEnd: recentEnds(meetingsOf(waiting)) };
      const expected = pair(waiting, options).length;
      return {
        run: () => pair(waiting, options),
        check: (pairs) => {
          if (pairs.length !== expected || new Set(pairs.flat()).size !== 2 * expected)
            throw new Error('These are other pairs.');
        },
      };
    },
  ]),
);
