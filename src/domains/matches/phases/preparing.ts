import { penalise, wins } from '../endings.ts';
import { wrongPhase } from '../errors.ts';
import { closeUnready, closeVoid, requireRound } from '../rounds.ts';
import { type MatchState, other, SEATS, type SeatName } from '../state.ts';
import type { Phase } from './phase.ts';

/** How long a player who is ready waits for one whose download failed. */
const FAILED_WAITS_MS = 20_000;
/** How often a seat may stop the countdown of a round by `setReady`. */
const COUNTDOWN_STOPS = 2;
/** The least time after a stopped countdown, so that an interruption at the very end does not lose the round. */
const REMAINS_AFTER_STOP_MS = 10_000;

/** Reported ready and present: an away seat is not ready. */
const isReady = (match: MatchState, seat: SeatName): boolean =>
  match.seats[seat].ready === 'ready' && match.seats[seat].presence.kind === 'present';

const hasFailed = (match: MatchState, seat: SeatName): boolean => match.seats[seat].ready === 'failed';

function startCountdown(match: MatchState, now: number): void {
  match.startsAt = now + match.limits.countdownMs;
  match.deadlineAt = match.startsAt;
}

/**
 * Back to the limit. A seat's first two stops of a round, and each by `setReady`, leave it time to try again; further
 * lost connections do not, so that a preparation always ends.
 */
function stopCountdown(match: MatchState, stopper: SeatName, now: number): void {
  const seat = match.seats[stopper];
  const limit = match.prepareDeadlineAt ?? now;
  seat.countdownsBroken += 1;
  match.startsAt = null;
  // A seat that is present has stopped it by `setReady`, which it can do twice.
  const leavesTime = seat.presence.kind === 'present' || seat.countdownsBroken <= COUNTDOWN_STOPS;
  match.deadlineAt = leavesTime ? Math.max(limit, now + REMAINS_AFTER_STOP_MS) : limit;
}

/** Both download the map and say so; when both are ready a countdown runs, and at its end the map starts. */
export const preparing: Phase = {
  cause: 'mapSelected',
  toleratesAbsence: false,

  enter: (match, now) => {
    match.prepareDeadlineAt = now + match.limits.prepareMs;
    match.deadlineAt = match.prepareDeadlineAt;
  },

  commands: {
    setReady: (match, command) => {
      requireRound(match, command.roundNumber);
      const seat = match.seats[command.seat];
      if (match.startsAt !== null && command.state !== 'ready') {
        if (seat.countdownsStopped >= COUNTDOWN_STOPS)
          throw wrongPhase(
            match.status,
            `You have stopped the countdown ${COUNTDOWN_STOPS} times in this round (preparing): the map starts now.`,
          );
        seat.countdownsStopped += 1;
      }
      seat.ready = command.state;
      if (!seat.readyStates.includes(command.state)) seat.readyStates = [...seat.readyStates, command.state];
      return 'stays';
    },
  },

  /** A change of presence starts and stops the countdown as `setReady` does. */
  afterChange: (match, now) => {
    const unready = SEATS.filter((seat) => !isReady(match, seat));
    const [stopper] = unready;
    if (stopper === undefined) {
      if (match.startsAt === null) startCountdown(match, now);
    } else if (match.startsAt !== null) stopCountdown(match, stopper, now);

    const keepsWaiting = unready.length === 1 && stopper !== undefined && hasFailed(match, stopper);
    if (!keepsWaiting) match.failedDeadlineAt = null;
    else match.failedDeadlineAt ??= now + FAILED_WAITS_MS;
  },

  isOver: (match) => SEATS.every((seat) => hasFailed(match, seat)),

  end: (match) => {
    const unready = SEATS.filter((seat) => !isReady(match, seat));
    const [loser] = unready;
    if (loser === undefined) return 'playing';
    if (unready.length === SEATS.length) closeVoid(match);
    else if (match.seats[loser].notReadyLosses > 0)
      return wins(other(loser), 'not_ready', penalise(loser, 'not_ready'));
    else closeUnready(match, loser);
    return 'round_results';
  },
};
