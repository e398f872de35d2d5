import type { Ending } from '../endings.ts';
import type { MatchState } from '../state.ts';

/** Completed or aborted: nothing runs any more, and only repeats of earlier commands are answered. */
export function finish(match: MatchState, { result }: Ending, now: number): void {
  match.status = result.outcome === 'no_contest' ? 'aborted' : 'completed';
  match.result = result;
  // A corrected result does not move the end: it is when the match was played.
  match.endedAt ??= now;
  match.deadlineAt = null;
  match.startsAt = null;
  match.prepareDeadlineAt = null;
  match.failedDeadlineAt = null;
}
