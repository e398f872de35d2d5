import { createMatch, dueAt, followUp, transition } from '../../src/domains/matches/machine.ts';
import type { LogLine, TransitionEvent } from '../../src/domains/matches/match-events.ts';
import { type Played, type PlayedStep, play } from '../../src/domains/matches/play.ts';
import type { MatchSetup, MatchState } from '../../src/domains/matches/state.ts';
import { causeFor, publicView, viewFor } from '../../src/domains/matches/view.ts';

/** The functions of the service that are explored. A test puts one with a defect in its place. */
export const SERVICE = {
  createMatch,
  transition,
  followUp,
  dueAt,
  viewFor,
  causeFor,
  publicView,
};
export type Machine = typeof SERVICE;

/** A match at a time. */
export interface Moment {
  state: MatchState;
  /** Milliseconds since 1970. */
  now: number;
}

/** One match, played from its deal, with its log. */
export class Walk implements Moment {
  state: MatchState;
  now: number;
  readonly log: LogLine[];
  readonly machine: Machine;

  constructor(setup: MatchSetup, now: number, machine: Machine = SERVICE) {
    this.machine = machine;
    this.now = now;
    this.log = [{ event: { type: 'created', setup }, at: now }];
    this.state = machine.createMatch(setup, now);
  }

  /** The same match, to be played on in another way. */
  copy(): Walk {
    const copy: Walk = Object.create(Walk.prototype);
    return Object.assign(copy, this, { log: [...this.log] });
  }

  /** Applies an event now. @returns its steps, none when it changed nothing */
  happens(event: TransitionEvent): readonly PlayedStep[] {
    const played: Played = play(this.state, event, this.now, this.machine);
    if (played.kind !== 'changed') return [];
    for (const step of played.steps) {
      this.log.push({ event: step.event, at: this.now });
      this.state = step.state;
    }
    return played.steps;
  }

  wait(ms: number): void {
    this.now += ms;
  }

  /** The next limit passes. */
  limit(): void {
    this.now = Math.max(this.now, this.machine.dueAt(this.state) ?? this.now);
    this.happens({ type: 'limitPassed', version: this.state.version });
  }
}
