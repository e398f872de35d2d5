import { draw, type Ending, noContest, wins } from './endings.ts';
import { matchErrors, wrongPhase } from './errors.ts';
import type { TransitionEvent } from './match-events.ts';
import type { MatchState } from './state.ts';

/** Staff decide a match that runs, or correct the result of one that has ended. */
export function staffDecision(
  match: MatchState,
  { outcome, winner }: TransitionEvent & { type: 'decidedByStaff' },
): 'unchanged' | Ending {
  const { result } = match;
  if (result?.reason === 'decided_by_staff' && result.outcome === outcome && result.winner === winner)
    return 'unchanged';
  if (outcome === 'draw') return draw('decided_by_staff');
  if (outcome === 'no_contest') return noContest('decided_by_staff');
  if (winner === null) throw new Error('A decided match has a winner.');
  return wins(winner, 'decided_by_staff');
}

/**
 * Makes an ended match a no contest, so that its result does not count.
 * @throws WRONG_PHASE while it runs, ALREADY_UNDONE when it does not count anyway
 */
export function undo({ status, result }: MatchState): Ending {
  if (result === null)
    throw wrongPhase(
      status,
      `The match is in ${status}: there is no result yet. It can be aborted or decided.`,
    );
  if (result.outcome === 'no_contest')
    throw matchErrors.ALREADY_UNDONE({
      message: `The match is no contest (${result.reason}): it does not count.`,
    });
  return noContest('decided_by_staff');
}
