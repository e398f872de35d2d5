import { newGuid } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { isLockTimeout, lockNames } from '../../platform/database/locks.ts';
import { commonErrors } from '../../platform/errors.ts';
import {
  beginRerating,
  type Correction,
  type EndedMatch,
  type LoadedMatch,
  type Rerating,
} from './rerating-store.ts';
import {
  counted,
  EMPTY_TALLY,
  isSameChange,
  type MatchScore,
  type RatedAgain,
  type Strength,
  shownRating,
} from './rules.ts';
import {
  addToCounts,
  historyOf,
  type LadderOf,
  ladderLock,
  lockRatings,
  ofLadder,
  type RatingStep,
  step,
  storedStep,
} from './store.ts';

/**
 * Corrections: staff changed the result of an old match, and the ladder is rated again from that match on.
 *
 * It is one transaction. Later matches are rated again in slices, while other matches of the ladder end. The ladder is locked
 * only while the matches that ended meanwhile are rated again and the present ratings are written.
 */

/**
 * Makes corrections of one ladder follow one another, until the end of the transaction. To be called before any match is
 * locked, because two corrections could otherwise deadlock on matches that both rewrite.
 * @throws SERVICE_UNAVAILABLE when the one before takes longer than a statement waits for a lock
 */
export async function lockCorrections(db: Db, { queueGuid, seasonGuid }: LadderOf): Promise<void> {
  try {
    await lockNames(db, `corrections ${queueGuid} ${seasonGuid}`);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw commonErrors.SERVICE_UNAVAILABLE({
      message:
        'The ladder of this match is being rated again after another decision. Nothing was changed. Try again in a moment.',
      headers: { 'retry-after': '5' },
      cause: error,
    });
  }
}

/** The shown ratings of a match, of the players for whom they may have changed. */
export interface ShownAgain {
  matchGuid: string;
  red?: RatingStep;
  blue?: RatingStep;
}

/**
 * Carries a correction out, in the caller's transaction, which has called {@link lockCorrections}. History rows that come
 * out differently are replaced, the old ones kept.
 * @param show stores what matches show from now on
 * @throws Overtaken
 */
export async function correct(
  db: Db,
  correction: Correction,
  show: (shown: ShownAgain[]) => Promise<void>,
): Promise<void> {
  const rerating = await beginRerating(db, correction);
  const { first, changed } = rerating;
  const { red, blue, matchGuid } = first.match;
  const replacement = { correctionGuid: newGuid(), matchGuid, replacedAt: new Date(correction.now) };
  // Different results of a match give different strengths, so without a changed strength the history stays.
  if (changed.size > 0) await replaceChanges(db, correction, replacement, first);
  await show([shownAgain(first)]);

  const storeSlices = async (): Promise<void> => {
    for await (const slice of rerating.slices()) {
      await updateChanges(db, replacement, slice);
      await show(slice.map(shownAgain));
    }
  };
  await storeSlices();
  await lockNames(db, ladderLock(correction));
  await storeSlices();

  // When the match counted neither before nor now, its players may have no rating.
  const ofMatch = first.match.score === null && first.match.stored === null ? [] : [red, blue];
  const players = [...new Set([...ofMatch, ...changed.keys()])].sort();
  await lockRatings(db, correction, players);
  await addToCounts(db, correction, players, -1);
  await saveStrengths(db, correction, changed);
  // Later matches change strengths only: their wins and losses stay.
  for (const playerGuid of ofMatch) await recount(db, correction, playerGuid);
  await addToCounts(db, correction, players, 1);
}

const shownAgain = ({ match, red, blue }: RatedAgain<EndedMatch>): ShownAgain => ({
  matchGuid: match.matchGuid,
  ...(red && { red: step(red.before, red.after) }),
  ...(blue && { blue: step(blue.before, blue.after) }),
});

/** One correction, the match whose result it changes, and when. */
interface Replacement {
  correctionGuid: string;
  matchGuid: string;
  replacedAt: Date;
}

/** A history row of a later match that comes out differently; its score stays. */
type ChangedRow = { matchGuid: string; playerGuid: string } & ReturnType<typeof historyOf>;

