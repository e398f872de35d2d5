import { ServiceError } from '../../platform/errors.ts';
import { deal, type dealtFrom, hashSeed, seatPlayers } from './deal.ts';
import { banned, draw, type Ending, isGone, leaves, noContest, wins } from './endings.ts';
import { matchErrors } from './errors.ts';
import { awaitingDiscards } from './phases/awaiting-discards.ts';
import { awaitingPick } from './phases/awaiting-pick.ts';
import { finish } from './phases/ended.ts';
import type { Answer, Phase } from './phases/phase.ts';
import { playing } from './phases/playing.ts';
import { preparing } from './phases/preparing.ts';
import { roundResults } from './phases/round-results.ts';
import { waitingPlayers } from './phases/waiting-players.ts';
import { cameBack, graceEnded, lost, putOff, resume, runBudget, standsStill } from './presence.ts';
import { isRepeat } from './repeats.ts';
import {
  type Card,
  type Cause,
  type Command,
  copyOf,
  type Effect,
  type LogLine,
  type MatchEvent,
  type MatchSetup,
  type MatchState,
  type MatchStatus,
  RUNNING,
  type RunningStatus,
  SEATS,
  type Seat,
  type SeatName,
  type SetupPlayer,
  settled,
} from './state.ts';

/**
 * The life of a match, without I/O, clock or chance: a state and an event make the next state. What is
 * particular to a phase is in `phases/`; what is the same in all of them is here.
 */

const phases: Record<RunningStatus, Phase> = {
  waiting_players: waitingPlayers,
  awaiting_discards: awaitingDiscards,
  awaiting_pick: awaitingPick,
  preparing,
  playing,
  round_results: roundResults,
};

const isRunning = (status: MatchStatus): status is RunningStatus => status in phases;

export type Outcome =
  /** `effects` are to be carried out in the transaction that stores the state. */
  | { kind: 'changed'; state: MatchState; cause: Cause; effects: Effect[] }
  /** A command sent again, a limit that was late, a presence known already. */
  | { kind: 'unchanged' }
  | { kind: 'refused'; error: ServiceError };

/** The rules of one version: pure functions, the same answer for the same arguments for ever. */
export interface Rules {
  readonly version: number;
  createMatch(setup: MatchSetup, now: number): MatchState;
  transition(state: MatchState, event: MatchEvent, now: number): Outcome;
  followUp(state: MatchState): MatchEvent | null;
  dueAt(state: MatchState): number | null;
  /** Who is dealt what. @throws RangeError with a pool that cannot be dealt */
  dealtFrom(setup: MatchSetup): ReturnType<typeof dealtFrom>;
}

/** One change with the event that made it: a line of the log, and one update to both players. */
export interface PlayedStep {
  event: MatchEvent;
  state: MatchState;
  cause: Cause;
  effects: Effect[];
}

export type Played =
  | { kind: 'changed'; steps: [PlayedStep, ...PlayedStep[]] }
  | Exclude<Outcome, { kind: 'changed' }>;

/** An event with the limit that passed made out: whose grace, or the phase's own end. */
type Happening =
  | Exclude<MatchEvent, { type: 'limitPassed' | 'phaseOver' }>
  | { type: 'graceEnded'; seat: SeatName }
  | { type: 'phaseEnds' };

/** What an update says about a command that leaves the match in its phase; of anything else: presence. */
const commandCauses: Partial<Record<Happening['type'], Cause['type']>> = {
  joinMatch: 'playerJoined',
  discardMaps: 'discarded',
  setReady: 'readyChanged',
  submitScore: 'scoreSubmitted',
};

function seated({ connected: _connected, ...player }: SetupPlayer, hand: Card[]): Seat {
  return {
    ...player,
    health: 1,
    joined: false,
    hand,
    discarded: null,
    presence: { kind: 'present' },
    budgetUsedMs: 0,
    budgetRunningSince: null,
    ready: null,
    readyStates: [],
    countdownsStopped: 0,
    countdownsBroken: 0,
    notReadyLosses: 0,
    score: null,
  };
}

