import { type Db, Prisma } from '../../platform/database/database.ts';
import { shareName } from '../../platform/database/locks.ts';
import {
  afterMatch,
  type CountedMatch,
  counted,
  expectedScore,
  isProvisional,
  type MatchScore,
  NEWCOMER,
  NEWCOMER_RATING,
  type Strength,
  type StrengthChange,
  shownRating,
  type Tally,
} from './rules.ts';

/** A ladder: the ratings of one queue in one season. */
export interface LadderOf {
  queueGuid: string;
  seasonGuid: string;
}

/** The condition of a ladder on a table that has its columns. */
export const ofLadder = ({ queueGuid, seasonGuid }: LadderOf) =>
  Prisma.sql`"queueGuid" = ${queueGuid}::uuid AND "seasonGuid" = ${seasonGuid}::uuid`;

/** The rows of a ladder: a player without a counted match is not on it. The same condition as the partial index of ladders. */
export const onLadder = (ladder: LadderOf) =>
  Prisma.sql`${ofLadder(ladder)} AND "wins" + "losses" + "draws" > 0`;

/**
 * The ratings of these players in a queue and season; a newcomer's where nothing was rated yet.
 * @returns finds the strength of a player, with the rating as shown
 */
export async function ratingsOf(db: Db, { queueGuid, seasonGuid }: LadderOf, playerGuids: readonly string[]) {
  const rows = await db.rating.findMany({
    where: { queueGuid, seasonGuid, playerGuid: { in: [...playerGuids] } },
    select: { playerGuid: true, mu: true, sigma: true },
  });
  const stored = new Map(rows.map((row) => [row.playerGuid, row]));
  return (playerGuid: string) => {
    const { mu, sigma } = stored.get(playerGuid) ?? NEWCOMER;
    return { mu, sigma, rating: shownRating({ mu }), provisional: isProvisional({ sigma }) };
  };
}

/** The share of a match that the ratings of now expect red to win, 0…1. */
export async function expectedOfRed(
  db: Db,
  ladder: LadderOf,
  { red, blue }: Pick<CountedMatch, 'red' | 'blue'>,
) {
  const ratingOf = await ratingsOf(db, ladder, [red, blue]);
  return expectedScore(ratingOf(red), ratingOf(blue));
}

export interface RatedMatch extends LadderOf, CountedMatch {
  matchGuid: string;
  /** When the match ended, milliseconds since 1970. */
  at: number;
}

/** Shown ratings before and after a match. */
export interface RatingStep {
  before: number;
  after: number;
}

/** Key of the advisory lock of a ladder: ends of matches take it shared, a correction exclusively. */
export const ladderLock = ({ queueGuid, seasonGuid }: LadderOf): string =>
  `ladder ${queueGuid} ${seasonGuid}`;

/**
 * Rates a match in the caller's transaction, which stores its end. For a match that does not count it returns the present
 * ratings. Both rows are locked in the order of the players' ids, so two matches of the same players wait for each other
 * instead of overwriting or deadlocking.
 * @throws a unique violation when the match is rated already
 */
