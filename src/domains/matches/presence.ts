import { type Ending, endByLeaving, isGone, nobodyReturned } from './endings.ts';
import type { PlayEvent } from './match-events.ts';
import { type MatchState, other, SEATS, type SeatName } from './state.ts';

/** Who is there, how long the others wait, and what it costs. Source: the rules, *Presence* and *Restart*. */

type Resumed = PlayEvent & { type: 'serviceResumed' };

/** Whatever is left of the budget: a client needs this long to notice and to come back. */
const SHORTEST_GRACE_MS = 10_000;
/** What remains at least of every limit after an outage. */
const REMAINS_AFTER_OUTAGE_MS = 15_000;

/** How much longer a grace is, and a place in a queue is kept, whose player was put off. Source: contract, section 8. */
export const PUT_OFF_MS = 60_000;

/** The grace of an absence that nobody but the service is to blame for. */
const fullGraceMs = ({ limits }: MatchState): number => Math.max(SHORTEST_GRACE_MS, limits.reconnectGraceMs);

/** A connection was lost; `free` when the node that held it died. @returns whether that is news. */
export function connectionLost(match: MatchState, seatName: SeatName, now: number, free: boolean): boolean {
  const seat = match.seats[seatName];
  if (seat.presence.kind !== 'present') return false;
  const budgetLeftMs = Math.max(SHORTEST_GRACE_MS, match.limits.reconnectBudgetMs - seat.budgetUsedMs);
  const graceMs = free ? fullGraceMs(match) : Math.min(fullGraceMs(match), budgetLeftMs);
  seat.presence = { kind: 'away', since: now, deadlineAt: now + graceMs, free };
  return true;
}

/** A connection stands again. */
export function cameBack(match: MatchState, seatName: SeatName): 'unchanged' | 'stays' | Ending {
  const seat = match.seats[seatName];
  if (seat.presence.kind === 'present' || isGone(match, seatName)) return 'unchanged';
  seat.presence = { kind: 'present' };
  return isGone(match, other(seatName)) ? endByLeaving(match, other(seatName), 'disconnected') : 'stays';
}

/**
 * A player who came back was put off: the grace is extended, once in each absence, and costs no budget from now on.
 * @returns whether that is news
 */
export function putOff(match: MatchState, seatName: SeatName): boolean {
  const seat = match.seats[seatName];
  if (seat.presence.kind !== 'away' || seat.presence.extended) return false;
  const deadlineAt = seat.presence.deadlineAt + PUT_OFF_MS;
  seat.presence = { ...seat.presence, deadlineAt, free: true, extended: true };
  return true;
}

/** A grace ended. `sheltered`: the phase decides first, and coming back before its end restores the seat. */
export function graceEnded(match: MatchState, seatName: SeatName, sheltered: boolean): 'stays' | Ending {
  const opponent = match.seats[other(seatName)];
  match.seats[seatName].presence = { kind: 'absent', final: !sheltered };
  if (sheltered) return 'stays';
  if (opponent.presence.kind === 'present') return endByLeaving(match, seatName, 'disconnected');
  return isGone(match, other(seatName)) ? nobodyReturned(match) : 'stays';
}

/** What absence means once a round is over; null: both may go on, or the other may still return and win. */
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
 * The match stands still: one seat is gone for good and the other away. Nothing can be decided any more but
 * by the other's return, so no limit runs except its grace.
 */
export const standsStill = (match: MatchState): boolean => SEATS.some((seat) => isGone(match, seat));

/** Lets the budget run for seats that are away where that costs, and stops it for the others. */
export function runBudget(match: MatchState, now: number, sheltered: boolean): void {
  for (const name of SEATS) {
    const seat = match.seats[name];
    const runs = seat.presence.kind === 'away' && !seat.presence.free && !sheltered;
    if (runs) seat.budgetRunningSince ??= now;
    else if (seat.budgetRunningSince !== null) {
      seat.budgetUsedMs += Math.max(0, now - seat.budgetRunningSince);
      seat.budgetRunningSince = null;
    }
  }
}

/**
 * An outage is over: limits move by what of it fell into this match, and graces start anew at its end. Everything is
 * computed from the end of the outage, so it does not matter when a match learns of it.
 * @returns whether that is news: each outage is given back once
 */
export function resume(match: MatchState, { outage, downMs, until }: Resumed): boolean {
  if (outage <= match.lastOutage) return false;
  match.lastOutage = outage;
  const moved = (at: number): number => Math.max(at + downMs, until + REMAINS_AFTER_OUTAGE_MS);
  if (match.deadlineAt !== null) match.deadlineAt = moved(match.deadlineAt);
  if (match.prepareDeadlineAt !== null) match.prepareDeadlineAt = moved(match.prepareDeadlineAt);
  if (match.failedDeadlineAt !== null) match.failedDeadlineAt = moved(match.failedDeadlineAt);
  // A countdown is ours and begins later; a map that has started went on without us.
  if (match.status === 'preparing' && match.startsAt !== null) match.startsAt = moved(match.startsAt);
  for (const name of SEATS) {
    const seat = match.seats[name];
    // A grace that began after the outage lost nothing by it.
    if (seat.presence.kind !== 'away' || seat.presence.since >= until) continue;
    seat.presence = { ...seat.presence, deadlineAt: until + fullGraceMs(match) };
    // Time away before the outage counts, the outage does not.
    if (seat.budgetRunningSince !== null) {
      seat.budgetUsedMs += Math.max(0, until - downMs - seat.budgetRunningSince);
      seat.budgetRunningSince = Math.max(until, seat.budgetRunningSince);
    }
  }
  return true;
}