/** Fractions of a millisecond would reach clients whose times are integers, and the public log. */
function requireWhole(...milliseconds: number[]): void {
  for (const one of milliseconds)
    if (!Number.isInteger(one)) throw new RangeError(`A time of ${one} ms is not a whole number.`);
}

/**
 * A new match: seats, deal, and the limit for joining. A player without a connection begins away.
 * @param now whole milliseconds since 1970
 * @throws RangeError with a pool of fewer than ten maps
 */
export function createMatch(setup: MatchSetup, now: number): MatchState {
  requireWhole(now);
  const players = seatPlayers(setup);
  const { red, blue, reserve } = deal(setup);
  const match: MatchState = {
    rulesVersion: setup.rulesVersion,
    matchGuid: setup.matchGuid,
    queueGuid: setup.queueGuid,
    seasonGuid: setup.seasonGuid,
    poolGuid: setup.poolGuid,
    rated: setup.rated,
    maxDiscards: setup.maxDiscards,
    replaysRequired: setup.replaysRequired,
    limits: setup.limits,
    seed: setup.seed,
    seedHash: hashSeed(setup.seed),
    version: 1,
    status: 'waiting_players',
    deadlineAt: null,
    startsAt: null,
    prepareDeadlineAt: null,
    failedDeadlineAt: null,
    seats: { red: seated(players.red, red), blue: seated(players.blue, blue) },
    reserve,
    roundNumber: 0,
    pickerSeat: null,
    current: null,
    rounds: [],
    forfeitedBy: null,
    result: null,
    lastOutage: 0,
    createdAt: now,
    endedAt: null,
  };
  for (const seat of SEATS) if (!players[seat].connected) lost(match, seat, now, false);
  conclude(match, 'waiting_players', now);
  return settled(match);
}

/**
 * Decides one event. The state given is left as it is; the new one has the next version.
 * @param now whole milliseconds since 1970. A command decided before its limit was is in time, however late it is.
 * @throws RangeError when a time is not a whole number
 */
export function transition(state: MatchState, event: MatchEvent, now: number): Outcome {
  requireWhole(now, ...(event.type === 'serviceResumed' ? [event.downMs, event.until] : []));
  const happening = happeningOf(state, event, now);
  if (happening === null) return { kind: 'unchanged' };
  const match = copyOf(state);
  try {
    const answer = apply(match, happening, now);
    if (answer === 'unchanged') return { kind: 'unchanged' };
    const seat = 'seat' in happening ? happening.seat : null;
    const type = conclude(match, answer, now) ?? commandCauses[happening.type] ?? 'presenceChanged';
    match.version += 1;
    const effects = typeof answer === 'object' ? answer.effects : [];
    return { kind: 'changed', state: settled(match), cause: { type, seat }, effects };
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'refused', error };
    throw error;
  }
}

/** What follows from a state at once: the phase is over because everybody has answered. */
export function followUp(state: MatchState): MatchEvent | null {
  const { status } = state;
  return isRunning(status) && !standsStill(state) && phases[status].isOver(state)
    ? { type: 'phaseOver' }
    : null;
}

/**
 * Decides an event and everything that follows from it at once, each as a change of its own.
 * @param by the rules of the version the match is played by
 */
export function play(
  state: MatchState,
  event: MatchEvent,
  now: number,
  by: Pick<Rules, 'transition' | 'followUp'> = { transition, followUp },
): Played {
  const first = by.transition(state, event, now);
  if (first.kind !== 'changed') return first;
  const steps: [PlayedStep, ...PlayedStep[]] = [step(event, first)];
  let last = first.state;
  for (let next = by.followUp(last); next !== null; next = by.followUp(last)) {
    const outcome = by.transition(last, next, now);
    if (outcome.kind !== 'changed')
      throw new Error(`${next.type} follows from ${last.status} and changed nothing.`);
    steps.push(step(next, outcome));
    last = outcome.state;
  }
  return { kind: 'changed', steps };
}

