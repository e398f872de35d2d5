import { errorEntries, type ServiceError } from '../../platform/errors.ts';
import type { MatchStatus } from './state.ts';

export const matchErrors = errorEntries({
  MATCH_NOT_FOUND: { status: 404, message: 'There is no such match.' },
  WRONG_PHASE: { status: 409, message: 'This is not possible in the current phase.', details: ['status'] },
  NOT_YOUR_TURN: { status: 409, message: 'It is your opponent’s turn to pick.' },
  CARD_NOT_IN_HAND: { status: 409, message: 'This card is not in your hand.' },
  DUPLICATE_CARD: { status: 400, message: 'A card can be discarded only once.' },
  DISCARD_ALREADY_DONE: { status: 409, message: 'You have discarded already; that is done once a match.' },
  TOO_MANY_DISCARDS: { status: 400, message: 'These are more cards than may be discarded.' },
  NO_REPLACEMENT_AVAILABLE: {
    status: 409,
    message: 'The pool has too few maps you have not held yet. Discard fewer cards.',
  },
  WRONG_ROUND: { status: 409, message: 'This is not the current round.' },
  SCORE_IMPOSSIBLE: { status: 422, message: 'This score is not possible on this map.' },
  SCORE_ALREADY_SUBMITTED: { status: 409, message: 'You have submitted another score for this round.' },
  OWN_MATCH: {
    status: 403,
    message:
      'This is not possible for a match one plays in, or with a player who was erased before one joined.',
  },
  LOG_UNREADABLE: {
    status: 410,
    message: 'The log of this match is damaged or has lost its beginning. The match and its result stand.',
  },
  TOO_MANY_LATER_MATCHES: {
    status: 409,
    message: 'Too many matches of this ladder were made after this one: they cannot all be rated again.',
  },
  ALREADY_UNDONE: { status: 409, message: 'This match is a no contest already: its result does not count.' },
});

/** The refusal of what is not possible while a match has this status. */
export const wrongPhase = (status: MatchStatus, message: string): ServiceError =>
  matchErrors.WRONG_PHASE({ message, details: { status } });
