import { matchErrors } from './errors.ts';
import type { Command } from './match-events.ts';
import type { MatchState, Score, SeatName } from './state.ts';

/**
 * A command that is sent again has no second effect, in any later phase and after the end of the match. A client that got no
 * acknowledgement sends its command again.
 */

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.toSorted().join() === b.toSorted().join();

const sameScore = (a: Score, b: Score): boolean =>
  (Object.keys(a) as (keyof Score)[]).every((field) => a[field] === b[field]);

/**
 * While the round is prepared only the last report counts, so an earlier one is no repeat. Afterwards every report
 * of the round is one.
 */
function wasSaid(match: MatchState, { seat, roundNumber, state }: Command & { type: 'setReady' }): boolean {
  if (roundNumber === match.roundNumber && match.status === 'preparing')
    return match.seats[seat].ready === state;
  const states =
    roundNumber === match.roundNumber
      ? match.seats[seat].readyStates
      : match.rounds.find((round) => round.roundNumber === roundNumber)?.readyStates[seat];
  return states?.includes(state) ?? false;
}

function submitted(match: MatchState, seat: SeatName, roundNumber: number): Score | null {
  if (roundNumber === match.roundNumber) return match.seats[seat].score;
  return match.rounds.find((round) => round.roundNumber === roundNumber)?.scores[seat] ?? null;
}

/**
 * Whether the seat has sent this very command before.
 * @throws DISCARD_ALREADY_DONE, SCORE_ALREADY_SUBMITTED for a different one after the first, in any phase
 */
export function isRepeat(match: MatchState, command: Command): boolean {
  const seat = match.seats[command.seat];
  switch (command.type) {
    case 'joinMatch':
      return seat.joined;
    case 'forfeit':
      return match.forfeitedBy === command.seat;
    case 'discardMaps': {
      if (seat.discarded === null) return false;
      const before = seat.discarded.map((card) => card.cardGuid);
      if (!sameSet(before, command.cardGuids)) throw matchErrors.DISCARD_ALREADY_DONE();
      return true;
    }
    case 'selectMap':
      return [match.current, ...match.rounds].some(
        (round) =>
          round?.pickedByPlayer === true &&
          round.pickerSeat === command.seat &&
          round.card.cardGuid === command.cardGuid,
      );
    case 'setReady':
      return wasSaid(match, command);
    case 'submitScore': {
      const before = submitted(match, command.seat, command.roundNumber);
      if (before !== null && !sameScore(before, command.score))
        throw matchErrors.SCORE_ALREADY_SUBMITTED({
          message: `You have submitted another score for round ${command.roundNumber}: ${before.rawScore}.`,
        });
      return before !== null;
    }
  }
}