const step = (event: MatchEvent, { state, cause, effects }: Outcome & { kind: 'changed' }): PlayedStep => ({
  event,
  state,
  cause,
  effects,
});

/** When the next limit passes, milliseconds since 1970; null once the match ended. */
export const dueAt = (state: MatchState): number | null => nextLimit(state)?.at ?? null;

/**
 * Plays a log again: the same seed and the same events make the same states.
 * @param by the rules of the version the match was played by
 * @returns the state after each line, in order
 * @throws Error when the log does not begin with `created`, or an event in it changes nothing
 */
export function statesOf(
  [created, ...log]: readonly LogLine[],
  by: Pick<Rules, 'createMatch' | 'transition'> = { createMatch, transition },
): MatchState[] {
  if (created?.event.type !== 'created') throw new Error('A log begins with what the match was made from.');
  let state = by.createMatch(created.event.setup, created.at);
  const states = [state];
  for (const { event, at } of log) {
    const outcome = event.type === 'created' ? null : by.transition(state, event, at);
    if (outcome?.kind !== 'changed')
      throw new Error(`${event.type} changes nothing in version ${state.version}.`);
    state = outcome.state;
    states.push(state);
  }
  return states;
}

/** The last state of a log that is played again. @throws like {@link statesOf} */
export const replay = (log: readonly LogLine[], by?: Pick<Rules, 'createMatch' | 'transition'>): MatchState =>
  statesOf(log, by).at(-1) as MatchState;

/** The next limit of a match; of two at the same time a grace comes first, and red before blue. */
function nextLimit(state: MatchState): { at: number; happening: Happening } | null {
  if (!isRunning(state.status)) return null;
  const limits: { at: number; happening: Happening }[] = [];
  for (const seat of SEATS) {
    const { presence } = state.seats[seat];
    if (presence.kind === 'away')
      limits.push({ at: presence.deadlineAt, happening: { type: 'graceEnded', seat } });
  }
  if (!standsStill(state)) {
    for (const at of [state.deadlineAt, state.failedDeadlineAt])
      if (at !== null) limits.push({ at, happening: { type: 'phaseEnds' } });
  }
  return limits.toSorted((a, b) => a.at - b.at)[0] ?? null;
}

/** What an event is about in this state; null when it is about nothing any more. */
function happeningOf(state: MatchState, event: MatchEvent, now: number): Happening | null {
  if (event.type === 'phaseOver') return followUp(state) && { type: 'phaseEnds' };
  if (event.type !== 'limitPassed') return event;
  const limit = nextLimit(state);
  return event.version === state.version && limit !== null && limit.at <= now ? limit.happening : null;
}

function apply(match: MatchState, happening: Happening, now: number): 'unchanged' | Answer {
  const { status } = match;
  switch (happening.type) {
    case 'joinMatch':
    case 'discardMaps':
    case 'selectMap':
    case 'setReady':
    case 'submitScore':
    case 'forfeit':
      return isRepeat(match, happening) ? 'unchanged' : obey(match, happening, now);
    case 'abortedByStaff':
      requireRunning(match);
      return noContest('aborted_by_staff');
    case 'decidedByStaff':
      return staffDecision(match, happening);
    case 'undoneByStaff':
      return undo(match);
  }
  if (!isRunning(status)) return 'unchanged';
  switch (happening.type) {
    case 'connected':
      return cameBack(match, happening.seat);
    case 'disconnected':
      return lost(match, happening.seat, now, false) ? 'stays' : 'unchanged';
    case 'nodeLost':
      return lost(match, happening.seat, now, true) ? 'stays' : 'unchanged';
    case 'putOff':
      return putOff(match, happening.seat) ? 'stays' : 'unchanged';
    case 'graceEnded':
      return graceEnded(match, happening.seat, phases[status].shelters);
    case 'phaseEnds':
      return phases[status].end(match);
    case 'serviceResumed':
      return resume(match, happening) ? 'stays' : 'unchanged';
    case 'banned':
      return banned(match, happening.seat);
  }
}

