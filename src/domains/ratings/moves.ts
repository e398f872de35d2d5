/** Changes of a ladder. Ranks are counted, so a change of a few ratings moves the ranks of many players. */

/** The rating of a player, and how many matches of the player count. A player with none is not on the ladder. */
export interface LadderPosition {
  rating: number;
  matches: number;
}

export interface Mover {
  playerGuid: string;
  before: LadderPosition;
  after: LadderPosition;
}

/** How many players of a ladder have a rating. */
export interface Level {
  rating: number;
  players: number;
}

export interface Move {
  playerGuid: string;
  ratingBefore: number;
  ratingAfter: number;
  /** Null: not on the ladder. */
  rankBefore: number | null;
  rankAfter: number | null;
}

/** A rating whose players get another rank although their rating stays the same. */
interface Shift {
  rating: number;
  rankBefore: number;
  rankAfter: number;
  players: number;
}

const countOf = (positions: readonly LadderPosition[]): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const { rating, matches } of positions)
    if (matches > 0) counts.set(rating, (counts.get(rating) ?? 0) + 1);
  return counts;
};

/**
 * The ranks of a ladder before and after some of its ratings change.
 * @param levels the ladder before
 * @param movers everybody whose rating may change
 */
export function movesOf(
  levels: readonly Level[],
  movers: readonly Mover[],
): { moves: Move[]; shifts: Shift[] } {
  const left = countOf(movers.map(({ before }) => before));
  const come = countOf(movers.map(({ after }) => after));
  const all = new Map(levels.map(({ rating, players }) => [rating, players]));
  const ratings = [...new Set([...all.keys(), ...left.keys(), ...come.keys()])].sort((a, b) => b - a);
  const ranks = new Map<number, { before: number; after: number }>();
  const shifts: Shift[] = [];
  let [before, after] = [1, 1];
  for (const rating of ratings) {
    ranks.set(rating, { before, after });
    const players = (all.get(rating) ?? 0) - (left.get(rating) ?? 0);
    if (players > 0 && before !== after)
      shifts.push({ rating, rankBefore: before, rankAfter: after, players });
    before += all.get(rating) ?? 0;
    after += players + (come.get(rating) ?? 0);
  }
  const rankOf = ({ rating, matches }: LadderPosition, when: 'before' | 'after') =>
    matches > 0 ? (ranks.get(rating)?.[when] ?? null) : null;
  const moves = movers.map((mover) => ({
    playerGuid: mover.playerGuid,
    ratingBefore: mover.before.rating,
    ratingAfter: mover.after.rating,
    rankBefore: rankOf(mover.before, 'before'),
    rankAfter: rankOf(mover.after, 'after'),
  }));
  return { moves, shifts };
}