/** Keeps the present history rows of these matches and players, which a correction is about to replace. */
const keepChanges = (
  db: Db,
  { correctionGuid, matchGuid, replacedAt }: Replacement,
  rows: readonly Pick<ChangedRow, 'matchGuid' | 'playerGuid'>[],
) => db.$executeRaw`
  INSERT INTO "FormerRatingChange" ("correctionGuid", "correctedMatchGuid", "replacedAt", "matchGuid", "playerGuid",
    "queueGuid", "seasonGuid", "at", "score", "muBefore", "sigmaBefore", "muAfter", "sigmaAfter")
  SELECT ${correctionGuid}::uuid, ${matchGuid}::uuid, ${replacedAt}, change."matchGuid", change."playerGuid",
    "queueGuid", "seasonGuid", "at", "score", "muBefore", "sigmaBefore", "muAfter", "sigmaAfter"
  FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("matchGuid" uuid, "playerGuid" uuid)
    JOIN "RatingChange" AS change USING ("matchGuid", "playerGuid")`;

/** Replaces both history rows of the corrected match. */
async function replaceChanges(
  db: Db,
  { queueGuid, seasonGuid }: LadderOf,
  replacement: Replacement,
  { match, red, blue }: Rerating['first'],
) {
  const { matchGuid, at, score } = match;
  await keepChanges(db, replacement, [
    { matchGuid, playerGuid: match.red },
    { matchGuid, playerGuid: match.blue },
  ]);
  await db.ratingChange.deleteMany({ where: { matchGuid } });
  if (score === null) return;
  const shared = { matchGuid, queueGuid, seasonGuid, at: new Date(at) };
  await db.ratingChange.createMany({
    data: [
      { ...shared, playerGuid: match.red, score, ...historyOf(red) },
      { ...shared, playerGuid: match.blue, score: 1 - score, ...historyOf(blue) },
    ],
  });
}

/** Writes the history rows of later matches that come out differently. */
async function updateChanges(db: Db, replacement: Replacement, slice: readonly RatedAgain<LoadedMatch>[]) {
  const rows = slice.flatMap(({ match: { stored, ...match }, ...rated }) =>
    (['red', 'blue'] as const).flatMap((seat): ChangedRow[] => {
      const [change, before] = [rated[seat], stored?.[seat]];
      const isSame = change && before && isSameChange(change, before);
      if (!change || !before || isSame) return [];
      return [{ matchGuid: match.matchGuid, playerGuid: match[seat], ...historyOf(change) }];
    }),
  );
  await keepChanges(db, replacement, rows);
  await db.$executeRaw`
    UPDATE "RatingChange" AS change SET "muBefore" = row."muBefore", "sigmaBefore" = row."sigmaBefore",
      "muAfter" = row."muAfter", "sigmaAfter" = row."sigmaAfter"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("matchGuid" uuid, "playerGuid" uuid, "muBefore" float8,
      "sigmaBefore" float8, "muAfter" float8, "sigmaAfter" float8)
    WHERE change."matchGuid" = row."matchGuid" AND change."playerGuid" = row."playerGuid"`;
}

async function saveStrengths(db: Db, ladder: LadderOf, strengths: ReadonlyMap<string, Strength>) {
  const rows = [...strengths].map(([playerGuid, strength]) => ({
    playerGuid,
    ...strength,
    rating: shownRating(strength),
  }));
  await db.$executeRaw`
    UPDATE "Rating" SET mu = row.mu, sigma = row.sigma, rating = row.rating
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS row("playerGuid" uuid, mu float8, sigma float8, rating int)
    WHERE ${ofLadder(ladder)} AND "Rating"."playerGuid" = row."playerGuid"`;
}

/** Counts a player's wins, losses and draws on a ladder again. */
async function recount(db: Db, { queueGuid, seasonGuid }: LadderOf, playerGuid: string) {
  const scores = await db.ratingChange.findMany({
    where: { playerGuid, queueGuid, seasonGuid },
    orderBy: { match: { sequence: 'asc' } },
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