/** Carries out a command that is not a repeat, if it belongs to the phase. */
function obey(match: MatchState, command: Command, now: number): Answer {
  const status = requireRunning(match);
  if (command.type === 'forfeit') {
    match.forfeitedBy = command.seat;
    // Giving up after the grace has ended does not make it any cheaper.
    return leaves(match, command.seat, isGone(match, command.seat) ? 'disconnected' : 'forfeit');
  }
  if (isGone(match, command.seat))
    throw matchErrors.WRONG_PHASE({
      message: `You were away too long. The match (${status}) only waits for your opponent’s return.`,
      details: { status },
    });
  // The compiler cannot see that the handler found under a command's type is the one for that command.
  const handle = phases[status].commands[command.type] as
    | ((match: MatchState, command: Command, now: number) => Answer)
    | undefined;
  if (handle === undefined) {
    const home = RUNNING.filter((phase) => command.type in phases[phase].commands);
    throw matchErrors.WRONG_PHASE({
      message: `The match is in ${status}; ${command.type} belongs to ${home.join()}.`,
      details: { status },
    });
  }
  return handle(match, command, now);
}

/** @throws WRONG_PHASE once the match has ended */
function requireRunning({ status }: MatchState): RunningStatus {
  if (isRunning(status)) return status;
  throw matchErrors.WRONG_PHASE({ message: `The match is ${status}: it has ended.`, details: { status } });
}

/** Staff decide a match that runs, or correct the result of one that has ended. */
function staffDecision(
  match: MatchState,
  { outcome, winner }: MatchEvent & { type: 'decidedByStaff' },
): 'unchanged' | Ending {
  const { result } = match;
  if (result?.reason === 'decided_by_staff' && result.outcome === outcome && result.winner === winner)
    return 'unchanged';
  if (outcome === 'draw') return draw('decided_by_staff');
  if (outcome === 'no_contest') return noContest('decided_by_staff');
  if (winner === null) throw new Error('A decided match has a winner.');
  return wins(winner, 'decided_by_staff');
}

/**
 * Takes an ended match out of everything that counts.
 * @throws WRONG_PHASE while it runs, ALREADY_UNDONE when it does not count anyway
 */
function undo({ status, result }: MatchState): Ending {
  if (result === null)
    throw matchErrors.WRONG_PHASE({
      message: `The match is in ${status}: there is no result yet. It can be aborted or decided.`,
      details: { status },
    });
  if (result.outcome === 'no_contest')
    throw matchErrors.ALREADY_UNDONE({
      message: `The match is no contest (${result.reason}): it does not count.`,
    });
  return noContest('decided_by_staff');
}

/** Takes a changed match to where the change leads. @returns what the update is about; null: it stays. */
function conclude(match: MatchState, answer: Answer, now: number): Cause['type'] | null {
  const type =
    typeof answer === 'object'
      ? end(match, answer, now)
      : answer === 'stays'
        ? null
        : enter(match, answer, now);
  const { status } = match;
  if (isRunning(status)) phases[status].afterChange?.(match, now);
  runBudget(match, now, !isRunning(status) || phases[status].shelters);
  if (isRunning(status) && standsStill(match)) match.deadlineAt = nextLimit(match)?.at ?? null;
  return type;
}

function end(match: MatchState, ending: Ending, now: number): Cause['type'] {
  finish(match, ending, now);
  return 'finished';
}

function enter(match: MatchState, status: RunningStatus, now: number): Cause['type'] {
  match.status = status;
  // Timers of the phase that is left; the one that is entered sets its own.
  match.prepareDeadlineAt = null;
  match.failedDeadlineAt = null;
  phases[status].enter(match, now);
  return phases[status].begins;
}
