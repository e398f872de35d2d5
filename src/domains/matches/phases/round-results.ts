import { draw, type Ending, noContest, penalise, wins } from '../endings.ts';
import { absenceDecides } from '../presence.ts';
import { scoredRounds } from '../rounds.ts';
import { type MatchState, other, SEATS } from '../state.ts';
import type { Phase } from './phase.ts';

/** Rounds in a row that neither was ready for, after which the match is given up. */
const VOID_ROUNDS = 2;

function healthDecides({ seats }: MatchState): Ending | null {
  const loser = SEATS.find((seat) => seats[seat].health === 0);
  return loser === undefined ? null : wins(other(loser), 'health');
}

/** Ended because neither plays, with a penalty for each seat whose download did not fail. */
function givenUp({ rounds }: MatchState): Ending {
  const unready = SEATS.filter((seat) => rounds.at(-1)?.ready[seat] !== 'failed');
  return noContest('void_rounds', ...unready.map((seat) => penalise(seat, 'not_ready')));
}

function voidRoundsDecide(match: MatchState): Ending | null {
  const last = match.rounds.slice(-VOID_ROUNDS);
  return last.length === VOID_ROUNDS && last.every((round) => round.void) ? givenUp(match) : null;
}

function cardsDecide(match: MatchState): Ending | null {
  const { red, blue } = match.seats;
  if (red.hand.length + blue.hand.length > 0) return null;
  if (scoredRounds(match) === 0) return givenUp(match);
  if (red.health === blue.health) return draw('cards_used_up');
  return wins(red.health > blue.health ? 'red' : 'blue', 'cards_used_up');
}

/** The round is shown; then the next pick, or the end. The health decides before the absence of a seat. */
export const roundResults: Phase = {
  cause: 'roundFinished',
  toleratesAbsence: true,

  enter: (match, now) => {
    match.deadlineAt = now + match.limits.roundResultsMs;
    match.startsAt = null;
  },

  commands: {},

  isOver: () => false,

  end: (match) =>
    healthDecides(match) ??
    voidRoundsDecide(match) ??
    cardsDecide(match) ??
    absenceDecides(match) ??
    'awaiting_pick',
};
