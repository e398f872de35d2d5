import { type Card, type MatchState, other, SEATS, type Seat } from '../../../src/domains/matches/state.ts';
import { type Invariant, isTolerant, type Step, scoredIn, standsStill } from './kinds.ts';

/** Health, cards, rounds, phases and the countdown. */

const MULTIPLIERS = [1, 1, 4.5, 6, 7.5, 9, 10.5, 12, 13.5, 15];
const closes = ({ before, state }: Step): boolean => state.rounds.length > before.rounds.length;
const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-9;

export const healthAddsUp: Invariant = {
  name: 'health adds up',
  says: 'Health changes only when a round closes: the seat with the lower accuracy, or that was not ready, loses gap × multiplier, at most what is left. Multipliers follow the rounds that counted.',
  step: (step) => {
    const { before, state } = step;
    const round = state.rounds.at(-1);
    if (!closes(step) || round === undefined) {
      for (const seat of SEATS)
        if (state.seats[seat].health !== before.seats[seat].health)
          return `${seat}'s health changes between rounds`;
      return null;
    }
    const scored = scoredIn(before);
    const multiplier = round.void ? 0 : (MULTIPLIERS[scored] ?? 15);
    if (round.multiplier !== multiplier)
      return `round ${scored + 1} that counts has the multiplier ${round.multiplier}`;
    const { red, blue } = round.accuracy;
    const played = before.status === 'playing';
    const gap = played ? Math.abs(red - blue) : round.winner === null ? 0 : 0.25;
    if (!near(round.damage, Math.round(gap * multiplier * 1e6) / 1e6)) return `the damage is ${round.damage}`;
    const winner = played ? (red === blue ? null : red > blue ? 'red' : 'blue') : round.winner;
    if (round.winner !== winner) return `${round.winner} wins a round with ${red} : ${blue}`;
    for (const seat of SEATS) {
      const loses = winner !== null && winner !== seat;
      const expected = Math.max(0, before.seats[seat].health - (loses ? round.damage : 0));
      const { health } = state.seats[seat];
      if (!near(health, Math.round(expected * 1e6) / 1e6) || health < 0 || health > 1)
        return `${seat} has ${health} of ${before.seats[seat].health} after ${round.damage}`;
    }
    return null;
  },
};

export const roundsAddUp: Invariant = {
  name: 'rounds add up',
  says: 'A round closes once, with the number, picker and card that were shown, with both reports of the download and both scores as they were submitted; a missing one is accuracy 0. A round that neither was ready for is void; one that a seat was not ready for is its own, and the match counts these.',
  step: (step) => {
    const { before, state, at } = step;
    const { rounds } = state;
    const winner = before.status === 'preparing' ? rounds[before.rounds.length]?.winner : null;
    for (const seat of SEATS) {
      const losses = before.seats[seat].notReadyLosses + (winner === other(seat) ? 1 : 0);
      if (state.seats[seat].notReadyLosses !== losses)
        return `${seat} has lost ${state.seats[seat].notReadyLosses} rounds by not being ready`;
    }
    if (!closes(step)) {
      if (rounds.length < before.rounds.length) return 'a round is gone';
      if (state.status === 'round_results' && before.status !== 'round_results')
        return 'a round is shown that has not closed';
      const begins = before.status !== 'awaiting_pick' && state.status === 'awaiting_pick';
      if (state.roundNumber !== before.roundNumber + (begins ? 1 : 0))
        return `round ${state.roundNumber} follows ${before.roundNumber}`;
      return null;
    }
    const round = rounds.at(-1);
    if (round === undefined || rounds.length !== before.rounds.length + 1) return 'two rounds close at once';
    if (round.roundNumber !== before.roundNumber)
      return `round ${before.roundNumber} closes as ${round.roundNumber}`;
    if (round.card !== before.current?.card || round.pickerSeat !== before.current.pickerSeat)
      return 'another card was played';
    if (state.status !== 'round_results') return `a round closes into ${state.status}`;
    for (const seat of SEATS)
      if (
        round.readyStates[seat] !== before.seats[seat].readyStates ||
        round.ready[seat] !== before.seats[seat].ready
      )
        return `what ${seat} said of the download is lost`;
    const unready = SEATS.filter(
      (seat) => before.seats[seat].ready !== 'ready' || before.seats[seat].presence.kind !== 'present',
    );
    if (before.status === 'preparing') {
      const [loser] = unready;
      if (loser === undefined) return 'both are ready, and the round is not played';
      if (round.void !== (unready.length === 2)) return 'a round is void by mistake';
      if (round.winner !== (round.void ? null : other(loser)))
        return `${round.winner} wins a round, ${loser} was not ready`;
      if (round.startedAt !== null) return 'a round that was not played began';
      if (round.accuracy.red !== 0 || round.accuracy.blue !== 0)
        return 'a round that was not played has accuracies';
      if (!round.void && before.seats[loser].notReadyLosses > 0)
        return `${loser} is not ready for the second time, and the match goes on`;
      const { deadlineAt, failedDeadlineAt } = before;
      const bothFailed = SEATS.every((seat) => before.seats[seat].ready === 'failed');
      const isOver = [deadlineAt, failedDeadlineAt].some((limit) => limit !== null && limit <= at);
      return bothFailed || isOver ? null : 'a preparation ends before its limit';
    }
    if (round.void) return 'a round that was played is void';
    for (const seat of SEATS) {
      const { score } = before.seats[seat];
      if (round.scores[seat]?.rawScore !== score?.rawScore) return `${seat}'s score is lost`;
      if (!near(round.accuracy[seat], score === null ? 0 : score.rawScore / 1e6))
        return `${seat}'s accuracy is ${round.accuracy[seat]}`;
    }
    const bothIn = SEATS.every((seat) => before.seats[seat].score !== null);
    if (!bothIn && (before.deadlineAt ?? 0) > at) return 'a map ends before its scores are due';
    return null;
  },
};

