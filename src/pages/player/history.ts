import type { PageServices } from '../services.ts';

/** Opponents and ratings from the rated matches of a player. */

/** An item of `GET /players/{playerGuid}/ratings`. */
export type RatingStep = Awaited<ReturnType<PageServices['ratings']['history']>>['items'][number];

export interface Opponent {
  player: RatingStep['opponent'];
  matches: number;
  wins: number;
  losses: number;
  draws: number;
}

const COUNTED = { win: 'wins', loss: 'losses', draw: 'draws' } as const;

/** The opponents of these matches, the most frequent first; of equally many the latest. */
export function opponentsOf(steps: readonly RatingStep[]): Opponent[] {
  const found = new Map<string, Opponent>();
  for (const { opponent, outcome } of steps) {
    const known = found.get(opponent.playerGuid);
    const one = known ?? { player: opponent, matches: 0, wins: 0, losses: 0, draws: 0 };
    found.set(opponent.playerGuid, one);
    one.matches += 1;
    one[COUNTED[outcome]] += 1;
  }
  return [...found.values()].sort((a, b) => b.matches - a.matches);
}

/** The ratings before the first of these matches and after each, in the order in which they were played. */
export function curveOf(steps: readonly RatingStep[]): number[] {
  const [first, ...others] = [...steps].reverse();
  return first === undefined ? [] : [first.before, first.after, ...others.map(({ after }) => after)];
}
