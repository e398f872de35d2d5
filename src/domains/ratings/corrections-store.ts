import { isoTime, newGuid } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { lockNames } from '../../platform/database/locks.ts';
import { counted, EMPTY_TALLY, type MatchScore, rateInOrder, type Strength, shownRating } from './rules.ts';
import {
  addToCounts,
  historyOf,
  type LadderOf,
  ladderLock,
  lockRatings,
  type RatedMatch,
  step,
  storedStep,
} from './store.ts';

/** Statements of a correction: staff changed the result of an old match, and the ladder is rated again. */

/**
 * Takes the lock of a ladder exclusively: no match of it is rated until the end of the transaction. To be called before
 * any match row is locked, because two corrections could otherwise deadlock on matches that both rewrite.
 */
export const lockLadder = (db: Db, ladder: LadderOf) => lockNames(db, ladderLock(ladder));

/** A match of one ladder that has ended, with what it counts for from now on. */
export type EndedMatch = Omit<RatedMatch, keyof LadderOf>;

export interface Correction extends LadderOf {
  /** The match whose result was corrected, then every one of this ladder that ended after it, in order of end. */
  matches: readonly [EndedMatch, ...EndedMatch[]];
  /** Milliseconds since 1970. */
  now: number;
}

/** A history row, without where it belongs. */
interface RatingChangeRow extends ReturnType<typeof historyOf> {
  matchGuid: string;
  playerGuid: string;
  /** Milliseconds since 1970. */
  at: number;
  score: number;
}

const HISTORY_VALUES = ['score', 'muBefore', 'sigmaBefore', 'muAfter', 'sigmaAfter'] as const;

/**
 * Rates a ladder again from a corrected match on, in the caller's transaction, which must hold the ladder
 * ({@link lockLadder}). History rows that come out differently are replaced, the old ones kept.
 * @returns what each of the matches shows from now on, and how many of the later ones came out differently
 */
export async function rateAgain(db: Db, { matches, now, ...ladder }: Correction) {
  const [corrected] = matches;
  const strengths = await strengthsBefore(db, ladder, matches);
  const rated = rateInOrder(matches, strengths);

  const rows = rated.flatMap(({ match, red, blue }) => {
    const { matchGuid, at, score } = match;
    if (score === null) return [];
    return [
      { matchGuid, at, playerGuid: match.red, score, ...historyOf(red) },
      { matchGuid, at, playerGuid: match.blue, score: 1 - score, ...historyOf(blue) },
    ];
  });
  const replaced = await rewriteHistory(db, ladder, { matches, rows, now });

  const final = new Map<string, Strength>();
  for (const { match, red, blue } of rated) final.set(match.red, red.after).set(match.blue, blue.after);
  // A player without a counted match has no rating.
  await lockRatings(db, ladder, [...new Set(rows.map(({ playerGuid }) => playerGuid))].sort());
  await addToCounts(db, ladder, [...final.keys()], -1);
  await saveStrengths(db, ladder, final);
  // Later matches change strengths only: their wins and losses stay.
  for (const playerGuid of [corrected.red, corrected.blue]) await recount(db, ladder, playerGuid);
  await addToCounts(db, ladder, [...final.keys()], 1);

  const shown = rated.map(({ match, red, blue }) => ({
    matchGuid: match.matchGuid,
    red: step(red.before, red.after),
    blue: step(blue.before, blue.after),
  }));
  replaced.delete(corrected.matchGuid);
  return { shown, ratedAgain: replaced.size };
}

/** The strengths on a ladder just before the first of these matches ended, of everybody who plays in one of them. */
async function strengthsBefore(
  db: Db,
  { queueGuid, seasonGuid }: LadderOf,
  matches: Correction['matches'],
): Promise<Map<string, Strength>> {
  const [{ at, matchGuid }] = matches;
  const players = [...new Set(matches.flatMap(({ red, blue }) => [red, blue]))];
  const rows = await db.$queryRaw<(Strength & { playerGuid: string })[]>`
    SELECT player."playerGuid"::text, last.* FROM unnest(${players}::uuid[]) AS player("playerGuid"), LATERAL (
      SELECT "muAfter" AS mu, "sigmaAfter" AS sigma FROM "RatingChange" AS change
      WHERE change."playerGuid" = player."playerGuid" AND "queueGuid" = ${queueGuid}::uuid
        AND "seasonGuid" = ${seasonGuid}::uuid AND ("at", "matchGuid") < (${new Date(at)}, ${matchGuid}::uuid)
      ORDER BY "at" DESC, "matchGuid" DESC LIMIT 1
    ) AS last`;
  return new Map(rows.map(({ playerGuid, mu, sigma }) => [playerGuid, { mu, sigma }]));
}

/**
 * Replaces the stored rows of these matches by `rows`; equal rows are not written.
 * @returns the matches of which a row was replaced
 */
