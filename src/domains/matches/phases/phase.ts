import type { Ending } from '../endings.ts';
import type { Cause, Command } from '../match-events.ts';
import type { MatchState, RunningStatus } from '../state.ts';

/** The next phase, or the end of the match. */
export type Next = RunningStatus | Ending;

/** The effect of a command on the phase: it stays, or it ends. */
export type Answer = 'stays' | Next;

type PhaseCommand = Exclude<Command, { type: 'forfeit' }>;

/**
 * One phase in the life of a match. Its functions change the copy of the state that `transition` made; `now` is
 * milliseconds since 1970. A refusal is thrown, and `transition` discards the copy.
 */
export interface Phase {
  /** The cause in the update that begins this phase. */
  readonly cause: Cause['type'];
  /** Being away costs no budget in this phase, and the end of a grace decides only after the phase. */
  readonly toleratesAbsence: boolean;
  /** Sets the limit and the first state of the phase. */
  enter(match: MatchState, now: number): void;
  /** The commands that belong here. A repeat of an earlier one never gets this far. */
  readonly commands: {
    readonly [C in PhaseCommand as C['type']]?: (match: MatchState, command: C, now: number) => Answer;
  };
  /** Everybody has answered: the phase ends before its limit. */
  isOver(match: MatchState): boolean;
  /** Ends the phase, early or at its limit. @returns what comes next */
  end(match: MatchState): Next;
  /** Called after every change within the phase, its beginning included. */
  afterChange?(match: MatchState, now: number): void;
}
