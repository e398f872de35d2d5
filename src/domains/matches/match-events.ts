import type { PenaltyReason } from '../penalties/index.ts';
import type { MatchEvent } from './log-schemas.ts';
import type { CAUSES, SeatName } from './state.ts';

/** Events, causes and effects of a match. `log-schemas.ts` defines the members of each event. */

/** An event of a match. Each accepted event is a line of its log. */
export type TransitionEvent = Exclude<MatchEvent, { type: 'created' }>;

/** An event that a player sends. `forfeit` is possible while the match runs, each other one in one phase. */
export type Command = Extract<
  MatchEvent,
  { type: 'joinMatch' | 'discardMaps' | 'selectMap' | 'setReady' | 'submitScore' | 'forfeit' }
>;

/** An event by staff. `abortedByStaff` needs a running match, `undoneByStaff` an ended one. */
export type StaffEvent = Extract<MatchEvent, { type: 'abortedByStaff' | 'decidedByStaff' | 'undoneByStaff' }>;

/** An event by the players or the service. */
export type PlayEvent = Exclude<TransitionEvent, StaffEvent>;

/** A line of the log. The first line is `created`. */
export interface LogLine {
  event: MatchEvent;
  /** When it was decided, whole milliseconds since 1970. */
  at: number;
}

/**
 * The cause of a `matchUpdated`. `seat` is the player of the command, connection, grace or ban; null for the limit or the
 * end of a phase, an outage and staff.
 */
export interface Cause {
  type: (typeof CAUSES)[number];
  seat: SeatName | null;
}

/** An effect of the end beyond the match, in the transaction that stores the end. */
export type Effect =
  | { type: 'penalise'; seat: SeatName; reason: PenaltyReason }
  /** The innocent player waits again with the old waiting time, if connected and the queue is open. */
  | { type: 'requeue'; seat: SeatName };
