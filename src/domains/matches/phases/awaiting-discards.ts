import { replacementsFor } from '../deal.ts';
import { matchErrors } from '../errors.ts';
import { SEATS } from '../state.ts';
import type { Phase } from './phase.ts';

/** Each player may discard some cards, once, for maps not seen before. Without an answer the hand stays. */
export const awaitingDiscards: Phase = {
  cause: 'playerJoined',
  toleratesAbsence: false,

  enter: (match, now) => {
    match.deadlineAt = now + match.limits.discardMs;
  },

  commands: {
    discardMaps: (match, { seat: name, cardGuids }) => {
      const seat = match.seats[name];
      if (cardGuids.length > match.maxDiscards)
        throw matchErrors.TOO_MANY_DISCARDS({
          message: `At most ${match.maxDiscards} cards may be discarded; these are ${cardGuids.length}.`,
        });
      if (new Set(cardGuids).size < cardGuids.length) throw matchErrors.DUPLICATE_CARD();
      const given = seat.hand.filter((card) => cardGuids.includes(card.cardGuid));
      if (given.length < cardGuids.length) throw matchErrors.CARD_NOT_IN_HAND();
      const drawn = replacementsFor(match, name, given.length);
      if (drawn === null) throw matchErrors.NO_REPLACEMENT_AVAILABLE();
      match.reserve = match.reserve.filter((card) => !drawn.includes(card));
      // Each new card takes the place of a discarded one, so that the others stay in their places.
      seat.hand = seat.hand.map((card) => drawn[given.indexOf(card)] ?? card);
      seat.discarded = given;
      return 'stays';
    },
  },

  isOver: (match) => SEATS.every((seat) => match.seats[seat].discarded !== null),

  end: () => 'awaiting_pick',
};
