import { type Db, Prisma } from '../../platform/database/database.ts';
import type { PlayerRating } from '../players/index.ts';
import {
  afterMatch,
  counted,
  EMPTY_TALLY,
  isProvisional,
  type MatchScore,
  NEWCOMER,
  type Strength,
  shownRating,
  type Tally,
} from './rules.ts';
import type { LeaderboardKey } from './schemas.ts';

/** A ladder of its own: ratings of different queues or seasons have nothing to do with each other. */
export interface LadderOf {
  queueGuid: string;
  seasonGuid: string;
}

export interface CurrentRating extends Strength {
  /** As shown. */
  rating: number;
  provisional: boolean;
}

const asRating = ({ mu, sigma }: Strength): CurrentRating => ({
  mu,
  sigma,
  rating: shownRating({ mu, sigma }),
  provisional: isProvisional({ mu, sigma }),
});

/** A player's rating in a queue and season; a newcomer's where nothing was rated yet. */
export async function ratingOf(
  db: Db,
  queueGuid: string,
  seasonGuid: string,
  playerGuid: string,
): Promise<CurrentRating> {
  const stored = await db.rating.findUnique({
    where: { queueGuid_seasonGuid_playerGuid: { queueGuid, seasonGuid, playerGuid } },
    select: { mu: true, sigma: true },
  });
  return asRating(stored ?? NEWCOMER);
}

export interface RatedMatch extends LadderOf {
  matchGuid: string;
  /** When the match ended, milliseconds since 1970: the order in which ratings are recomputed. */
  at: number;
  /** `playerGuid` of either seat. */
  red: string;
  blue: string;
  /** Red's; null: the match does not count. */
  score: MatchScore | null;
}

/** Shown ratings before and after a match. */
export interface RatingStep {
  before: number;
  after: number;
}

/** Key of the lock that ends and corrections of a ladder take: shared by ends, alone by a correction. */
export const ladderLock = ({ queueGuid, seasonGuid }: LadderOf): string =>
  `ladder ${queueGuid} ${seasonGuid}`;

/**
 * Rates a match in the caller's transaction, exactly once: asked again it answers with what is stored. One
 * that does not count is answered with both players' ratings as they are.
 * Both rows are locked in the order of the players' ids, so two matches of the same players wait for
 * each other instead of overwriting or deadlocking.
 */
export async function rateMatch(db: Db, match: RatedMatch): Promise<{ red: RatingStep; blue: RatingStep }> {
  const { matchGuid, queueGuid, seasonGuid, at, red, blue, score } = match;
  // Shared with every other match that ends: only a correction keeps them waiting.
  await db.$executeRaw`SELECT pg_advisory_xact_lock_shared(hashtextextended(${ladderLock(match)}, 0))`;
  if (score === null) {
    const unmoved = async (playerGuid: string): Promise<RatingStep> => {
      const { rating } = await ratingOf(db, queueGuid, seasonGuid, playerGuid);
      return { before: rating, after: rating };
    };
    return { red: await unmoved(red), blue: await unmoved(blue) };
  }
  const strengths = await lockRatings(db, match, [red, blue].sort());
  const stored = await stepsOf(db, matchGuid);
  const storedRed = stored.get(red);
  const storedBlue = stored.get(blue);
  if (storedRed !== undefined && storedBlue !== undefined) return { red: storedRed, blue: storedBlue };

  const before = { red: known(strengths, red), blue: known(strengths, blue) };
  const after = afterMatch(before.red, before.blue, score);
  const sides = [
    { playerGuid: red, before: before.red, after: after.red, score },
    { playerGuid: blue, before: before.blue, after: after.blue, score: (1 - score) as MatchScore },
  ];
  for (const side of sides) {
    const { playerGuid } = side;
    await db.rating.update({
      where: { queueGuid_seasonGuid_playerGuid: { queueGuid, seasonGuid, playerGuid } },
      data: { ...side.after, rating: shownRating(side.after), ...tallyOf(counted(side.before, side.score)) },
    });
  }
  await db.ratingChange.createMany({
    data: sides.map((side) => ({
      matchGuid,
      playerGuid: side.playerGuid,
      queueGuid,
      seasonGuid,
      at: new Date(at),
      score: side.score,
      muBefore: side.before.mu,
      sigmaBefore: side.before.sigma,
      muAfter: side.after.mu,
      sigmaAfter: side.after.sigma,
    })),
  });
  return { red: step(before.red, after.red), blue: step(before.blue, after.blue) };
}

