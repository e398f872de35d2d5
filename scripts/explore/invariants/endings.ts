import type { Effect } from '../../../src/domains/matches/match-events.ts';
import { type MatchState, other, SEATS, type SeatName } from '../../../src/domains/matches/state.ts';
import { type Invariant, isBeforeFirstPick, isGone, type Step, scoredIn } from './kinds.ts';

/** The end of a match: losses, wins, penalties, and players who wait again. */

const ends = ({ before, state }: Step): boolean => before.endedAt === null && state.endedAt !== null;
const isByStaff = ({ event }: Step): boolean => event.type.endsWith('ByStaff');
const penaltyOf = (effects: readonly Effect[], seat: SeatName) =>
  effects.find((effect) => effect.type === 'penalise' && effect.seat === seat) as
    | Extract<Effect, { type: 'penalise' }>
    | undefined;
const waitsAgain = (effects: readonly Effect[], seat: SeatName): boolean =>
  effects.some((effect) => effect.type === 'requeue' && effect.seat === seat);

/** The grace of the seat has ended: it is absent, or has been away until now. */
function isOutOfGrace({ before, at }: Step, seat: SeatName): boolean {
  const { presence } = before.seats[seat];
  return presence.kind === 'absent' || (presence.kind === 'away' && presence.deadlineAt <= at);
}

/** The seat was not ready for the round that ended without being played. */
function wasUnready({ before }: Step, seat: SeatName): boolean {
  const { ready, presence } = before.seats[seat];
  return ready !== 'ready' || presence.kind !== 'present';
}

/** The own fault by which the seat loses; null: there is none. */
function faultOf(step: Step, seat: SeatName, reason: string): string | null {
  const { before, event } = step;
  if ('seat' in event && event.seat === seat && (event.type === 'forfeit' || event.type === 'banned'))
    return event.type;
  if (isOutOfGrace(step, seat)) return 'absence';
  if (reason === 'not_joined') return before.seats[seat].joined ? null : 'not joined';
  if (reason === 'not_ready' && before.status === 'preparing')
    return wasUnready(step, seat) && before.seats[seat].notReadyLosses > 0 ? 'not ready' : null;
  if (reason === 'void_rounds') {
    const lastRound = before.rounds.at(-1);
    return lastRound?.void && lastRound.ready[seat] !== 'failed' ? 'not ready' : null;
  }
  return null;
}

/** Won by play: by health, or by the cards that are used up. */
const PLAYED = new Set(['health', 'cards_used_up']);

export const innocentKeepsAll: Invariant = {
  name: 'the innocent keep what they have',
  says: 'A player loses a match, or gets a penalty, only by play or by an own fault: a forfeit, a ban, a grace that ended, not joining, not being ready.',
  step: (step) => {
    if (!ends(step) || isByStaff(step)) return null;
    const { result } = step.state;
    if (result === null) return null;
    for (const seat of SEATS) {
      const lost = result.outcome === 'decided' && result.winner !== seat;
      const penalty = penaltyOf(step.effects, seat);
      if (lost && !PLAYED.has(result.reason) && faultOf(step, seat, result.reason) === null)
        return `${seat} loses by ${result.reason} and has done nothing`;
      if (
        penalty &&
        faultOf(step, seat, result.outcome === 'no_contest' ? result.reason : penalty.reason) === null
      )
        return `${seat} gets a penalty (${penalty.reason}) and has done nothing`;
    }
    return null;
  },
};

export const playDecides: Invariant = {
  name: 'play decides',
  says: 'After a round health decides when it is 0, then two void rounds, then the cards when both hands are empty, and absence only then; a draw is equal health. No player wins with less.',
  step: (step) => {
    const { before, state } = step;
    if (before.status === 'round_results' && step.event.type === 'limitPassed' && !graceEnds(step)) {
      const expected = roundDecides(before);
      const decided = state.result?.reason ?? 'nothing';
      if (expected === null ? PLAYED.has(decided) || decided === 'void_rounds' : decided !== expected)
        return `${expected ?? 'no round'} decides, and the result is ${decided}`;
    }
    if (!ends(step) || isByStaff(step) || state.result === null) return null;
    const { outcome, reason, winner } = state.result;
    const { red, blue } = before.seats;
    if (reason === 'health' && winner !== null && before.seats[other(winner)].health > 0)
      return `${winner} wins by health against ${before.seats[other(winner)].health}`;
    if (reason !== 'cards_used_up') return null;
    if (red.hand.length + blue.hand.length > 0) return 'cards are left';
    if (scoredIn(before) === 0) return 'no round counted, and the cards decide';
    const better = red.health === blue.health ? null : red.health > blue.health ? 'red' : 'blue';
    if (outcome === 'no_contest' || winner !== better) return `${winner} wins by cards, not ${better}`;
    return null;
  },
};

