import type { PenaltyReason } from '../penalties/index.ts';
import type { Effect } from './match-events.ts';
import { scoredRounds } from './rounds.ts';
import { type MatchState, other, type Result, type ResultReason, SEATS, type SeatName } from './state.ts';

/** The ways in which a match ends, and their penalties. Source: docs/rules.md, *Lost connections* and *Leaving*. */

/** The end of a match, with its effects on the players. */
export interface Ending {
  result: Result;
  effects: Effect[];
}

/** After this many forfeits before any scored round within 24 hours, the next one is an offence. */
const EARLY_FORFEITS_FORGIVEN = 2;

export const penalise = (seat: SeatName, reason: PenaltyReason): Effect => ({
  type: 'penalise',
  seat,
  reason,
});
export const requeue = (seat: SeatName): Effect => ({ type: 'requeue', seat });

export const noContest = (reason: ResultReason, ...effects: Effect[]): Ending => ({
  result: { outcome: 'no_contest', reason, winner: null },
  effects,
});

export const wins = (winner: SeatName, reason: ResultReason, ...effects: Effect[]): Ending => ({
  result: { outcome: 'decided', reason, winner },
  effects,
});

export const draw = (reason: ResultReason): Ending => ({
  result: { outcome: 'draw', reason, winner: null },
  effects: [],
});

/** No map has been picked: a match that is broken off until then is no contest. */
const beforeFirstPick = (match: MatchState): boolean =>
  match.roundNumber === 0 || (match.roundNumber === 1 && match.status === 'awaiting_pick');

/** The grace of the seat has ended and it cannot come back: it cannot win any more. */
export const isGone = (match: MatchState, seat: SeatName): boolean => {
  const { presence } = match.seats[seat];
  return presence.kind === 'absent' && presence.final;
};

/** Why a player who did not come back is penalised, where the other did not win. */
const absenceReason = (match: MatchState) =>
  beforeFirstPick(match) ? 'left_before_first_pick' : 'disconnected';

/** Neither came back in time: no contest, and a penalty for both. */
export function nobodyReturned(match: MatchState): Ending {
  const reason = absenceReason(match);
  return noContest(reason, ...SEATS.map((seat) => penalise(seat, reason)));
}

/** A player forfeits or did not come back. */
export function endByLeaving(match: MatchState, leaver: SeatName, how: 'forfeit' | 'disconnected'): Ending {
  const innocent = other(leaver);
  if (isGone(match, innocent)) return nobodyReturned(match);
  const { record } = match.seats[leaver];
  if (beforeFirstPick(match)) {
    return record.leftBeforeFirstPick > 0
      ? wins(innocent, 'dodged', penalise(leaver, 'dodged'), requeue(innocent))
      : noContest('left_before_first_pick', penalise(leaver, 'left_before_first_pick'), requeue(innocent));
  }
  if (how === 'disconnected') return wins(innocent, 'disconnected', penalise(leaver, 'disconnected'));
  const offence = scoredRounds(match) === 0 && record.earlyForfeits >= EARLY_FORFEITS_FORGIVEN;
  return wins(innocent, 'forfeit', ...(offence ? [penalise(leaver, 'repeated_forfeit')] : []));
}

/** A player was banned: lost, or no contest before the first pick. The ban is penalty enough. */
export function banned(match: MatchState, seat: SeatName): Ending {
  const innocent = other(seat);
  if (isGone(match, innocent)) return noContest('banned', penalise(innocent, absenceReason(match)));
  return beforeFirstPick(match) ? noContest('banned', requeue(innocent)) : wins(innocent, 'banned');
}
