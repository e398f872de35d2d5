import type { Command, TransitionEvent } from '../../../src/domains/matches/match-events.ts';
import { lastOf, type Played, play } from '../../../src/domains/matches/play.ts';
import { type MatchState, SEATS } from '../../../src/domains/matches/state.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import type { Moment } from '../walk.ts';
import { type Context, type Invariant, isGone } from './kinds.ts';

/** Answers to players: permissions, repeats, refusals, and the order of commands. */

const HOME = {
  joinMatch: 'waiting_players',
  discardMaps: 'awaiting_discards',
  selectMap: 'awaiting_pick',
  setReady: 'preparing',
  submitScore: 'playing',
} as const;

const isCommand = (event: TransitionEvent): event is Command =>
  event.type in HOME || event.type === 'forfeit';

/** Why the rules do not allow this now; null: they do. It leaves out what a command said before. */
function obstacle(match: MatchState, command: Command, at: number, { setting }: Context): string | null {
  if (match.endedAt !== null) return 'WRONG_PHASE';
  if (command.type === 'forfeit') return null;
  if (isGone(match, command.seat) || match.status !== HOME[command.type]) return 'WRONG_PHASE';
  const seat = match.seats[command.seat];
  switch (command.type) {
    case 'joinMatch':
      return null;
    case 'discardMaps': {
      const { cardGuids } = command;
      if (cardGuids.length > setting.maxDiscards) return 'TOO_MANY_DISCARDS';
      if (new Set(cardGuids).size < cardGuids.length) return 'DUPLICATE_CARD';
      return cardGuids.every((guid) => seat.hand.some((card) => card.cardGuid === guid))
        ? null
        : 'CARD_NOT_IN_HAND';
    }
    case 'selectMap':
      if (match.pickerSeat !== command.seat) return 'NOT_YOUR_TURN';
      return seat.hand.some((card) => card.cardGuid === command.cardGuid) ? null : 'CARD_NOT_IN_HAND';
    case 'setReady':
      if (command.roundNumber !== match.roundNumber) return 'WRONG_ROUND';
      return match.startsAt !== null && command.state !== 'ready' && seat.countdownsStopped >= 2
        ? 'WRONG_PHASE'
        : null;
    case 'submitScore': {
      if (command.roundNumber !== match.roundNumber) return 'WRONG_ROUND';
      const { score } = command;
      const early = !score.failed && at - (match.startsAt ?? at) < setting.limits.scoreEarliestShare * 20_000;
      return early || score.rawScore > 1_000_000 ? 'SCORE_IMPOSSIBLE' : null;
    }
  }
}

/** Whether the seat has said this, or something else that stands in its place; null: neither. */
function said(match: MatchState, command: Command): 'this' | 'another' | null {
  const seat = match.seats[command.seat];
  switch (command.type) {
    case 'joinMatch':
      return seat.joined ? 'this' : null;
    case 'forfeit':
      return match.forfeitedBy === command.seat ? 'this' : null;
    case 'discardMaps': {
      if (seat.discarded === null) return null;
      const before = new Set(seat.discarded.map((card) => card.cardGuid));
      return before.size === command.cardGuids.length && command.cardGuids.every((guid) => before.has(guid))
        ? 'this'
        : 'another';
    }
    case 'selectMap': {
      const picked = [match.current, ...match.rounds].filter(
        (round) => round?.pickedByPlayer && round.pickerSeat === command.seat,
      );
      return picked.some((round) => round?.card.cardGuid === command.cardGuid) ? 'this' : null;
    }
    case 'setReady': {
      if (command.roundNumber === match.roundNumber && match.status === 'preparing')
        return seat.ready === command.state ? 'this' : null;
      const round = match.rounds.find((one) => one.roundNumber === command.roundNumber);
      const states =
        command.roundNumber === match.roundNumber ? seat.readyStates : round?.readyStates[command.seat];
      return states?.includes(command.state) ? 'this' : null;
    }
    case 'submitScore': {
      const round = match.rounds.find((one) => one.roundNumber === command.roundNumber);
      const before = command.roundNumber === match.roundNumber ? seat.score : round?.scores[command.seat];
      return before ? (before.rawScore === command.score.rawScore ? 'this' : 'another') : null;
    }
  }
}

