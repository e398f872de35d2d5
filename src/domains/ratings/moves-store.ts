import type { Db } from '../../platform/database/database.ts';
import { type LadderPosition, type Level, type Move, type Mover, movesOf } from './moves.ts';
import { type CountedMatch, changesBy, NEWCOMER_RATING, shownRating } from './rules.ts';
import { type LadderOf, ofLadder, onLadder, ratingsOf } from './store.ts';

/** The effect of changed ratings on the ranks of a ladder. */

/** Players that a preview lists. */
const MOST_LISTED = 100;

/** The positions of these players on a ladder now. @returns finds the position of a player */
export async function positionsOf(
  db: Db,
  ladder: LadderOf,
  playerGuids: readonly string[],
): Promise<(playerGuid: string) => LadderPosition> {
  const rows = await db.$queryRaw<(LadderPosition & { playerGuid: string })[]>`
    SELECT "playerGuid"::text, rating, wins + losses + draws AS matches FROM "Rating"
    WHERE ${ofLadder(ladder)} AND "playerGuid" = ANY(${playerGuids}::uuid[])`;
  const positions = new Map(rows.map(({ playerGuid, ...position }) => [playerGuid, position]));
  return (playerGuid) => positions.get(playerGuid) ?? { rating: NEWCOMER_RATING, matches: 0 };
}

/** How `rateMatch` would change the ratings of both players now, red first. Nothing is locked or written. */
export async function previewMatch(
  db: Db,
  ladder: LadderOf,
  { red, blue, score }: CountedMatch,
): Promise<Mover[]> {
  const ratingOf = await ratingsOf(db, ladder, [red, blue]);
  const positionOf = await positionsOf(db, ladder, [red, blue]);
  const changes = changesBy({ red: ratingOf(red), blue: ratingOf(blue) }, score);
  const moverIn = (seat: 'red' | 'blue', playerGuid: string): Mover => {
    const position = positionOf(playerGuid);
    const matches = position.matches + Number(score !== null);
    return { playerGuid, before: position, after: { rating: shownRating(changes[seat].after), matches } };
  };
  return [moverIn('red', red), moverIn('blue', blue)];
}

const levelsOf = (db: Db, ladder: LadderOf): Promise<Level[]> => db.$queryRaw`
  SELECT "rating", sum("players")::int AS "players" FROM "LadderCount" WHERE ${ofLadder(ladder)}
  GROUP BY "rating" HAVING sum("players") > 0`;

/** Players with one of these ratings, the best first, without some. */
const playersAt = (
  db: Db,
  ladder: LadderOf,
  ratings: readonly number[],
  without: readonly string[],
  most: number,
): Promise<{ playerGuid: string; rating: number }[]> => db.$queryRaw`
  SELECT "playerGuid"::text, "rating" FROM "Rating" AS r
  WHERE ${onLadder(ladder)} AND "rating" = ANY(${ratings}::int[]) AND "playerGuid" <> ALL(${without}::uuid[])
  ORDER BY r."rating" DESC, r."playerGuid" LIMIT ${most}`;

const hasMoved = ({ ratingBefore, ratingAfter, rankBefore, rankAfter }: Move): boolean =>
  ratingBefore !== ratingAfter || rankBefore !== rankAfter;

const byRank = (one: Move, other: Move): number =>
  (one.rankAfter ?? Number.MAX_VALUE) - (other.rankAfter ?? Number.MAX_VALUE);

/**
 * Everybody who would move on a ladder if some ratings changed.
 * @param movers whose ratings would change, the players of the match first
 * @returns these two, whether they move or not, then those with another rating, then those who have another rank only; and
 *   how many there are in all
 */
export async function ladderMoves(
  db: Db,
  ladder: LadderOf,
  movers: readonly Mover[],
): Promise<{ moves: Move[]; total: number }> {
  const guids = movers.map(({ playerGuid }) => playerGuid);
  const { moves, shifts } = movesOf(await levelsOf(db, ladder), movers);
  const players = moves.slice(0, 2);
  const rest = moves.slice(2).filter(hasMoved).sort(byRank);
  const listed = [...players, ...rest].slice(0, MOST_LISTED);
  const shiftAt = new Map(shifts.map((shift) => [shift.rating, shift]));
  const shifted = await playersAt(db, ladder, [...shiftAt.keys()], guids, MOST_LISTED - listed.length);
  return {
    moves: [
      ...listed,
      ...shifted.flatMap(({ playerGuid, rating }) => {
        const shift = shiftAt.get(rating);
        if (shift === undefined) return [];
        const { rankBefore, rankAfter } = shift;
        return [{ playerGuid, ratingBefore: rating, ratingAfter: rating, rankBefore, rankAfter }];
      }),
    ],
    total: players.length + rest.length + shifts.reduce((sum, { players }) => sum + players, 0),
  };
}