const guidsOf = (cards: readonly Card[]): string[] => cards.map((card) => card.cardGuid);

export const cardsAddUp: Invariant = {
  name: 'cards add up',
  says: 'A card is in one place. A pick takes one from the hand of the picker; at the limit it is the first. A discard gives up the named cards and draws as many, of maps that were not in this hand, and of none that the other holds while there are others.',
  step: ({ before, event, state }) => {
    const { red, blue } = state.seats;
    const held = [...guidsOf(red.hand), ...guidsOf(blue.hand), ...guidsOf(state.reserve)];
    if (new Set(held).size < held.length) return 'a card is in two places';
    const left = before.reserve.filter((card) => !red.hand.includes(card) && !blue.hand.includes(card));
    if (guidsOf(left).join() !== guidsOf(state.reserve).join()) return 'cards of the reserve are lost';
    const picked = before.status === 'awaiting_pick' && state.status === 'preparing';
    for (const seat of SEATS) {
      const [was, is] = [before.seats[seat], state.seats[seat]];
      const takes = picked && before.pickerSeat === seat ? 1 : 0;
      if (is.hand.length !== was.hand.length - takes)
        return `${seat} holds ${is.hand.length} cards after ${was.hand.length}`;
      if (takes === 1) {
        const [gone] = was.hand.filter((card) => !is.hand.includes(card));
        if (gone !== state.current?.card) return 'another card was picked';
        if (event.type !== 'selectMap' && gone !== was.hand[0])
          return 'the limit picks another card than the first';
      } else if (event.type !== 'discardMaps' && is.hand !== was.hand) return `${seat}'s hand changes`;
      if (is.discarded !== was.discarded && event.type !== 'discardMaps') return `${seat}'s discard changes`;
    }
    if (
      picked &&
      (state.current?.pickerSeat !== before.pickerSeat ||
        state.current?.pickedByPlayer !== (event.type === 'selectMap'))
    )
      return 'it is not told who picked';
    return event.type === 'discardMaps' ? discardProblem(before, event, state) : null;
  },
};

function discardProblem(
  before: MatchState,
  { seat, cardGuids }: { seat: 'red' | 'blue'; cardGuids: string[] },
  state: MatchState,
): string | null {
  const [was, is] = [before.seats[seat], state.seats[seat]];
  const given = was.hand.filter((card) => cardGuids.includes(card.cardGuid));
  if (guidsOf(is.discarded ?? []).join() !== guidsOf(given).join()) return 'other cards are given up';
  const drawn = is.hand.filter((card) => !was.hand.includes(card));
  if (drawn.length !== given.length || given.some((card) => is.hand.includes(card)))
    return 'not as many cards are drawn';
  if (was.hand.some((card, place) => !given.includes(card) && is.hand[place] !== card))
    return 'a kept card moves';
  const maps = new Set(was.hand.map((card) => card.map.mapGuid));
  if (drawn.some(({ map }) => maps.has(map.mapGuid))) return 'a map comes back into the hand that gave it up';
  if (new Set(is.hand.map((card) => card.map.mapGuid)).size < is.hand.length) return 'a hand has a map twice';
  const foes = new Set(state.seats[other(seat)].hand.map((card) => card.map.mapGuid));
  const shared = drawn.filter(({ map }) => foes.has(map.mapGuid));
  if (shared.length === 0) return null;
  const free = [...state.reserve, ...(state.seats[other(seat)].discarded ?? [])].filter(
    ({ map }) => !maps.has(map.mapGuid) && !is.hand.some((card) => card.map.mapGuid === map.mapGuid),
  );
  return free.length > 0 ? 'a map of the other is drawn while others are left' : null;
}

