import type { Cause, Effect, TransitionEvent } from '../../../src/domains/matches/match-events.ts';
import type { Played } from '../../../src/domains/matches/play.ts';
import type { MatchState, SeatName } from '../../../src/domains/matches/state.ts';
import type { Canonical } from '../canonical.ts';
import type { Next } from '../events.ts';
import type { Setting } from '../settings.ts';
import type { Machine, Moment } from '../walk.ts';

/** One change, as the reducer made it. */
export interface Step {
  before: MatchState;
  event: TransitionEvent;
  at: number;
  state: MatchState;
  cause: Cause;
  effects: readonly Effect[];
}

/** Everything else that an invariant may use. */
export interface Context {
  setting: Setting;
  machine: Machine;
  canonical: Canonical;
  eventsOf(moment: Moment): Next[];
}

/** Something that holds in every state, on every change, or of every answer. Each check says what is wrong; null: nothing. */
export interface Invariant {
  name: string;
  /** For readers, in a sentence. */
  says: string;
  moment?(moment: Moment, context: Context): string | null;
  step?(step: Step, context: Context): string | null;
  answer?(
    moment: Moment,
    event: TransitionEvent,
    at: number,
    played: Played,
    context: Context,
  ): string | null;
}

export const scoredIn = ({ rounds }: MatchState): number => rounds.filter((round) => !round.void).length;

/** The grace has ended and the seat cannot come back. */
export const isGone = ({ seats }: MatchState, seat: SeatName): boolean => {
  const { presence } = seats[seat];
  return presence.kind === 'absent' && presence.final;
};

export const isBeforeFirstPick = ({ roundNumber, status }: MatchState): boolean =>
  roundNumber === 0 || (roundNumber === 1 && status === 'awaiting_pick');

/** Players may be away at no cost: the map is played, or its result shown. */
export const isTolerant = ({ status }: MatchState): boolean =>
  status === 'playing' || status === 'round_results';

/** A seat is gone: only the return of the other one decides anything. */
export const standsStill = (match: MatchState): boolean => isGone(match, 'red') || isGone(match, 'blue');
