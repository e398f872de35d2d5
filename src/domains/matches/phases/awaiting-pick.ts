import { matchErrors } from '../errors.ts';
import { type Card, type MatchState, other, SEATS, type SeatName } from '../state.ts';
import type { Phase } from './phase.ts';

/** Red picks odd rounds, blue even ones. A seat without a card passes to the other. */
function pickerOf(match: MatchState): SeatName {
  const turn = match.roundNumber % 2 === 1 ? 'red' : 'blue';
  return match.seats[turn].hand.length > 0 ? turn : other(turn);
}

function pick(match: MatchState, picker: SeatName, card: Card, pickedByPlayer: boolean): 'preparing' {
  const seat = match.seats[picker];
  seat.hand = seat.hand.filter((held) => held !== card);
  match.current = { pickerSeat: picker, card, pickedByPlayer };
  return 'preparing';
}

/** One seat picks the next map from its hand; at the limit the first card of the hand is selected. */
export const awaitingPick: Phase = {
  cause: 'pickStarted',
  toleratesAbsence: false,

  enter: (match, now) => {
    match.deadlineAt = now + match.limits.pickMs;
    match.startsAt = null;
    match.roundNumber += 1;
    match.pickerSeat = pickerOf(match);
    match.current = null;
    for (const name of SEATS) {
      const seat = match.seats[name];
      seat.ready = null;
      seat.readyStates = [];
      seat.score = null;
      seat.countdownsStopped = 0;
      seat.countdownsBroken = 0;
    }
  },

  commands: {
    selectMap: (match, { seat, cardGuid }) => {
      if (match.pickerSeat !== seat) throw matchErrors.NOT_YOUR_TURN();
      const card = match.seats[seat].hand.find((held) => held.cardGuid === cardGuid);
      if (card === undefined) throw matchErrors.CARD_NOT_IN_HAND();
      return pick(match, seat, card, true);
    },
  },

  // A selection begins the next phase in the same change.
  isOver: () => false,

  end: (match) => {
    const picker = pickerOf(match);
    const [first] = match.seats[picker].hand;
    if (first === undefined) throw new Error('A pick began although both hands are empty.');
    return pick(match, picker, first, false);
  },
};