export async function rateMatch(db: Db, match: RatedMatch): Promise<{ red: RatingStep; blue: RatingStep }> {
  const { matchGuid, queueGuid, seasonGuid, at, red, blue, score } = match;
  // A shared lock: only a correction makes ends of matches wait.
  await shareName(db, ladderLock(match));
  if (score === null) {
    const ratingOf = await ratingsOf(db, match, [red, blue]);
    const unmoved = (playerGuid: string): RatingStep => {
      const { rating } = ratingOf(playerGuid);
      return { before: rating, after: rating };
    };
    return { red: unmoved(red), blue: unmoved(blue) };
  }
  const strengths = await lockRatings(db, match, [red, blue].sort());
  const before = { red: known(strengths, red), blue: known(strengths, blue) };
  const after = afterMatch(before.red, before.blue, score);
  await addToCounts(db, match, [red, blue], -1);
  const sides = [
    { playerGuid: red, before: before.red, after: after.red, score },
    { playerGuid: blue, before: before.blue, after: after.blue, score: (1 - score) as MatchScore },
  ];
  for (const side of sides) {
    const { playerGuid } = side;
    await db.rating.update({
      where: { queueGuid_seasonGuid_playerGuid: { queueGuid, seasonGuid, playerGuid } },
      data: { ...side.after, rating: shownRating(side.after), ...counted(side.before, side.score) },
    });
  }
  await addToCounts(db, match, [red, blue], 1);
  await db.ratingChange.createMany({
    data: sides.map(({ playerGuid, score, ...change }) => ({
      matchGuid,
      playerGuid,
      queueGuid,
      seasonGuid,
      at: new Date(at),
      score,
      ...historyOf(change),
    })),
  });
  return { red: step(before.red, after.red), blue: step(before.blue, after.blue) };
}

type Mean = Pick<Strength, 'mu'>;

/** Shown ratings before and after a change. */
export const step = (before: Mean, after: Mean): RatingStep => ({
  before: shownRating(before),
  after: shownRating(after),
});

/** The shown ratings of a history row. */
export const storedStep = (row: { muBefore: number; muAfter: number }): RatingStep =>
  step({ mu: row.muBefore }, { mu: row.muAfter });

/** The columns of a history row for a change of strength. */
export const historyOf = ({ before, after }: StrengthChange) => ({
  muBefore: before.mu,
  sigmaBefore: before.sigma,
  muAfter: after.mu,
  sigmaAfter: after.sigma,
});

type StoredRating = Strength & Tally & { playerGuid: string };

/** Inserts the rows that are missing and locks all until the end of the transaction. */
export async function lockRatings(db: Db, ladder: LadderOf, playerGuids: string[]): Promise<StoredRating[]> {
  const { queueGuid, seasonGuid } = ladder;
  const { mu, sigma } = NEWCOMER;
  await db.$executeRaw`
    INSERT INTO "Rating" ("queueGuid", "seasonGuid", "playerGuid", mu, sigma, rating, wins, losses, draws, "winStreak")
    SELECT ${queueGuid}::uuid, ${seasonGuid}::uuid, "playerGuid", ${mu}, ${sigma}, ${NEWCOMER_RATING}, 0, 0, 0, 0
    FROM unnest(${playerGuids}::uuid[]) AS one("playerGuid") ORDER BY "playerGuid" ON CONFLICT DO NOTHING`;
  return db.$queryRaw`
    SELECT "playerGuid"::text, "mu", "sigma", "wins", "losses", "draws", "winStreak" FROM "Rating"
    WHERE ${ofLadder(ladder)} AND "playerGuid" = ANY(${playerGuids}::uuid[])
    ORDER BY "playerGuid" FOR UPDATE`;
}

/**
 * Adds the present ratings of these players to the counts of a ladder, or subtracts them. Every change of `Rating` rows calls it
 * before with -1 and afterwards with 1, in the transaction that has locked the rows.
 */
export async function addToCounts(db: Db, ladder: LadderOf, playerGuids: readonly string[], by: 1 | -1) {
  await db.$executeRaw`
    INSERT INTO "LadderCount" ("queueGuid", "seasonGuid", "rating", "players")
    SELECT "queueGuid", "seasonGuid", "rating", ${by}::int * count(*) FROM "Rating"
    WHERE ${onLadder(ladder)} AND "playerGuid" = ANY(${playerGuids}::uuid[])
    GROUP BY "queueGuid", "seasonGuid", "rating"`;
}

function known(rows: readonly StoredRating[], playerGuid: string): StoredRating {
  const row = rows.find((one) => one.playerGuid === playerGuid);
  if (row === undefined) throw new Error('A rating row vanished although it was locked.');
  return row;
}
