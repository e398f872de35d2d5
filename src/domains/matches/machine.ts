import { ServiceError } from '../../platform/errors.ts';
import { deal, hashSeed, seatPlayers } from './deal.ts';
import { banned, endByLeaving, isGone, noContest } from './endings.ts';
import { wrongPhase } from './errors.ts';
import type { Cause, Command, Effect, TransitionEvent } from './match-events.ts';
import { awaitingDiscards } from './phases/awaiting-discards.ts';
import { awaitingPick } from './phases/awaiting-pick.ts';
import { finish } from './phases/ended.ts';
import type { Answer, Phase } from './phases/phase.ts';
import { playing } from './phases/playing.ts';
import { preparing } from './phases/preparing.ts';
import { roundResults } from './phases/round-results.ts';
import { waitingPlayers } from './phases/waiting-players.ts';
import {
  cameBack,
  connectionLost,
  graceEnded,
  phaseLimit,
  putOff,
  resume,
  runBudget,
  standsStill,
} from './presence.ts';
import { isRepeat } from './repeats.ts';
import { staffDecision, undo } from './staff-decisions.ts';
import {
  type Card,
  copyOf,
  freezeParts,
  type MatchSetup,
  type MatchState,
  type MatchStatus,
  RUNNING,
  type RunningStatus,
  SEATS,
  type Seat,
  type SeatName,
  type SetupPlayer,
} from './state.ts';

/**
 * The life of a match, without I/O, clock or randomness: a state and an event make the next state. `phases/` has
 * the rules of each phase; this file has the rules that are the same in all of them.
 */

const phases: Record<RunningStatus, Phase> = {
  waiting_players: waitingPlayers,
  awaiting_discards: awaitingDiscards,
  awaiting_pick: awaitingPick,
  preparing,
  playing,
  round_results: roundResults,
};

const isRunningStatus = (status: MatchStatus): status is RunningStatus => status in phases;

export type Outcome =
  /** `effects` are to be carried out in the transaction that stores the state. */
  | { kind: 'changed'; state: MatchState; cause: Cause; effects: Effect[] }
  /** A command sent again, a limit that was late, a presence known already. */
  | { kind: 'unchanged' }
  | { kind: 'refused'; error: ServiceError };

/** An event in which a passed limit is replaced by its meaning: the end of a grace, or of the phase. */
type Occurrence =
  | Exclude<TransitionEvent, { type: 'limitPassed' | 'phaseOver' }>
  | { type: 'graceEnded'; seat: SeatName }
  | { type: 'phaseEnds' };

/** The cause of an update after a command that does not end the phase; for all other events `presenceChanged`. */
const commandCauses: Partial<Record<Occurrence['type'], Cause['type']>> = {
  joinMatch: 'playerJoined',
  discardMaps: 'discarded',
  setReady: 'readyChanged',
  submitScore: 'scoreSubmitted',
};

