import { inSnapshot } from '../../platform/database/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { requireCurrent, type WriteRequest } from '../../platform/http/staff.ts';
import { recordAudit } from '../audit/index.ts';
import { playersByGuid } from '../players/index.ts';
import { ladderMoves } from '../ratings/index.ts';
import type { MatchContext } from './context.ts';
import { CORRECTION_MS, previewDecision } from './corrections.ts';
import { loadPublicExtras } from './display.ts';
import { matchErrors } from './errors.ts';
import type { StaffEvent } from './match-events.ts';
import { requireOutsider } from './outsiders.ts';
import type { LadderPreview } from './preview-schemas.ts';
import * as ratingsStore from './ratings-store.ts';
import type { MakeStaffEvent, Runner } from './runner.ts';
import type { PreviewBody, PublicMatch, ResultBody } from './schemas.ts';
import { type MatchState, seatOf } from './state.ts';
import { comparedOf, publicView } from './view.ts';

/** The event of a decision. @throws VALIDATION_FAILED: the winner does not play in the match */
function decisionOf(match: MatchState, { outcome, winnerGuid }: PreviewBody): StaffEvent {
  const winner = winnerGuid === null ? null : seatOf(match, winnerGuid);
  if (winnerGuid !== null && winner === null)
    throw invalidField('winnerGuid', 'must be one of the two players of the match');
  return { type: 'decidedByStaff', outcome: outcome === 'win' ? 'decided' : outcome, winner };
}

/** Makes events for matches in which this person does not play. It throws OWN_MATCH for the others. */
const forOthers =
  (actorGuid: string, eventFor: (match: MatchState) => StaffEvent): MakeStaffEvent =>
  ({ state }) => {
    if (seatOf(state, actorGuid) !== null) throw matchErrors.OWN_MATCH();
    return eventFor(state);
  };

/** Decisions of staff about matches they do not play in. Every one is recorded in the audit log. */
export function createModeration({
  database,
  clock,
  runner,
}: Pick<MatchContext, 'database' | 'clock'> & { runner: Runner }) {
  const moderate = async (
    write: WriteRequest,
    matchGuid: string,
    { action, reason }: { action: string; reason: string },
    eventFor: (match: MatchState) => StaffEvent,
  ): Promise<PublicMatch> => {
    const { actorGuid } = write;
    const { state, ...match } = await runner.applyForStaff(
      matchGuid,
      forOthers(actorGuid, eventFor),
      async (db, before, after) => {
        const shown = await loadPublicExtras(db, [after]);
        const was = publicView(before.state, { ...before, ...shown });
        const is = publicView(after.state, { ...after, ...shown });
        requireCurrent(write, comparedOf(was));
        await requireOutsider(db, actorGuid, before.state);
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
    return publicView(state, { ...match, ...(await loadPublicExtras(database.prisma, [{ state }])) });
  };

  return {
    /**
     * Ends a running match as no contest.
     * @throws MATCH_NOT_FOUND, OWN_MATCH, WRONG_PHASE (it has ended), STALE
     */
    abort: (write: WriteRequest, matchGuid: string, reason: string) =>
      moderate(write, matchGuid, { action: 'abortMatch', reason }, () => ({ type: 'abortedByStaff' })),

    /**
     * Decides a running match, or gives an ended one another result: then the rated matches of its queue and season that
     * were made after it and have ended are rated again.
     * @throws MATCH_NOT_FOUND, OWN_MATCH, VALIDATION_FAILED (the winner does not play in it), TOO_MANY_LATER_MATCHES, STALE
     */
    decide: (write: WriteRequest, matchGuid: string, { reason, ...decision }: ResultBody) =>
      moderate(write, matchGuid, { action: 'decideMatch', reason }, (match) => decisionOf(match, decision)),

    /**
     * How `decide` would change the ladder now. With no contest it is the same change as by `abort` and `undo`. Nothing is
     * written.
     * @throws like `decide`
     */
    preview: async (
      write: WriteRequest,
      matchGuid: string,
      decision: PreviewBody,
    ): Promise<LadderPreview> => {
      const make = forOthers(write.actorGuid, (match) => decisionOf(match, decision));
      const { found, state } = await runner.wouldBe(matchGuid, make);
      return inSnapshot(
        database,
        async (db) => {
          const ratings = await ratingsStore.loadRatings(db, matchGuid);
          const shown = await loadPublicExtras(db, [found]);
          requireCurrent(write, comparedOf(publicView(found.state, { ...found, ratings, ...shown })));
          await requireOutsider(db, write.actorGuid, found.state);
          const { movers, ratedAgain } = await previewDecision(db, found.state, state, clock.now());
          const { moves, total } = await ladderMoves(db, state, movers);
          const players = await playersByGuid(
            db,
            moves.map(({ playerGuid }) => playerGuid),
          );
          const named = moves.map(({ playerGuid, ...move }) => ({
            playerGuid,
            username: players.get(playerGuid)?.username ?? '',
            ...move,
          }));
          return { players: named, total, matches: ratedAgain };
        },
        CORRECTION_MS,
      );
    },

    /**
     * Undoes the result of an ended match: it counts no more, and the rated matches of its queue and season that were made
     * after it and have ended are rated again without it.
     * @throws MATCH_NOT_FOUND, OWN_MATCH, WRONG_PHASE (it runs), ALREADY_UNDONE, TOO_MANY_LATER_MATCHES, STALE
     */
    undo: (write: WriteRequest, matchGuid: string, reason: string) =>
      moderate(write, matchGuid, { action: 'undoMatch', reason }, () => ({ type: 'undoneByStaff' })),
  };
}