export const onlyWhoMay: Invariant = {
  name: 'a command counts when it is allowed',
  says: 'A command is accepted exactly when its player may give it now, and refused with the code that the contract names: repeat, a different one after the first, phase, round, turn, card, in this order. A refusal because of the phase names the phase.',
  answer: ({ state }, event, at, played, context) => {
    if (!isCommand(event)) {
      if (played.kind !== 'refused') return null;
      return ['abortedByStaff', 'undoneByStaff'].includes(event.type) && played.error instanceof ServiceError
        ? null
        : `${event.type} is refused with ${played.error.code}`;
    }
    const before = said(state, event);
    const answered = played.kind === 'refused' ? played.error.code : played.kind;
    const expected =
      before === 'this'
        ? 'unchanged'
        : before === 'another'
          ? event.type === 'discardMaps'
            ? 'DISCARD_ALREADY_DONE'
            : 'SCORE_ALREADY_SUBMITTED'
          : (obstacle(state, event, at, context) ?? 'changed');
    if (
      played.kind === 'refused' &&
      answered === 'WRONG_PHASE' &&
      (played.error as ServiceError).details?.status !== state.status
    )
      return 'it is refused because of the phase, which is not told';
    if (answered === expected) return null;
    if (
      event.type === 'discardMaps' &&
      expected === 'changed' &&
      answered === 'NO_REPLACEMENT_AVAILABLE' &&
      lacksReplacements(state, event)
    )
      return null;
    return `${event.type} of ${event.seat} is ${answered}, not ${expected}`;
  },
};

/** Whether the pool has fewer maps that this hand does not hold than are to be drawn. */
function lacksReplacements(
  match: MatchState,
  { seat, cardGuids }: Command & { type: 'discardMaps' },
): boolean {
  const { red, blue } = match.seats;
  const own = new Set(match.seats[seat].hand.map((card) => card.map.mapGuid));
  const foe = seat === 'red' ? blue : red;
  const maps = [...match.reserve, ...foe.hand, ...(foe.discarded ?? [])].map((card) => card.map.mapGuid);
  return new Set(maps.filter((map) => !own.has(map))).size < cardGuids.length;
}

export const staffMayDecide: Invariant = {
  name: 'staff decide',
  says: 'Staff end a running match with the result that they choose, and correct an ended one; a decision that stands already changes nothing, and a match without a result cannot be undone.',
  answer: ({ state }, event, _at, played) => {
    const kind = played.kind === 'refused' ? played.error.code : played.kind;
    const { result } = state;
    if (event.type === 'abortedByStaff') {
      if (result !== null) return kind === 'WRONG_PHASE' ? null : `an ended match is aborted: ${kind}`;
      const after = played.kind === 'changed' ? played.steps[0].state.result : null;
      return after?.reason === 'aborted_by_staff' && after.outcome === 'no_contest'
        ? null
        : `staff abort a match: ${kind}`;
    }
    if (event.type === 'undoneByStaff') {
      const expected =
        result === null ? 'WRONG_PHASE' : result.outcome === 'no_contest' ? 'ALREADY_UNDONE' : 'changed';
      return kind === expected ? null : `staff undo a match: ${kind}, not ${expected}`;
    }
    if (event.type === 'banned') {
      if (kind !== (result === null ? 'changed' : 'unchanged')) return `a ban is ${kind}`;
      return played.kind === 'changed' && played.steps[0].state.result?.reason !== 'banned'
        ? 'a ban ends nothing'
        : null;
    }
    if (event.type !== 'decidedByStaff') return null;
    const stands =
      result?.reason === 'decided_by_staff' &&
      result.outcome === event.outcome &&
      result.winner === event.winner;
    if (kind !== (stands ? 'unchanged' : 'changed')) return `staff decide: ${kind}`;
    const after = played.kind === 'changed' ? played.steps[0].state.result : result;
    return after?.outcome === event.outcome &&
      after.winner === event.winner &&
      after.reason === 'decided_by_staff'
      ? null
      : 'staff decide something else';
  },
};

