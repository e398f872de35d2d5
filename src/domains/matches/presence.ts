import { type Ending, endByLeaving, isGone, nobodyReturned } from './endings.ts';
import type { PlayEvent } from './match-events.ts';
import { type MatchState, other, SEATS, type SeatName } from './state.ts';

/** Lost connections: the grace, the budget, and outages. Source: docs/rules.md, *Lost connections*; docs/lost-time.md. */

type Resumed = PlayEvent & { type: 'serviceResumed' };

/** The shortest grace, even without budget: a client needs this long to notice and to come back. */
const SHORTEST_GRACE_MS = 10_000;
/** The least time until every limit after an outage. */
const REMAINS_AFTER_OUTAGE_MS = 15_000;

/** The extension of the grace, or of the place in a queue, of a player who was put off. Source: docs/lost-time.md. */
export const PUT_OFF_MS = 60_000;

/** The grace of an absence that the service caused. */
const fullGraceMs = ({ limits }: MatchState): number => Math.max(SHORTEST_GRACE_MS, limits.reconnectGraceMs);

/** A connection was lost; `free` when the node that held it died or stopped. */
export function connectionLost(
  match: MatchState,
  seatName: SeatName,
  now: number,
  free: boolean,
): 'unchanged' | 'stays' {
  const seat = match.seats[seatName];
  if (seat.presence.kind !== 'present') return 'unchanged';
  const budgetLeftMs = Math.max(SHORTEST_GRACE_MS, match.limits.reconnectBudgetMs - seat.budgetUsedMs);
  const graceMs = free ? fullGraceMs(match) : Math.min(fullGraceMs(match), budgetLeftMs);
  seat.presence = { kind: 'away', since: now, deadlineAt: now + graceMs, free };
  return 'stays';
}

/** The player is connected again. */
export function cameBack(match: MatchState, seatName: SeatName): 'unchanged' | 'stays' | Ending {
  const seat = match.seats[seatName];
  if (seat.presence.kind === 'present' || isGone(match, seatName)) return 'unchanged';
  seat.presence = { kind: 'present' };
  return isGone(match, other(seatName)) ? endByLeaving(match, other(seatName), 'disconnected') : 'stays';
}

/** A player who came back was put off: the grace is extended, once in each absence, and costs no budget from now on. */
export function putOff(match: MatchState, seatName: SeatName): 'unchanged' | 'stays' {
  const seat = match.seats[seatName];
  if (seat.presence.kind !== 'away' || seat.presence.extended) return 'unchanged';
  const deadlineAt = seat.presence.deadlineAt + PUT_OFF_MS;
  seat.presence = { ...seat.presence, deadlineAt, free: true, extended: true };
  return 'stays';
}

/** A grace ended. `tolerated`: the phase is decided first, and the player may come back until its end. */
export function graceEnded(match: MatchState, seatName: SeatName, tolerated: boolean): 'stays' | Ending {
  const opponent = match.seats[other(seatName)];
  match.seats[seatName].presence = { kind: 'absent', final: !tolerated };
  if (tolerated) return 'stays';
  if (opponent.presence.kind === 'present') return endByLeaving(match, seatName, 'disconnected');
  return isGone(match, other(seatName)) ? nobodyReturned(match) : 'stays';
}

/** The end that absence causes after a round; null: both go on, or the other may still return and win. */
export function absenceDecides(match: MatchState): Ending | null {
  const absent = SEATS.filter((seat) => match.seats[seat].presence.kind === 'absent');
  for (const seat of absent) match.seats[seat].presence = { kind: 'absent', final: true };
  const [gone] = absent;
  if (gone === undefined) return null;
  if (absent.length === SEATS.length) return nobodyReturned(match);
  return match.seats[other(gone)].presence.kind === 'present'
    ? endByLeaving(match, gone, 'disconnected')
    : null;
}

/**
 * The match stands still: one seat cannot come back and the other is away. Only the return of the other or the end
 * of its grace decides the match, so no other limit runs.
 */
export const standsStill = (match: MatchState): boolean => SEATS.some((seat) => isGone(match, seat));

/**
 * When the phase ends at the latest; null once the match has ended. With one failed download and the other player ready it is
 * the earlier of two limits. While the match stands still it is the end of the grace.
 */
export function phaseLimit(match: MatchState): number | null {
  const { deadlineAt, failedDeadlineAt } = match;
  if (deadlineAt === null || failedDeadlineAt === null || standsStill(match)) return deadlineAt;
  return Math.min(deadlineAt, failedDeadlineAt);
}

/** Starts the budget of seats that are away at a cost, and stops it for the others. */
export function runBudget(match: MatchState, now: number, tolerated: boolean): void {
  for (const name of SEATS) {
    const seat = match.seats[name];
    const runs = seat.presence.kind === 'away' && !seat.presence.free && !tolerated;
    if (runs) seat.budgetRunningSince ??= now;
    else if (seat.budgetRunningSince !== null) {
      seat.budgetUsedMs += Math.max(0, now - seat.budgetRunningSince);
      seat.budgetRunningSince = null;
    }
  }
}

/**
 * An outage is over: limits move by what of it fell into this match, and graces start anew at its end. Everything is
 * computed from the end of the outage, so it does not matter when a match learns of it. Each outage is compensated once.
 */
export function resume(match: MatchState, { outage, downMs, until }: Resumed): 'unchanged' | 'stays' {
  if (outage <= match.lastOutage) return 'unchanged';
  match.lastOutage = outage;
  const moved = (at: number): number => Math.max(at + downMs, until + REMAINS_AFTER_OUTAGE_MS);
  for (const limit of ['deadlineAt', 'prepareDeadlineAt', 'failedDeadlineAt'] as const) {
    const at = match[limit];
    if (at !== null) match[limit] = moved(at);
  }
  // The service runs the countdown, so it moves. A map that has started goes on in the game, so its start stays.
  if (match.status === 'preparing' && match.startsAt !== null) match.startsAt = moved(match.startsAt);
  for (const name of SEATS) {
    const seat = match.seats[name];
    // A grace that began after the outage lost nothing by it.
    if (seat.presence.kind !== 'away' || seat.presence.since >= until) continue;
    const extensionMs = seat.presence.extended ? PUT_OFF_MS : 0;
    seat.presence = { ...seat.presence, deadlineAt: until + fullGraceMs(match) + extensionMs };
    // Time away before the outage counts, the outage does not.
    if (seat.budgetRunningSince !== null) {
      seat.budgetUsedMs += Math.max(0, until - downMs - seat.budgetRunningSince);
      seat.budgetRunningSince = Math.max(until, seat.budgetRunningSince);
    }
  }
  return 'stays';
}
