import type { LoggedEvent } from './log-schemas.ts';
import type { CAUSES, SeatName } from './state.ts';

/** What happens to a match, and what follows from it. The events themselves are in `log-schemas.ts`. */

/** What happens to a match. Each accepted event is a line of its log. */
export type MatchEvent = Exclude<LoggedEvent, { type: 'created' }>;

/** What a player asks for. `forfeit` is possible as long as the match runs, each other one in one phase. */
export type Command = Extract<
  LoggedEvent,
  { type: 'joinMatch' | 'discardMaps' | 'selectMap' | 'setReady' | 'submitScore' | 'forfeit' }
>;

/** What staff may do to a match. All but `abortedByStaff` are possible once it has ended, too. */
export type StaffEvent = Extract<
  LoggedEvent,
  { type: 'abortedByStaff' | 'decidedByStaff' | 'undoneByStaff' }
>;

/** What happens to a match by itself and by its players. */
export type PlayEvent = Exclude<MatchEvent, StaffEvent>;

/** A line of the log: it begins with what the match was made from. */
export interface LogLine {
  event: LoggedEvent;
  /** When it was decided, whole milliseconds since 1970. */
  at: number;
}

/** What a `matchUpdated` says it is about; `seat` is whose doing it was, null when a limit passed. */
export interface Cause {
  type: (typeof CAUSES)[number];
  seat: SeatName | null;
}

export type PenaltyReason =
  | 'not_joined'
  | 'disconnected'
  | 'not_ready'
  | 'left_before_first_pick'
  | 'dodged'
  | 'repeated_forfeit';

/** What an end of a match does beyond the match: carried out in the transaction that stores the end. */
export type Effect =
  | { type: 'penalise'; seat: SeatName; reason: PenaltyReason }
  /** The innocent player waits again with the old waiting time, if connected and the queue is open. */
  | { type: 'requeue'; seat: SeatName };