/** The reason for which the rounds so far end a match; null: they do not. */
function roundDecides({ rounds, seats }: MatchState): string | null {
  if (SEATS.some((seat) => seats[seat].health === 0)) return 'health';
  const last = rounds.slice(-2);
  if (last.length === 2 && last.every((round) => round.void)) return 'void_rounds';
  if (SEATS.some((seat) => seats[seat].hand.length > 0)) return null;
  return rounds.every((round) => round.void) ? 'void_rounds' : 'cards_used_up';
}

/** Whether the limit that passes is the end of a grace. */
function graceEnds({ before, at }: Step): boolean {
  const phase = before.deadlineAt ?? Number.POSITIVE_INFINITY;
  return SEATS.some((seat) => {
    const { presence } = before.seats[seat];
    return presence.kind === 'away' && presence.deadlineAt <= Math.min(at, phase);
  });
}

export const leavingGainsNothing: Invariant = {
  name: 'leaving gains nothing',
  says: 'A player who forfeits, is banned, or lets the grace end wins nothing, and ends no match for free: it is a loss, or no contest with a penalty before the first pick. The other wins or waits again, unless gone as well. Who is gone has a penalty, however the match ends; a ban is one.',
  step: (step) => {
    const { before, event, effects, state } = step;
    if (!ends(step) || isByStaff(step) || state.result === null) return null;
    const { outcome, reason, winner } = state.result;
    const early = isBeforeFirstPick(before);
    for (const seat of SEATS)
      if (isGone(state, seat) && !(event.type === 'banned' && event.seat === seat))
        if (penaltyOf(effects, seat) === undefined) return `${seat} is gone and has no penalty`;
    const leaver =
      event.type === 'forfeit' || event.type === 'banned'
        ? event.seat
        : ['disconnected', 'forfeit', 'dodged', 'left_before_first_pick'].includes(reason)
          ? SEATS.find((seat) => isOutOfGrace(step, seat) && isGone(state, seat))
          : undefined;
    if (leaver === undefined) return null;
    const stays = other(leaver);
    const stayIsGone = isGone(before, stays) || isGone(state, stays);
    const isForfeit = event.type === 'forfeit' && !isGone(before, leaver);
    if ((reason === 'forfeit') !== (isForfeit && !early && !stayIsGone))
      return `${event.type} ends by ${reason}`;
    if (winner === leaver) return `${leaver} leaves and wins`;
    if (outcome === 'draw') return `${leaver} leaves and it is a draw`;
    if (event.type !== 'banned' && early && penaltyOf(effects, leaver) === undefined)
      return `${leaver} leaves before the first pick for free`;
    if (event.type !== 'forfeit' && event.type !== 'banned' && penaltyOf(effects, leaver) === undefined)
      return `${leaver} does not come back and has no penalty`;
    if (stayIsGone) return outcome === 'no_contest' ? null : `${stays} is gone and wins`;
    if (early) return waitsAgain(effects, stays) ? null : `${stays} stayed and does not wait again`;
    if (winner !== stays) return `${stays} stayed and does not win`;
    return penaltyOf(effects, stays) || waitsAgain(effects, leaver) ? `${stays} pays for ${leaver}` : null;
  },
};

/** The possible reasons of a penalty for each reason of a result. */
const PENALTIES: Record<string, readonly string[]> = {
  not_joined: ['not_joined'],
  disconnected: ['disconnected'],
  not_ready: ['not_ready'],
  void_rounds: ['not_ready'],
  left_before_first_pick: ['left_before_first_pick'],
  dodged: ['dodged'],
  forfeit: ['repeated_forfeit'],
  banned: ['disconnected', 'left_before_first_pick'],
};