/** The next phases of each, and the ends. */
const WAYS: Record<string, readonly string[]> = {
  waiting_players: ['awaiting_discards'],
  awaiting_discards: ['awaiting_pick'],
  awaiting_pick: ['preparing'],
  preparing: ['playing', 'round_results'],
  playing: ['round_results'],
  round_results: ['awaiting_pick'],
};
const CAUSES: Record<string, string> = {
  awaiting_discards: 'playerJoined',
  awaiting_pick: 'pickStarted',
  preparing: 'mapSelected',
  playing: 'mapStarted',
  round_results: 'roundFinished',
};
const COMMAND_CAUSES: Record<string, string> = {
  joinMatch: 'playerJoined',
  discardMaps: 'discarded',
  setReady: 'readyChanged',
  submitScore: 'scoreSubmitted',
};

/** Both have answered what this phase asks for. */
function bothAnswered({ seats, status }: MatchState): boolean {
  const answered = {
    waiting_players: (seat: Seat) => seat.joined,
    awaiting_discards: (seat: Seat) => seat.discarded !== null,
    preparing: (seat: Seat) => seat.ready === 'failed',
    playing: (seat: Seat) => seat.score !== null,
  }[status as string];
  return answered !== undefined && SEATS.every((seat) => answered(seats[seat]));
}

export const phasesFollow: Invariant = {
  name: 'phases follow each other',
  says: 'A phase is followed by those that the rules name, when both have answered or its limit passed; the first one only when both have joined. Every update says why it came.',
  moment: ({ state }) =>
    bothAnswered(state) && !standsStill(state) ? `both have answered, and ${state.status} goes on` : null,
  step: ({ before, event, at, state, cause }) => {
    const ended = state.result !== null;
    if (event.type === 'phaseOver' && !bothAnswered(before))
      return `${before.status} ends before both have answered`;
    const expected = ended
      ? 'finished'
      : before.status !== state.status
        ? CAUSES[state.status]
        : (COMMAND_CAUSES[event.type] ?? 'presenceChanged');
    if (cause.type !== expected) return `the cause is ${cause.type}, not ${expected}`;
    const byLimit = event.type === 'limitPassed' || event.type === 'phaseOver';
    const graces = SEATS.filter(
      (seat) => before.seats[seat].presence.kind === 'away' && state.seats[seat].presence.kind === 'absent',
    );
    const graceOver = event.type === 'limitPassed' && graces.length > 0 && cause.seat === graces[0];
    if (!graceOver && cause.seat !== ('seat' in event ? event.seat : null))
      return `${cause.seat} is told to be the cause`;
    if (before.status === state.status || ended) return null;
    if (!WAYS[before.status]?.includes(state.status)) return `${state.status} follows ${before.status}`;
    if (!byLimit && event.type !== 'selectMap') return `${event.type} ends ${before.status}`;
    if (before.status === 'waiting_players' && !bothAnswered(before))
      return 'a match begins that somebody has not joined';
    if (
      event.type === 'limitPassed' &&
      ![before.deadlineAt, before.failedDeadlineAt].some((limit) => limit !== null && limit <= at)
    )
      return `${before.status} ends before its limit`;
    return null;
  },
};

export const pickersTakeTurns: Invariant = {
  name: 'pickers take turns',
  says: 'Red picks odd rounds and blue even ones; a seat without cards passes to the other. A pick begins with everything of the last round forgotten.',
  step: ({ before, state }) => {
    if (state.status !== 'awaiting_pick' || before.status === 'awaiting_pick') return null;
    const turn = state.roundNumber % 2 === 1 ? 'red' : 'blue';
    const picker = state.seats[turn].hand.length > 0 ? turn : other(turn);
    if (state.pickerSeat !== picker) return `${state.pickerSeat} picks round ${state.roundNumber}`;
    if (state.seats[picker].hand.length === 0) return 'a pick begins without cards';
    if (state.current !== null || state.startsAt !== null) return 'a map is shown before it is picked';
    for (const seat of SEATS) {
      const { ready, readyStates, score, countdownsStopped, countdownsBroken } = state.seats[seat];
      if (
        ready !== null ||
        readyStates.length > 0 ||
        score !== null ||
        countdownsStopped + countdownsBroken > 0
      )
        return `${seat} begins a round with what was said in the last one`;
    }
    return null;
  },
};