/** Shown ratings before and after a rated match, by player; empty for one that was not rated. */
export async function stepsOf(db: Db, matchGuid: string): Promise<Map<string, RatingStep>> {
  const rows = await db.ratingChange.findMany({ where: { matchGuid } });
  return new Map(
    rows.map((row) => [
      row.playerGuid,
      step({ mu: row.muBefore, sigma: row.sigmaBefore }, { mu: row.muAfter, sigma: row.sigmaAfter }),
    ]),
  );
}

export const step = (before: Strength, after: Strength): RatingStep => ({
  before: shownRating(before),
  after: shownRating(after),
});

const tallyOf = ({ wins, losses, draws, winStreak }: Tally): Tally => ({ wins, losses, draws, winStreak });

type StoredRating = Strength & Tally & { playerGuid: string };

/** Makes sure both rows are there and holds them until the transaction ends. */
export async function lockRatings(
  db: Db,
  { queueGuid, seasonGuid }: LadderOf,
  playerGuids: string[],
): Promise<StoredRating[]> {
  await db.rating.createMany({
    data: playerGuids.map((playerGuid) => ({
      queueGuid,
      seasonGuid,
      playerGuid,
      ...NEWCOMER,
      rating: shownRating(NEWCOMER),
      ...EMPTY_TALLY,
    })),
    skipDuplicates: true,
  });
  return db.$queryRaw`
    SELECT "playerGuid"::text, "mu", "sigma", "wins", "losses", "draws", "winStreak" FROM "Rating"
    WHERE "queueGuid" = ${queueGuid}::uuid AND "seasonGuid" = ${seasonGuid}::uuid
      AND "playerGuid" = ANY(${playerGuids}::uuid[])
    ORDER BY "playerGuid" FOR UPDATE`;
}

function known(rows: readonly StoredRating[], playerGuid: string): StoredRating {
  const row = rows.find((one) => one.playerGuid === playerGuid);
  if (row === undefined) throw new Error('A rating row vanished although it was locked.');
  return row;
}

// ---------------------------------------------------------------- the ladder

export interface LadderRow extends Tally {
  playerGuid: string;
  rating: number;
  sigma: number;
  mu: number;
}

/** Who has no counted match is not on a ladder. In the words of the index of ladders, which has no others. */
const HAS_PLAYED = Prisma.sql`"wins" + "losses" + "draws" > 0`;
const onLadder = ({ queueGuid, seasonGuid }: LadderOf) =>
  Prisma.sql`"queueGuid" = ${queueGuid}::uuid AND "seasonGuid" = ${seasonGuid}::uuid AND ${HAS_PLAYED}`;

/** Rows of a ladder from the given key on, that one included or not. */
export function ladderRows(
  db: Db,
  ladder: LadderOf,
  from: { key: LeaderboardKey; inclusive: boolean } | null,
  limit: number,
): Promise<LadderRow[]> {
  // The bound on the rating alone is where the index is entered; the rest chooses among equals.
  const following =
    from === null
      ? Prisma.sql`TRUE`
      : Prisma.sql`"rating" <= ${from.key[0]} AND ("rating" < ${from.key[0]} OR ${
          from.inclusive
            ? Prisma.sql`"playerGuid" >= ${from.key[1]}::uuid`
            : Prisma.sql`"playerGuid" > ${from.key[1]}::uuid`
        })`;
  return db.$queryRaw`
    SELECT "playerGuid"::text, "rating", "mu", "sigma", "wins", "losses", "draws", "winStreak" FROM "Rating" AS r
    WHERE ${onLadder(ladder)} AND ${following}
    ORDER BY r."rating" DESC, r."playerGuid" LIMIT ${limit}`;
}

