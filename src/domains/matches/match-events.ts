import type { MatchSetup, ReadyState, Result, Score, SeatName } from './state.ts';

/** What happens to a match, and what follows from it. */

/** What a player asks for. `forfeit` is possible as long as the match runs, each other one in one phase. */
export type Command =
  | { type: 'joinMatch'; seat: SeatName }
  | { type: 'discardMaps'; seat: SeatName; cardGuids: string[] }
  | { type: 'selectMap'; seat: SeatName; cardGuid: string }
  | { type: 'setReady'; seat: SeatName; roundNumber: number; state: ReadyState }
  | { type: 'submitScore'; seat: SeatName; roundNumber: number; score: Score }
  | { type: 'forfeit'; seat: SeatName };

/** What happens to a match by itself and by its players. */
export type PlayEvent =
  | Command
  /** The connection was lost. */
  | { type: 'disconnected'; seat: SeatName }
  /** The node that held the connection died: no fault of the player, so full grace and no budget. */
  | { type: 'nodeLost'; seat: SeatName }
  | { type: 'connected'; seat: SeatName }
  /** The player came back and was refused because the database was full. */
  | { type: 'putOff'; seat: SeatName }
  /** A limit passed; carries the version it was read from, so a late one finds nothing to do. */
  | { type: 'limitPassed'; version: number }
  /** The phase is over before its limit because everybody has answered. */
  | { type: 'phaseOver' }
  /** An outage of the service is over, by its number; `downMs` is what of it fell into this match. */
  | { type: 'serviceResumed'; outage: number; downMs: number; until: number }
  | { type: 'banned'; seat: SeatName };

/** What staff may do to a match. All but `abortedByStaff` are possible once it has ended, too. */
export type StaffEvent =
  | { type: 'abortedByStaff' }
  | { type: 'decidedByStaff'; outcome: Result['outcome']; winner: SeatName | null }
  /** The result counts no more. */
  | { type: 'undoneByStaff' };

/** What happens to a match. Each accepted event is a line of its log. */
export type MatchEvent = PlayEvent | StaffEvent;

/** A line of the log: it begins with what the match was made from. */
export interface LogLine {
  event: { type: 'created'; setup: MatchSetup } | MatchEvent;
  /** When it was decided, whole milliseconds since 1970. */
  at: number;
}

export const CAUSES = [
  'created',
  'playerJoined',
  'discarded',
  'pickStarted',
  'mapSelected',
  'readyChanged',
  'mapStarted',
  'scoreSubmitted',
  'roundFinished',
  'presenceChanged',
  'finished',
] as const;

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