export const countdownIsFair: Invariant = {
  name: 'the countdown is fair',
  says: 'A countdown runs while both are ready and present, and only then; a map starts at its end and never otherwise. One that stops leaves at least ten seconds the first two times, and a failed download keeps the other waiting for 20 s.',
  moment: ({ state }) => {
    if (state.status !== 'preparing')
      return state.prepareDeadlineAt === null && state.failedDeadlineAt === null
        ? null
        : 'a limit of the preparation is left';
    const ready = SEATS.filter(
      (seat) => state.seats[seat].ready === 'ready' && state.seats[seat].presence.kind === 'present',
    );
    if ((ready.length === 2) !== (state.startsAt !== null))
      return 'the countdown does not follow who is ready';
    const failed = SEATS.filter((seat) => state.seats[seat].ready === 'failed');
    const waits = ready.length === 1 && failed.length === 1;
    if (waits !== (state.failedDeadlineAt !== null)) return 'a failed download is not waited for';
    return null;
  },
  step: ({ before, event, at, state }, { setting }) => {
    if (state.status === 'playing' && before.status !== 'playing') {
      if (before.startsAt === null || before.startsAt > at) return 'a map starts before its countdown ends';
      if (state.startsAt !== before.startsAt) return 'a map starts at another time than was told';
      const expected = before.startsAt + 30_000 + setting.limits.scoreGraceMs;
      if (state.deadlineAt !== expected) return 'the scores are due at another time';
    }
    if (state.status !== 'preparing' || before.status !== 'preparing') return null;
    const started = before.startsAt === null && state.startsAt !== null;
    const stopped = before.startsAt !== null && state.startsAt === null;
    if (
      started &&
      (state.startsAt !== at + setting.limits.countdownMs || state.deadlineAt !== state.startsAt)
    )
      return 'a countdown has another length';
    if (started && event.type === 'connected') {
      const { presence } = before.seats[event.seat];
      if (presence.kind === 'away' && (before.deadlineAt ?? 0) <= presence.since)
        return `${event.seat} puts a limit off that had passed`;
    }
    if (
      before.failedDeadlineAt === null &&
      state.failedDeadlineAt !== null &&
      state.failedDeadlineAt !== at + 20_000
    )
      return 'a failed download is waited for longer or shorter';
    if (
      before.failedDeadlineAt !== null &&
      state.failedDeadlineAt !== null &&
      event.type !== 'serviceResumed' &&
      state.failedDeadlineAt !== before.failedDeadlineAt
    )
      return 'a failed download is waited for anew';
    for (const seat of SEATS) {
      const [was, is] = [before.seats[seat], state.seats[seat]];
      const stops = stopped && 'seat' in event && event.seat === seat ? 1 : 0;
      if (is.countdownsBroken !== was.countdownsBroken + stops)
        return `${seat} has stopped ${is.countdownsBroken} countdowns`;
      const says = stops === 1 && event.type === 'setReady' ? 1 : 0;
      if (is.countdownsStopped !== was.countdownsStopped + says || is.countdownsStopped > 2)
        return `${seat} stops a countdown for the third time`;
      if (stops === 0) continue;
      const limit = before.prepareDeadlineAt ?? 0;
      const expected = is.countdownsBroken <= 2 ? Math.max(limit, at + 10_000) : limit;
      if (state.deadlineAt !== expected) return 'a countdown that stops leaves another time';
    }
    return null;
  },
};

export const isWellFormed: Invariant = {
  name: 'a state is well formed',
  says: 'A result is there once the match has ended and not before; the winner is named when it is decided; every time is a whole number; limits are those of the phase.',
  moment: ({ state }) => {
    const { result, status, endedAt, deadlineAt, startsAt } = state;
    const ended = status === 'completed' || status === 'aborted';
    if (ended !== (result !== null) || ended !== (endedAt !== null))
      return 'an end has no result, or a result no end';
    if (result !== null && (result.outcome === 'no_contest') !== (status === 'aborted'))
      return `${status} with ${result.outcome}`;
    if (result !== null && (result.outcome === 'decided') !== (result.winner !== null))
      return `${result.outcome} with ${result.winner}`;
    if (ended !== (deadlineAt === null)) return 'a phase without a limit';
    if (ended && startsAt !== null) return 'something starts after the end';
    for (const time of [deadlineAt, startsAt, endedAt, state.prepareDeadlineAt, state.failedDeadlineAt])
      if (time !== null && !Number.isInteger(time)) return `a time is ${time}`;
    if (isTolerant(state) && state.current === null) return 'a map is played that nobody picked';
    return null;
  },
};