/** How many stand before a place on the ladder: with a higher rating, and in all. */
export async function standing(
  db: Db,
  ladder: LadderOf,
  [rating, playerGuid]: LeaderboardKey,
): Promise<{ better: number; before: number }> {
  const [counts] = await db.$queryRaw<{ better: number; before: number }[]>`
    SELECT count(*) FILTER (WHERE "rating" > ${rating})::int AS "better", count(*)::int AS "before" FROM "Rating"
    WHERE ${onLadder(ladder)} AND "rating" >= ${rating} AND ("rating" > ${rating} OR "playerGuid" < ${playerGuid}::uuid)`;
  return counts ?? { better: 0, before: 0 };
}

/** Where a player stands on a ladder: the key of the row, or null for who is not on it. */
export async function placeOf(db: Db, ladder: LadderOf, playerGuid: string): Promise<LeaderboardKey | null> {
  const [row] = await db.$queryRaw<{ rating: number }[]>`
    SELECT "rating" FROM "Rating" WHERE ${onLadder(ladder)} AND "playerGuid" = ${playerGuid}::uuid`;
  return row === undefined ? null : [row.rating, playerGuid];
}

/** The key of the row that stands `steps` above a place, or of the first row. */
export async function placeAbove(
  db: Db,
  ladder: LadderOf,
  [rating, playerGuid]: LeaderboardKey,
  steps: number,
): Promise<LeaderboardKey> {
  const rows = await db.$queryRaw<{ rating: number; playerGuid: string }[]>`
    SELECT "rating", "playerGuid"::text FROM "Rating" AS r
    WHERE ${onLadder(ladder)} AND "rating" >= ${rating} AND ("rating" > ${rating} OR "playerGuid" < ${playerGuid}::uuid)
    ORDER BY r."rating", r."playerGuid" DESC LIMIT ${steps}`;
  const top = rows.at(-1);
  return top === undefined ? [rating, playerGuid] : [top.rating, top.playerGuid];
}

/** The rank of a player in a queue and season, equal ratings sharing one; null without a rated match. */
export async function rankOf(
  db: Db,
  queueGuid: string,
  seasonGuid: string,
  playerGuid: string,
): Promise<number | null> {
  const ladder = { queueGuid, seasonGuid };
  const place = await placeOf(db, ladder, playerGuid);
  return place && (await standing(db, ladder, place)).better + 1;
}

/** A player's standing in every queue and season with a rating, newest season first. */
export async function ratingsOf(db: Db, playerGuid: string): Promise<PlayerRating[]> {
  const rows = await db.$queryRaw<(LadderOf & Strength & Tally & { rating: number; rank: number | null })[]>`
    SELECT r."queueGuid"::text, r."seasonGuid"::text, r."mu", r."sigma", r."rating", r."wins", r."losses", r."draws",
      CASE WHEN r."wins" + r."losses" + r."draws" > 0 THEN (
        SELECT count(*)::int + 1 FROM "Rating" AS o
        WHERE o."queueGuid" = r."queueGuid" AND o."seasonGuid" = r."seasonGuid" AND o."rating" > r."rating"
          AND o."wins" + o."losses" + o."draws" > 0
      ) END AS "rank"
    FROM "Rating" AS r WHERE r."playerGuid" = ${playerGuid}::uuid
    ORDER BY r."seasonGuid" DESC, r."queueGuid"`;
  return rows.map(({ queueGuid, seasonGuid, mu, sigma, rating, rank, wins, losses, draws }) => ({
    queueGuid,
    seasonGuid,
    rating,
    provisional: isProvisional({ mu, sigma }),
    rank,
    wins,
    losses,
    draws,
  }));
}