function newSeat({ connected: _connected, ...player }: SetupPlayer, hand: Card[]): Seat {
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

/** A fraction of a millisecond would reach the public log, and clients whose times are integers. */
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
  const { players: _players, pool: _pool, ...about } = setup;
  const players = seatPlayers(setup);
  const { red, blue, reserve } = deal(setup);
  const match: MatchState = {
    ...about,
    seedHash: hashSeed(setup.seed),
    version: 1,
    status: 'waiting_players',
    deadlineAt: null,
    startsAt: null,
    prepareDeadlineAt: null,
    failedDeadlineAt: null,
    seats: { red: newSeat(players.red, red), blue: newSeat(players.blue, blue) },
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
  for (const seat of SEATS) if (!players[seat].connected) connectionLost(match, seat, now, false);
  carryOut(match, 'waiting_players', now);
  return freezeParts(match);
}

/**
 * Decides one event. The state given is left as it is; the new one has the next version.
 * @param now whole milliseconds since 1970. It may be after the limit of a command that arrived in time.
 * @throws RangeError when a time is not a whole number
 */
export function transition(state: MatchState, event: TransitionEvent, now: number): Outcome {
  requireWhole(now, ...(event.type === 'serviceResumed' ? [event.downMs, event.until] : []));
  const occurrence = occurrenceOf(state, event, now);
  if (occurrence === null) return { kind: 'unchanged' };
  const match = copyOf(state);
  try {
    const answer = apply(match, occurrence, now);
    if (answer === 'unchanged') return { kind: 'unchanged' };
    const seat = 'seat' in occurrence ? occurrence.seat : null;
    const type = carryOut(match, answer, now) ?? commandCauses[occurrence.type] ?? 'presenceChanged';
    match.version += 1;
    const effects = typeof answer === 'object' ? answer.effects : [];
    return { kind: 'changed', state: freezeParts(match), cause: { type, seat }, effects };
  } catch (error) {
    if (error instanceof ServiceError) return { kind: 'refused', error };
    throw error;
  }
}

/** The event that follows from a state: the phase is over because both have answered. */
export function followUp(state: MatchState): TransitionEvent | null {
  const { status } = state;
  return isRunningStatus(status) && !standsStill(state) && phases[status].isOver(state)
    ? { type: 'phaseOver' }
    : null;
}

/** When the next limit passes, milliseconds since 1970; null once the match ended. */
export const dueAt = (state: MatchState): number | null => nextLimit(state)?.at ?? null;

/** The next limit of a match; of two at the same time a grace comes first, and red before blue. */
function nextLimit(state: MatchState): { at: number; occurrence: Occurrence } | null {
  if (!isRunningStatus(state.status)) return null;
  const limits: { at: number; occurrence: Occurrence }[] = [];
  for (const seat of SEATS) {
    const { presence } = state.seats[seat];
    if (presence.kind === 'away')
      limits.push({ at: presence.deadlineAt, occurrence: { type: 'graceEnded', seat } });
  }
  const at = phaseLimit(state);
  if (at !== null && !standsStill(state)) limits.push({ at, occurrence: { type: 'phaseEnds' } });
  return limits.toSorted((a, b) => a.at - b.at)[0] ?? null;
}

/** The meaning of an event in this state; null when it is late and has none. */
function occurrenceOf(state: MatchState, event: TransitionEvent, now: number): Occurrence | null {
  if (event.type === 'phaseOver') return followUp(state) && { type: 'phaseEnds' };
  if (event.type !== 'limitPassed') return event;
  const limit = nextLimit(state);
  return event.version === state.version && limit !== null && limit.at <= now ? limit.occurrence : null;
}

function apply(match: MatchState, occurrence: Occurrence, now: number): 'unchanged' | Answer {
  const { status } = match;
  switch (occurrence.type) {
    case 'joinMatch':
    case 'discardMaps':
    case 'selectMap':
    case 'setReady':
    case 'submitScore':
    case 'forfeit':
      return isRepeat(match, occurrence) ? 'unchanged' : applyCommand(match, occurrence, now);
    case 'abortedByStaff':
      requireRunning(match);
      return noContest('aborted_by_staff');
    case 'decidedByStaff':
      return staffDecision(match, occurrence);
    case 'undoneByStaff':
      return undo(match);
  }
  if (!isRunningStatus(status)) return 'unchanged';
  switch (occurrence.type) {
    case 'connected':
      return cameBack(match, occurrence.seat);
    case 'disconnected':
      return connectionLost(match, occurrence.seat, now, false);
    case 'nodeLost':
      return connectionLost(match, occurrence.seat, now, true);
    case 'putOff':
      return putOff(match, occurrence.seat);
    case 'graceEnded':
      return graceEnded(match, occurrence.seat, phases[status].toleratesAbsence);
    case 'phaseEnds':
      return phases[status].end(match);
    case 'serviceResumed':
      return resume(match, occurrence);
    case 'banned':
      return banned(match, occurrence.seat);
  }
}

/** Carries out a command that is not a repeat, if it belongs to the phase. */
function applyCommand(match: MatchState, command: Command, now: number): Answer {
  const status = requireRunning(match);
  if (command.type === 'forfeit') {
    match.forfeitedBy = command.seat;
    // A forfeit after the end of the grace has the same penalty as not coming back.
    return endByLeaving(match, command.seat, isGone(match, command.seat) ? 'disconnected' : 'forfeit');
  }
  if (isGone(match, command.seat))
    throw wrongPhase(
      status,
      `You were away too long. The match (${status}) only waits for your opponent’s return.`,
    );
  // The compiler cannot see that the handler found under a command's type is the one for that command.
  const handle = phases[status].commands[command.type] as
    | ((match: MatchState, command: Command, now: number) => Answer)
    | undefined;
  if (handle === undefined) {
    const home = RUNNING.filter((phase) => command.type in phases[phase].commands);
    throw wrongPhase(status, `The match is in ${status}; ${command.type} belongs to ${home.join()}.`);
  }
  return handle(match, command, now);
}

/** @throws WRONG_PHASE once the match has ended */
function requireRunning({ status }: MatchState): RunningStatus {
  if (isRunningStatus(status)) return status;
  throw wrongPhase(status, `The match is ${status}: it has ended.`);
}

/** Enters the next phase or the end after a change. @returns the cause of the update; null: the phase stays */
function carryOut(match: MatchState, answer: Answer, now: number): Cause['type'] | null {
  let cause: Cause['type'] | null = null;
  if (typeof answer === 'object') {
    finish(match, answer, now);
    cause = 'finished';
  } else if (answer !== 'stays') cause = enter(match, answer, now);
  const phase = isRunningStatus(match.status) ? phases[match.status] : null;
  phase?.afterChange?.(match, now);
  runBudget(match, now, phase === null || phase.toleratesAbsence);
  if (phase !== null && standsStill(match)) match.deadlineAt = nextLimit(match)?.at ?? null;
  return cause;
}

function enter(match: MatchState, status: RunningStatus, now: number): Cause['type'] {
  match.status = status;
  // Timers of the phase that is left; the one that is entered sets its own.
  match.prepareDeadlineAt = null;
  match.failedDeadlineAt = null;
  phases[status].enter(match, now);
  return phases[status].cause;
}