export const penaltiesFit: Invariant = {
  name: 'penalties fit',
  says: 'A change that ends no match has no effects. At an end each seat has one at most, of the kind that the result and the record of the player ask for; after a decision of staff no seat has one.',
  step: (step) => {
    const { before, event, effects, state } = step;
    if (!ends(step)) return effects.length === 0 ? null : 'a match that does not end has effects';
    if (isByStaff(step)) return effects.length === 0 ? null : 'staff end a match, and players pay';
    const { result } = state;
    if (result === null) return null;
    const seats = effects.map(({ seat }) => seat);
    if (new Set(seats).size < seats.length) return 'a seat has two effects';
    for (const effect of effects) {
      const { seat } = effect;
      const { record } = before.seats[seat];
      if (effect.type === 'requeue') {
        if (!['not_joined', 'left_before_first_pick', 'dodged', 'banned'].includes(result.reason))
          return `${seat} waits again after ${result.reason}`;
        if (result.reason === 'not_joined' && !before.seats[seat].joined)
          return `${seat} waits again unjoined`;
        continue;
      }
      if (!PENALTIES[result.reason]?.includes(effect.reason))
        return `${effect.reason} after ${result.reason}`;
      if (
        result.reason === 'banned' &&
        (effect.reason === 'left_before_first_pick') !== isBeforeFirstPick(before)
      )
        return `${effect.reason} is the wrong side of the first pick`;
      if (
        effect.reason === 'left_before_first_pick' &&
        event.type === 'forfeit' &&
        record.leftBeforeFirstPick > 0
      )
        if (!isGone(before, other(event.seat))) return 'a second leaving is no dodge';
      if (effect.reason === 'dodged' && record.leftBeforeFirstPick === 0) return 'a first leaving is a dodge';
      if (effect.reason === 'repeated_forfeit' && (record.earlyForfeits < 2 || scoredIn(before) > 0))
        return 'a forfeit is an offence too early';
    }
    if (result.reason === 'not_joined')
      for (const seat of SEATS)
        if (before.seats[seat].joined ? !waitsAgain(effects, seat) : penaltyOf(effects, seat) === undefined)
          return `${seat} has no part in a match that was not joined`;
    if (event.type === 'forfeit' && result.reason === 'forfeit') {
      const { record } = before.seats[event.seat];
      const isOffence = record.earlyForfeits >= 2 && scoredIn(before) === 0;
      if (isOffence && effects.length === 0) return 'the third early forfeit is no offence';
    }
    return null;
  },
};

export const neitherReady: Invariant = {
  name: 'neither ready, neither wins',
  says: 'Two void rounds in a row, or no card and no round that counted, end as no contest, with a penalty for seats that were not ready; a seat loses by not being ready only the second time.',
  step: (step) => {
    const { before, state, effects } = step;
    if (!ends(step) || isByStaff(step) || state.result === null) return null;
    const { reason, outcome, winner } = state.result;
    if (reason === 'void_rounds') {
      const last = before.rounds.slice(-2);
      const twice = last.length === 2 && last.every((round) => round.void);
      const never = scoredIn(before) === 0 && SEATS.every((seat) => before.seats[seat].hand.length === 0);
      if (!twice && !never) return 'a match is given up although rounds count';
      if (outcome !== 'no_contest') return 'a match that is given up counts';
      for (const seat of SEATS)
        if ((before.rounds.at(-1)?.ready[seat] !== 'failed') !== (penaltyOf(effects, seat) !== undefined))
          return `${seat} has the wrong part in a match that was given up`;
    }
    if (reason === 'not_ready' && winner !== null) {
      if (wasUnready(step, winner)) return `${winner} was not ready and wins`;
      if (penaltyOf(effects, other(winner)) === undefined) return 'not being ready twice costs nothing';
    }
    if (before.status === 'round_results' && outcome !== 'no_contest' && winner !== null) {
      const last = before.rounds.slice(-2);
      if (last.length === 2 && last.every((round) => round.void) && reason === 'cards_used_up')
        return 'two void rounds are decided by cards';
    }
    return null;
  },
};