async function rewriteHistory(
  db: Db,
  ladder: LadderOf,
  { matches, rows, now }: Pick<Correction, 'matches' | 'now'> & { rows: readonly RatingChangeRow[] },
) {
  const keyOf = (row: Pick<RatingChangeRow, 'matchGuid' | 'playerGuid'>) =>
    `${row.matchGuid} ${row.playerGuid}`;
  const wanted = new Map(rows.map((row) => [keyOf(row), row]));
  const guids = matches.map(({ matchGuid }) => matchGuid);
  const stored = await db.$queryRaw<Omit<RatingChangeRow, 'at'>[]>`
    SELECT "matchGuid"::text, "playerGuid"::text, "score", "muBefore", "sigmaBefore", "muAfter", "sigmaAfter"
    FROM "RatingChange" WHERE "matchGuid" = ANY(${guids}::uuid[])`;
  const outdated = stored.filter((row) => {
    const other = wanted.get(keyOf(row));
    if (other === undefined || HISTORY_VALUES.some((name) => other[name] !== row[name])) return true;
    wanted.delete(keyOf(row));
    return false;
  });

  await db.$executeRaw`
    WITH outdated AS (
      DELETE FROM "RatingChange" USING jsonb_to_recordset(${JSON.stringify(outdated)}::jsonb)
        AS row("matchGuid" uuid, "playerGuid" uuid)
      WHERE "RatingChange"."matchGuid" = row."matchGuid" AND "RatingChange"."playerGuid" = row."playerGuid"
      RETURNING "RatingChange".*
    )
    INSERT INTO "FormerRatingChange" ("correctionGuid", "correctedMatchGuid", "replacedAt", "matchGuid",
      "playerGuid", "queueGuid", "seasonGuid", "at", "score", "muBefore", "sigmaBefore", "muAfter", "sigmaAfter")
    SELECT ${newGuid()}::uuid, ${matches[0].matchGuid}::uuid, ${new Date(now)}, "matchGuid",
      "playerGuid", "queueGuid", "seasonGuid", "at", "score", "muBefore", "sigmaBefore", "muAfter", "sigmaAfter"
    FROM outdated`;
  const added = [...wanted.values()].map((row) => ({ ...row, at: isoTime(row.at) }));
  await db.$executeRaw`
    INSERT INTO "RatingChange" ("queueGuid", "seasonGuid", "matchGuid", "playerGuid", "at", "score",
      "muBefore", "sigmaBefore", "muAfter", "sigmaAfter")
    SELECT ${ladder.queueGuid}::uuid, ${ladder.seasonGuid}::uuid, added.*
    FROM jsonb_to_recordset(${JSON.stringify(added)}::jsonb) AS added("matchGuid" uuid, "playerGuid" uuid,
      "at" timestamptz, "score" float8, "muBefore" float8, "sigmaBefore" float8, "muAfter" float8,
      "sigmaAfter" float8)`;
  return new Set(outdated.map(({ matchGuid }) => matchGuid));
}

async function saveStrengths(
  db: Db,
  { queueGuid, seasonGuid }: LadderOf,
  strengths: ReadonlyMap<string, Strength>,
) {
  const rows = [...strengths].map(([playerGuid, strength]) => ({
    playerGuid,
    ...strength,
    rating: shownRating(strength),
  }));
  await db.$executeRaw`
    UPDATE "Rating" SET mu = row.mu, sigma = row.sigma, rating = row.rating
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS row("playerGuid" uuid, mu float8, sigma float8, rating int)
    WHERE "Rating"."queueGuid" = ${queueGuid}::uuid AND "Rating"."seasonGuid" = ${seasonGuid}::uuid
      AND "Rating"."playerGuid" = row."playerGuid"`;
}

/** Counts a player's wins, losses and draws on a ladder again. */
async function recount(db: Db, { queueGuid, seasonGuid }: LadderOf, playerGuid: string) {
  const scores = await db.ratingChange.findMany({
    where: { playerGuid, queueGuid, seasonGuid },
    orderBy: [{ at: 'asc' }, { matchGuid: 'asc' }],
    select: { score: true },
  });
  const tally = scores.reduce((sum, { score }) => counted(sum, score as MatchScore), EMPTY_TALLY);
  await db.rating.updateMany({ where: { queueGuid, seasonGuid, playerGuid }, data: tally });
}

/**
 * The shown ratings of a match that corrections replaced, in the order they were replaced; `replacedAt` in milliseconds
 * since 1970.
 */
export async function formerStepsOf(db: Db, matchGuid: string) {
  const rows = await db.formerRatingChange.findMany({
    where: { matchGuid },
    orderBy: [{ replacedAt: 'asc' }, { correctionGuid: 'asc' }, { playerGuid: 'asc' }],
  });
  return rows.map((row) => ({
    playerGuid: row.playerGuid,
    replacedAt: row.replacedAt.getTime(),
    ...storedStep(row),
  }));
}
