import type { Db } from '../../platform/database/database.ts';
import { onLadder } from './ladder-store.ts';
import { type LadderPosition, type Level, type Move, movesOf } from './moves.ts';
import { NEWCOMER_RATING } from './rules.ts';
import type { LadderOf } from './store.ts';

/** The effect of a change on the ranks of a ladder. */

async function positionsOf(
  db: Db,
  { queueGuid, seasonGuid }: LadderOf,
  playerGuids: readonly string[],
): Promise<(playerGuid: string) => LadderPosition> {
  const rows = await db.rating.findMany({
    where: { queueGuid, seasonGuid, playerGuid: { in: [...playerGuids] } },
    select: { playerGuid: true, rating: true, wins: true, losses: true, draws: true },
  });
  const positions = new Map(
    rows.map(({ playerGuid, rating, wins, losses, draws }) => [
      playerGuid,
      { rating, isOnLadder: wins + losses + draws > 0 },
    ]),
  );
  return (playerGuid) => positions.get(playerGuid) ?? { rating: NEWCOMER_RATING, isOnLadder: false };
}

const levelsOf = (db: Db, { queueGuid, seasonGuid }: LadderOf): Promise<Level[]> => db.$queryRaw`
  SELECT "rating", sum("players")::int AS "players" FROM "LadderCount"
  WHERE "queueGuid" = ${queueGuid}::uuid AND "seasonGuid" = ${seasonGuid}::uuid
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
  (one.rankAfter ?? Number.POSITIVE_INFINITY) - (other.rankAfter ?? Number.POSITIVE_INFINITY) || 0;

/**
 * Everybody who moves on a ladder by a change, in the transaction that makes it.
 * @param first are listed first, whether they move or not
 * @param others may be rated anew by it
 * @param most of the players who are listed
 * @returns the first ones, then those with another rating, then those who have another rank only; and how many there are in all
 */
export async function ladderMoves(
  db: Db,
  ladder: LadderOf,
  {
    first,
    others,
    most,
    change,
  }: { first: readonly string[]; others: readonly string[]; most: number; change(): Promise<void> },
): Promise<{ moves: Move[]; total: number }> {
  const guids = [...new Set([...first, ...others])];
  const before = await positionsOf(db, ladder, guids);
  await change();
  const after = await positionsOf(db, ladder, guids);
  const { moves, shifts } = movesOf(
    await levelsOf(db, ladder),
    guids.map((playerGuid) => ({ playerGuid, before: before(playerGuid), after: after(playerGuid) })),
  );
  const rest = moves.slice(first.length).filter(hasMoved).sort(byRank);
  const listed = [...moves.slice(0, first.length), ...rest].slice(0, most);
  const shiftAt = new Map(shifts.map((shift) => [shift.rating, shift]));
  const shifted = await playersAt(db, ladder, [...shiftAt.keys()], guids, most - listed.length);
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
    total: first.length + rest.length + shifts.reduce((sum, { players }) => sum + players, 0),
  };
}
