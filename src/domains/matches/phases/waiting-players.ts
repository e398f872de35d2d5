import { noContest, penalise, requeue } from '../endings.ts';
import { SEATS } from '../state.ts';
import type { Phase } from './phase.ts';

/** Both players must join. Until then each is hidden from the other. */
export const waitingPlayers: Phase = {
  cause: 'created',
  toleratesAbsence: false,

  enter: (match, now) => {
    match.deadlineAt = now + match.limits.joinMs;
  },

  commands: {
    joinMatch: (match, { seat }) => {
      match.seats[seat].joined = true;
      return 'stays';
    },
  },

  isOver: (match) => SEATS.every((seat) => match.seats[seat].joined),

  end: (match) =>
    SEATS.every((seat) => match.seats[seat].joined)
      ? 'awaiting_discards'
      : noContest(
          'not_joined',
          ...SEATS.map((seat) => (match.seats[seat].joined ? requeue(seat) : penalise(seat, 'not_joined'))),
        ),
};
