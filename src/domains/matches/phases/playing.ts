import { closePlayed, currentRound, requireRound } from '../rounds.ts';
import { requirePossible, scoresDueAt } from '../scoring.ts';
import { SEATS } from '../state.ts';
import type { Phase } from './phase.ts';

/** Both play the map on their own and report; a score that does not come is accuracy 0. */
export const playing: Phase = {
  cause: 'mapStarted',
  toleratesAbsence: true,

  enter: (match, now) => {
    // Clients start at the announced time, however late this node applies the end of the countdown.
    match.startsAt ??= now;
    const { map } = currentRound(match).card;
    match.deadlineAt = scoresDueAt(map, match.startsAt, match.limits.scoreGraceMs);
  },

  commands: {
    submitScore: (match, { seat, roundNumber, score }, now) => {
      requireRound(match, roundNumber);
      const playedMs = now - (match.startsAt ?? now);
      requirePossible(currentRound(match).card.map, score, playedMs, match.limits.scoreEarliestShare);
      match.seats[seat].score = score;
      return 'stays';
    },
  },

  isOver: (match) => SEATS.every((seat) => match.seats[seat].score !== null),

  end: (match) => {
    closePlayed(match);
    return 'round_results';
  },
};
