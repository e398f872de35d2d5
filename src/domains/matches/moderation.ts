import type { Db } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { type Change, requireCurrent } from '../../platform/http/staff.ts';
import { recordAudit } from '../audit/index.ts';
import type { MatchContext } from './context.ts';
import { loadDisplay } from './display.ts';
import { matchErrors } from './errors.ts';
import type { StaffEvent } from './match-events.ts';
import { loadNames } from './names-store.ts';
import type { Runner } from './runner.ts';
import type { PublicMatch, ResultBody } from './schemas.ts';
import { type MatchState, seatOf } from './state.ts';
import * as store from './store.ts';
import { comparedOf, publicView } from './view.ts';

/** The data that the public sees with a match beside its state. */
const shownWith = async (db: Db, match: MatchState) => ({
  display: await loadDisplay(db, [match]),
  names: await loadNames(db, [match]),
  endVersion: await store.loadEndVersion(db, match.matchGuid),
});

/** Decisions of staff about matches they do not play in. Every one is recorded in the audit log. */
export function createModeration({
  database,
  clock,
  runner,
}: Pick<MatchContext, 'database' | 'clock'> & { runner: Runner }) {
  const moderate = async (
    change: Change,
    matchGuid: string,
    { action, reason }: { action: string; reason: string },
    eventFor: (match: MatchState) => StaffEvent,
  ): Promise<PublicMatch> => {
    const { actorGuid } = change;
    const found = await store.loadMatch(database, matchGuid);
    if (found === null) throw matchErrors.MATCH_NOT_FOUND();
    if (seatOf(found.state, actorGuid) !== null) throw matchErrors.OWN_MATCH();
    const { state, ratings, replays } = await runner.applyForStaff(
      matchGuid,
      eventFor(found.state),
      async (db, before, after) => {
        const shown = await shownWith(db, after.state);
        const was = publicView(before.state, { ...before, ...shown });
        const is = publicView(after.state, { ...after, ...shown });
        requireCurrent(change, comparedOf(was));
        await recordAudit(db, {
          at: clock.now(),
          actorGuid,
          action,
          target: `/matches/${matchGuid}`,
          before: { status: was.status, result: was.result },
          after: { status: is.status, result: is.result, reason },
        });
      },
    );
    return publicView(state, { ratings, replays, ...(await shownWith(database.prisma, state)) });
  };

  return {
    /**
     * Ends a running match as no contest.
     * @throws MATCH_NOT_FOUND, OWN_MATCH, WRONG_PHASE (it has ended), STALE
     */
    abort: (change: Change, matchGuid: string, reason: string) =>
      moderate(change, matchGuid, { action: 'abortMatch', reason }, () => ({ type: 'abortedByStaff' })),

    /**
     * Decides a running match, or gives an ended one another result: then every rated match of its queue and
     * season that ended after it is rated again.
     * @throws MATCH_NOT_FOUND, OWN_MATCH, VALIDATION_FAILED (the winner does not play in it), STALE
     */
    decide: (change: Change, matchGuid: string, { outcome, winnerGuid, reason }: ResultBody) =>
      moderate(change, matchGuid, { action: 'decideMatch', reason }, (match) => {
        const winner = winnerGuid === null ? null : seatOf(match, winnerGuid);
        if (winnerGuid !== null && winner === null)
          throw invalidField('winnerGuid', 'must be one of the two players of the match');
        return { type: 'decidedByStaff', outcome: outcome === 'win' ? 'decided' : outcome, winner };
      }),

    /**
     * Undoes the result of an ended match: it counts no more, and the matches that ended after it are rated again
     * without it.
     * @throws MATCH_NOT_FOUND, OWN_MATCH, WRONG_PHASE (it runs), ALREADY_UNDONE, STALE
     */
    undo: (change: Change, matchGuid: string, reason: string) =>
      moderate(change, matchGuid, { action: 'undoMatch', reason }, () => ({ type: 'undoneByStaff' })),
  };
}
