import type { MissedOutage } from '../outages/index.ts';
import type { dealtFrom } from './deal.ts';
import { createMatch, followUp, type Outcome, transition } from './machine.ts';
import type { Cause, Effect, LogLine, TransitionEvent } from './match-events.ts';
import type { MatchSetup, MatchState } from './state.ts';

/** Plays several events in order: an event with those that follow from it, missed outages before it, a whole log. */

/** The rules of one version: pure functions, the same result for the same arguments in every release. */
export interface Rules {
  readonly version: number;
  createMatch(setup: MatchSetup, now: number): MatchState;
  transition(state: MatchState, event: TransitionEvent, now: number): Outcome;
  followUp(state: MatchState): TransitionEvent | null;
  dueAt(state: MatchState): number | null;
  /** The cards of both players and the reserve. @throws RangeError with a pool that cannot be dealt */
  dealtFrom(setup: MatchSetup): ReturnType<typeof dealtFrom>;
}

/** One change with the event that made it: a line of the log, and one update to both players. */
export interface PlayedStep {
  event: TransitionEvent;
  state: MatchState;
  cause: Cause;
  effects: Effect[];
}

/** A list with at least one element. */
export type NonEmpty<T> = readonly [T, ...T[]];
export const lastOf = <T>(steps: NonEmpty<T>): T => steps.at(-1) ?? steps[0];

export type Played = { kind: 'changed'; steps: NonEmpty<PlayedStep> } | Exclude<Outcome, { kind: 'changed' }>;

/**
 * The limit of a preparation that comes before an event, although it was not applied yet. Source: docs/adr/0040.
 * - The countdown has ended, and both players have begun the map: a connection that is lost now does not stop it.
 * - The limit had passed when the connection was lost: the return is too late to start a countdown. Otherwise a player
 *   could put the limit off again and again.
 */
function limitBefore(
  { status, startsAt, deadlineAt, seats, version }: MatchState,
  event: TransitionEvent,
  now: number,
): TransitionEvent | null {
  if (status !== 'preparing') return null;
  const limit = { type: 'limitPassed', version } as const;
  switch (event.type) {
    case 'disconnected':
    case 'nodeLost':
      return startsAt !== null && startsAt <= now ? limit : null;
    case 'connected': {
      const { presence } = seats[event.seat];
      return presence.kind === 'away' && deadlineAt !== null && deadlineAt <= presence.since ? limit : null;
    }
    default:
      return null;
  }
}

/**
 * Decides an event and everything that follows from it at once, each as a change of its own.
 * @param by the rules of the version the match is played by
 */
export function play(
  state: MatchState,
  event: TransitionEvent,
  now: number,
  by: Pick<Rules, 'transition' | 'followUp'> = { transition, followUp },
): Played {
  const limit = limitBefore(state, event, now);
  const before = limit && play(state, limit, now, by);
  if (before?.kind === 'changed') {
    const after = play(lastOf(before.steps).state, event, now, by);
    if (after.kind !== 'changed') return before;
    return { kind: 'changed', steps: [...before.steps, ...after.steps] };
  }
  const first = by.transition(state, event, now);
  if (first.kind !== 'changed') return first;
  const steps: [PlayedStep, ...PlayedStep[]] = [stepOf(event, first)];
  let last = first.state;
  for (let next = by.followUp(last); next !== null; next = by.followUp(last)) {
    const outcome = by.transition(last, next, now);
    if (outcome.kind !== 'changed')
      throw new Error(`${next.type} follows from ${last.status} and changed nothing.`);
    steps.push(stepOf(next, outcome));
    last = outcome.state;
  }
  return { kind: 'changed', steps };
}

const stepOf = (
  event: TransitionEvent,
  { kind: _, ...change }: Outcome & { kind: 'changed' },
): PlayedStep => ({
  event,
  ...change,
});

/**
 * Decides events one after the other. Before them the match gets the time back that it lost by outages, so that
 * nothing is decided by limits that an outage moved.
 * @returns every change in order, null without any; and the refusal of the last event
 */
export function playUpToDate(
  state: MatchState,
  outages: readonly MissedOutage[],
  events: readonly TransitionEvent[],
  now: number,
  rules: Rules,
): { steps: NonEmpty<PlayedStep> | null; refusal: Error | null } {
  const steps: PlayedStep[] = [];
  let refusal: Error | null = null;
  for (const event of [...outages.map((one) => ({ type: 'serviceResumed' as const, ...one })), ...events]) {
    const played = play(steps.at(-1)?.state ?? state, event, now, rules);
    if (played.kind === 'changed') steps.push(...played.steps);
    refusal = played.kind === 'refused' ? played.error : null;
  }
  const [first, ...rest] = steps;
  return { steps: first ? [first, ...rest] : null, refusal };
}

/**
 * Plays lines of a log again: the same seed and the same events make the same states.
 * @param by the rules of the version the match was played by
 * @param before the state that the lines go on from; null: they are the whole log
 * @returns the state after each line, in order
 * @throws Error when a whole log does not begin with `created`, or an event changes nothing
 */
export function statesOf(
  log: readonly LogLine[],
  by: Pick<Rules, 'createMatch' | 'transition'> = { createMatch, transition },
  before: MatchState | null = null,
): MatchState[] {
  let state = before;
  if (state === null && log[0]?.event.type !== 'created')
    throw new Error('A log begins with what the match was made from.');
  return log.map(({ event, at }) => {
    if (event.type === 'created' && state === null) state = by.createMatch(event.setup, at);
    else {
      const outcome = state && event.type !== 'created' ? by.transition(state, event, at) : null;
      if (outcome?.kind !== 'changed')
        throw new Error(`${event.type} changes nothing in version ${state?.version}.`);
      state = outcome.state;
    }
    return state;
  });
}
