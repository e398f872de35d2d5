import type { Ending } from '../endings.ts';
import type { Cause, Command } from '../match-events.ts';
import type { MatchState, RunningStatus } from '../state.ts';

/** Where a match goes from here: the next phase, or its end. */
export type Next = RunningStatus | Ending;

/** What a command does to a draft: nothing more than that, or the phase ends with it. */
export type Answer = 'stays' | Next;

type PhaseCommand = Exclude<Command, { type: 'forfeit' }>;

/**
 * One phase in the life of a match. Its functions change the draft they are given; `now` is milliseconds
 * since 1970. A refusal is thrown, and the draft thrown away with it.
 */
export interface Phase {
  /** What an update says when this phase has begun. */
  readonly begins: Cause['type'];
  /** Being away costs no budget here, and a grace that ends decides nothing before the phase does. */
  readonly shelters: boolean;
  /** Sets the limit and what the phase starts from. */
  enter(match: MatchState, now: number): void;
  /** The commands that belong here. A repeat of an earlier one never gets this far. */
  readonly commands: {
    readonly [C in PhaseCommand as C['type']]?: (match: MatchState, command: C, now: number) => Answer;
  };
  /** Everybody has answered: the phase ends before its limit. */
  isOver(match: MatchState): boolean;
  /** The phase is over, early or by its limit: settles it and says what comes next. */
  end(match: MatchState): Next;
  /** Called after every change within the phase, its beginning included. */
  afterChange?(match: MatchState, now: number): void;
}