export const repeatsChangeNothing: Invariant = {
  name: 'a repeat changes nothing',
  says: 'A command that was accepted and is sent again at once changes nothing and is not refused; the same holds for events that are known already: a connection that is lost already, a limit of another version, a phase that is not over.',
  answer: ({ state }, event, at, played, { machine }) => {
    if (played.kind === 'changed') {
      if (
        !isCommand(event) &&
        event.type !== 'putOff' &&
        event.type !== 'disconnected' &&
        event.type !== 'nodeLost'
      )
        return null;
      const again = play(lastOf(played.steps).state, event, at, machine);
      return again.kind === 'unchanged' ? null : `${event.type} of ${event.seat} sent again is ${again.kind}`;
    }
    if (event.type === 'disconnected' || event.type === 'nodeLost')
      return state.endedAt !== null || state.seats[event.seat].presence.kind !== 'present'
        ? null
        : `${event.seat} loses the connection and stays present`;
    if (event.type !== 'putOff' || state.endedAt !== null) return null;
    const { presence } = state.seats[event.seat];
    return presence.kind === 'away' && !presence.extended ? `${event.seat} is put off for nothing` : null;
  },
};

/** Commands of the two players that do not touch each other: both answer the same question. */
const PAIRS: readonly string[] = [
  'joinMatch',
  'discardMaps',
  'setReady',
  'submitScore',
  'disconnected',
  'nodeLost',
  'connected',
];

export const ordersAgree: Invariant = {
  name: 'commands of both players commute',
  says: 'Two commands, one of each player, that do not touch each other lead to the same match in either order: joins, discards, reports before the countdown, scores, connections lost and back.',
  moment: (moment, context) => {
    const { state, now } = moment;
    // While a countdown runs, one player stops it for both.
    if (state.endedAt !== null || (state.startsAt !== null && state.status === 'preparing')) return null;
    const events = context
      .eventsOf(moment)
      .filter((next) => next.at === now && next.event !== null && PAIRS.includes(next.event.type));
    const of = (seat: string) =>
      events
        .map(({ event }) => event as TransitionEvent)
        .filter((event) => 'seat' in event && event.seat === seat);
    const changing = (event: TransitionEvent) => {
      const played = play(state, event, now, context.machine);
      return played.kind === 'changed' ? [{ event, after: lastOf(played.steps).state }] : [];
    };
    const [reds, blues] = SEATS.map((seat) => of(seat).flatMap(changing));
    for (const red of reds ?? [])
      for (const blue of blues ?? []) {
        if (
          red.event.type !== blue.event.type ||
          touchesBoth(state, red.after) ||
          touchesBoth(state, blue.after)
        )
          continue;
        const problem = orderProblem(moment, red, blue, context);
        if (problem !== null) return problem;
      }
    return null;
  },
};

interface Changing {
  event: TransitionEvent;
  after: MatchState;
}

/** One of the two commands alone ends the phase, or starts the countdown, which the other may stop. */
const touchesBoth = (before: MatchState, after: MatchState): boolean =>
  after.status !== before.status || (before.status === 'preparing' && after.startsAt !== null);

function orderProblem(
  { now }: Moment,
  red: Changing,
  blue: Changing,
  { canonical, machine }: Context,
): string | null {
  const second = (first: Changing, event: TransitionEvent): string => {
    const played: Played = play(first.after, event, now, machine);
    if (played.kind === 'refused') return played.error.code;
    return played.kind === 'unchanged'
      ? played.kind
      : canonical.encode(lastOf(played.steps).state, now).join();
  };
  const [one, two] = [second(red, blue.event), second(blue, red.event)];
  // The player who discards first may take the last maps that are left.
  if (one === two || red.event.type === 'discardMaps') return null;
  return `${red.event.type} of red and then of blue leads elsewhere than of blue and then of red`;
}
