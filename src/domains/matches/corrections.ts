import type { Db } from '../../platform/database/database.ts';
import { BOUNDS } from '../../platform/limits.ts';
import {
  type Correction,
  correct,
  type EndedMatch,
  type MatchScore,
  previewCorrection,
  previewMatch,
} from '../ratings/index.ts';
import { matchErrors } from './errors.ts';
import * as ratingsStore from './ratings-store.ts';
import type { MatchState, Result } from './state.ts';

/** The score that a result gives on the ladder, and the correction of the ladder after staff have changed a result. */

/** How long a correction or its preview may take, milliseconds: a few times as long as the most later matches need. */
export const CORRECTION_MS = 300_000;

type EndedState = MatchState & { result: Result; endedAt: number };

/** A match with its result. @throws Error for a running match */
export function ended(state: MatchState): EndedState {
  const { result, endedAt } = state;
  if (result === null || endedAt === null) throw new Error('A running match cannot be settled.');
  return { ...state, result, endedAt };
}

/** Red's share of a match as the rating sees it: 1 a win, 0 a loss, a half a draw; null: it does not count. */
function redScore(rated: boolean, outcome: Result['outcome'], redWon: boolean): MatchScore | null {
  if (!rated || outcome === 'no_contest') return null;
  return outcome === 'draw' ? 0.5 : redWon ? 1 : 0;
}

/** The players of a match, and what it counts for. */
export const countedOf = ({ seats, rated, result }: EndedState) => ({
  red: seats.red.playerGuid,
  blue: seats.blue.playerGuid,
  score: redScore(rated, result.outcome, result.winner === 'red'),
});

/** @throws TOO_MANY_LATER_MATCHES */
async function correctionOf(db: Db, state: EndedState, now: number): Promise<Correction> {
  const { matchGuid, endedAt, queueGuid, seasonGuid } = state;
  const ladder = { queueGuid, seasonGuid };
  const sequence = await ratingsStore.sequenceOf(db, matchGuid);
  const corrected = { matchGuid, sequence, at: endedAt, ...countedOf(state) };
  const most = BOUNDS.laterMatches.value;
  if ((await ratingsStore.countAfter(db, ladder, sequence, most)) > most)
    throw matchErrors.TOO_MANY_LATER_MATCHES();
  return {
    ...ladder,
    corrected,
    now,
    endedAfter: async (after, without) => {
      const matches = await ratingsStore.endedAfter(db, ladder, after, without);
      return matches.map(
        (row): EndedMatch => ({
          matchGuid: row.matchGuid,
          sequence: row.sequence,
          red: row.redGuid,
          blue: row.blueGuid,
          score: redScore(row.rated, row.outcome, row.winnerGuid === row.redGuid),
        }),
      );
    },
  };
}

/**
 * Rates the ladder of an ended match again, after staff gave it another result.
 * @throws TOO_MANY_LATER_MATCHES, Overtaken
 */
export async function correctLadder(db: Db, state: EndedState, now: number): Promise<void> {
  await correct(db, await correctionOf(db, state, now), (shown) => ratingsStore.changeRatings(db, shown));
}

/**
 * How a decision of staff would change the ladder of a match now. Nothing is written.
 * @param from the match as it is
 * @param to the match with the decision; the same when it stands already
 * @returns whose rating would change, both players first, and how many later matches would come out differently
 * @throws TOO_MANY_LATER_MATCHES
 */
export async function previewDecision(db: Db, from: MatchState, to: MatchState, now: number) {
  const state = ended(to);
  if (from.endedAt !== null && to !== from) return previewCorrection(db, await correctionOf(db, state, now));
  const { score, ...players } = countedOf(state);
  return {
    movers: await previewMatch(db, state, { ...players, score: to === from ? null : score }),
    ratedAgain: 0,
  };
}
