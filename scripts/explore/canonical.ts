import {
  type Card,
  type CurrentRound,
  ENDED,
  type FinishedRound,
  freezeParts,
  type MatchState,
  type Presence,
  RESULT_REASONS,
  type ReadyState,
  RUNNING,
  type Score,
  SEATS,
  type Seat,
  type SeatName,
} from '../../src/domains/matches/state.ts';
import { frozen } from '../../src/platform/frozen.ts';
import { mapAt, type Setting, scoreOf } from './settings.ts';
import type { Moment } from './walk.ts';

/**
 * The canonical form of a match at a time: a row of small integers, equal for moments that go on in the same way. Times
 * count from now, cards are their places, and what no rule asks for any more is left out: who played the rounds before the
 * last one and how, the hands' order, how many outages there were, the spent part of the budget below the shortest grace, how
 * long ago a map began that is over. That what is left out makes no
 * difference is tested by `test/exploration/explore.test.ts`, and at every end of a match that is explored.
 */

/** A time that is not set. */
const NONE = -0x8000_0000;
const NOW = Date.parse('2027-01-01T00:00:00.000Z');
const STATUSES = [...RUNNING, ...ENDED] as const;
const OUTCOMES = ['decided', 'draw', 'no_contest'] as const;
const READY: readonly (ReadyState | null)[] = [null, 'downloading', 'ready', 'failed'];
const NAMES: readonly (SeatName | null)[] = [null, 'red', 'blue'];
/** The shortest grace; a budget below it makes no difference. Source: the rules, *Presence*. */
const SHORTEST_GRACE_MS = 10_000;
/** Every map of a setting is this long; once it is over any score may come. */
const PLAYED_MS = 20_000;
/** The rules treat all larger numbers of stops of a countdown as equal. */
const STOPS = 3;

const LISTS = ['red', 'blue', 'reserve', 'redDiscarded', 'blueDiscarded', 'current', 'last', 'old'] as const;
type List = (typeof LISTS)[number];

const cards = new Map<number, Card>();
/** The card that stands for the one at this place of a list, with the map of this number. */
function cardAt(list: List, place: number, map: number): Card {
  const key = (LISTS.indexOf(list) * 32 + place) * 64 + map;
  let card = cards.get(key);
  if (card === undefined) {
    const cardGuid = `0ca4d000-0000-8000-8000-${key.toString(16).padStart(12, '0')}`;
    card = frozen({ cardGuid, map: mapAt(map) });
    cards.set(key, card);
  }
  return card;
}

const hands = new Map<string, readonly Card[]>();
/** So many cards of a list whose maps make no difference any more. */
function handOf(list: List, size: number): readonly Card[] {
  const key = `${list} ${size}`;
  let hand = hands.get(key);
  if (hand === undefined) {
    const first = LISTS.indexOf(list) * 6;
    hand = frozen(Array.from({ length: size }, (_, place) => cardAt(list, place, first + place)));
    hands.set(key, hand);
  }
  return hand;
}

const NO_STATES: readonly ReadyState[] = frozen([]);
const readySets = Array.from({ length: 8 }, (_, mask) =>
  frozen(READY.filter((state, at): state is ReadyState => state !== null && (mask >> (at - 1)) % 2 === 1)),
);
const maskOf = (states: readonly ReadyState[]): number =>
  states.reduce((mask, state) => mask | (1 << (READY.indexOf(state) - 1)), 0);

const PRESENT: Presence = frozen({ kind: 'present' });
const ABSENT: Presence = frozen({ kind: 'absent', final: false });
const GONE: Presence = frozen({ kind: 'absent', final: true });

/** Whether the cards that may still be drawn make a difference in this phase. */
const dealsCards = (status: number): boolean => status <= 1;
/** Whether the last round is shown in this phase, and its commands may be repeated. */
const showsLast = (status: number): boolean => status === 2 || status === 5;
/** Whether the stops of the countdown make a difference in this phase. In the later ones they do not: the next pick forgets them. */
const countsStops = (status: number): boolean => status <= 3;

export type Canonical = ReturnType<typeof createCanonical>;

/** Turns moments of one setting into rows and back. */
export function createCanonical(setting: Setting, setups: readonly MatchState[]) {
  const scores = setting.accuracies.map((one) => frozen(scoreOf(one)));
  const scoreIndex = new Map(scores.map((score, at) => [score.rawScore, at]));
  const scoreAt = (index: number): Score | null => scores[index] ?? null;
  const indexOf = (score: Readonly<Score> | null): number =>
    score === null ? -1 : (scoreIndex.get(score.rawScore) ?? -1);
  const variantOf = new Map(
    setups.map(({ seats }, at) => [`${JSON.stringify([seats.red.record, seats.blue.record])}`, at]),
  );
  const records = new WeakMap<object, number>();
  const { limits } = setting;
  const buffer = new Int32Array(256);
  let at = 0;
  const put = (value: number): void => {
    buffer[at++] = value;
  };

  /** Which beginning a match had: only the records of the players make a difference later. */
  function beginningOf({ seats }: MatchState): number {
    const known = records.get(seats.red.record);
    if (known !== undefined) return known;
    const found = variantOf.get(JSON.stringify([seats.red.record, seats.blue.record])) ?? 0;
    records.set(seats.red.record, found);
    return found;
  }

  function putSeat(seat: Seat, now: number, status: number, limit: number | null): void {
    const { presence } = seat;
    const ended = status >= RUNNING.length;
    put(Math.round(seat.health * 1e6));
    put(seat.joined ? 1 : 0);
    const away = presence.kind === 'away' ? presence : null;
    put(presence.kind === 'present' ? 0 : presence.kind === 'away' ? 1 : presence.final ? 3 : 2);
    put(
      away === null || ended
        ? 0
        : (away.free ? 1 : 0) |
            (away.extended ? 2 : 0) |
            (away.since >= now ? 4 : 0) |
            (status === 3 && limit !== null && limit <= away.since ? 8 : 0),
    );
    put(away === null || ended ? NONE : away.deadlineAt - now);
    const running = seat.budgetRunningSince !== null && !ended;
    const used = seat.budgetUsedMs + (seat.budgetRunningSince === null ? 0 : now - seat.budgetRunningSince);
    put(ended ? 0 : Math.max(SHORTEST_GRACE_MS, limits.reconnectBudgetMs - used));
    put(running ? 1 : 0);
    put(READY.indexOf(seat.ready));
    put(setting.remembersReports ? maskOf(seat.readyStates) : seat.ready === null ? 0 : maskOf([seat.ready]));
    const counts = countsStops(status);
    put(counts ? seat.countdownsStopped : 0);
    put(counts ? Math.min(STOPS, seat.countdownsBroken) : 0);
    put(Math.min(1, seat.notReadyLosses));
    put(indexOf(seat.score));
    put(seat.discarded === null ? -1 : seat.discarded.length);
    put(seat.hand.length);
  }

  function putCards(match: MatchState): void {
    const numbers = new Map<string, number>();
    const { red, blue } = match.seats;
    for (const list of [red.hand, blue.hand, match.reserve, red.discarded ?? [], blue.discarded ?? []]) {
      put(list.length);
      for (const { map } of list) {
        let number = numbers.get(map.mapGuid);
        if (number === undefined) {
          number = numbers.size;
          numbers.set(map.mapGuid, number);
        }
        put(number);
      }
    }
  }

  function putLast(match: MatchState, status: number): void {
    const last = match.rounds.at(-1);
    const before = match.rounds.slice(0, -1);
    const voids = before.filter((round) => round.void).length;
    put(before.length - voids);
    put(voids);
    put(before.at(-1)?.void ? 1 : 0);
    put(last === undefined ? 0 : last.void ? 2 : 1);
    if (last === undefined || !showsLast(status)) return;
    put(NAMES.indexOf(last.pickerSeat));
    put(last.pickedByPlayer ? 1 : 0);
    put(NAMES.indexOf(last.winner));
    put(Math.round(last.damage * 1e6));
    put(last.multiplier * 10);
    put(last.startedAt === null ? 0 : 1);
    for (const seat of SEATS) {
      put(indexOf(last.scores[seat]));
      const ready = last.ready[seat];
      const mask = setting.remembersReports
        ? maskOf(last.readyStates[seat])
        : ready === null
          ? 0
          : maskOf([ready]);
      put(READY.indexOf(ready) * 8 + mask);
    }
  }

  /** The row of a moment; it is overwritten by the next one. */
  function encode(match: MatchState, now: number): Int32Array {
    at = 0;
    const status = STATUSES.indexOf(match.status);
    const time = (value: number | null): void => put(value === null ? NONE : value - now);
    put(status);
    time(match.deadlineAt);
    // While a map is played only the earliest time of a score is counted from its start.
    time(match.status === 'playing' ? Math.max(match.startsAt ?? now, now - PLAYED_MS) : match.startsAt);
    time(match.prepareDeadlineAt);
    time(match.failedDeadlineAt);
    put(NAMES.indexOf(match.pickerSeat) * 3 + NAMES.indexOf(match.forfeitedBy));
    const { result, current } = match;
    put(
      result === null
        ? -1
        : OUTCOMES.indexOf(result.outcome) * 100 +
            RESULT_REASONS.indexOf(result.reason) * 3 +
            NAMES.indexOf(result.winner),
    );
    put(beginningOf(match));
    put(match.roundNumber - match.rounds.length);
    put(current === null ? 0 : NAMES.indexOf(current.pickerSeat) * 2 + (current.pickedByPlayer ? 1 : 0));
    putLast(match, status);
    putSeat(match.seats.red, now, status, match.deadlineAt);
    putSeat(match.seats.blue, now, status, match.deadlineAt);
    if (dealsCards(status)) putCards(match);
    return buffer.subarray(0, at);
  }

  let row: Int32Array = buffer;
  const next = (): number => row[at++] as number;
  const nextTime = (): number | null => {
    const value = next();
    return value === NONE ? null : NOW + value;
  };

  function nextSeat(name: SeatName, status: number, from: Seat, limit: number | null): Seat {
    const ended = status >= RUNNING.length;
    const health = next() / 1e6;
    const joined = next() === 1;
    const kind = next();
    const flags = next();
    const deadline = next();
    const left = next();
    const runs = next() === 1;
    const presence: Presence =
      kind === 0
        ? PRESENT
        : kind === 2
          ? ABSENT
          : kind === 3
            ? GONE
            : {
                kind: 'away',
                // A preparation asks whether its limit had passed then.
                since: (flags & 4) !== 0 ? NOW : Math.min(NOW, (flags & 8) === 0 && limit ? limit : NOW) - 1,
                deadlineAt: ended ? NOW : NOW + deadline,
                free: (flags & 1) === 1,
                ...((flags & 2) === 0 ? {} : { extended: true }),
              };
    const ready = READY[next()] ?? null;
    const readyStates = readySets[next()] ?? NO_STATES;
    const [stopped, broken] = [next(), next()];
    // A number that should make no difference gets its largest value, so that code that reads it shows.
    const [countdownsStopped, countdownsBroken] = countsStops(status) ? [stopped, broken] : [2, STOPS];
    const notReadyLosses = next();
    const score = scoreAt(next());
    const discarded = next();
    return {
      playerGuid: from.playerGuid,
      rating: from.rating,
      provisional: from.provisional,
      health,
      joined,
      hand: handOf(name, next()),
      discarded: discarded < 0 ? null : handOf(name === 'red' ? 'redDiscarded' : 'blueDiscarded', discarded),
      presence,
      // The shortest grace stands for less than it, too.
      budgetUsedMs: ended ? 0 : limits.reconnectBudgetMs - (left > SHORTEST_GRACE_MS ? left : 0),
      budgetRunningSince: runs ? NOW : null,
      ready,
      readyStates,
      countdownsStopped,
      countdownsBroken,
      notReadyLosses,
      score,
      record: from.record,
    };
  }

  const nextList = (list: List): readonly Card[] =>
    Array.from({ length: next() }, (_, place) => cardAt(list, place, next()));

  const nothing = {
    pickerSeat: 'red',
    pickedByPlayer: false,
    startedAt: null,
    scores: { red: null, blue: null },
    accuracy: { red: 0, blue: 0 },
    ready: { red: null, blue: null },
    readyStates: { red: NO_STATES, blue: NO_STATES },
    winner: null,
    damage: 0,
  } as const;
  /** Stand for rounds of which only the number, and whether they counted, makes a difference. */
  const oldRounds = Array.from({ length: 2 }, (_, isVoid) =>
    Array.from(
      { length: 11 },
      (_, index): FinishedRound =>
        frozen({
          ...nothing,
          roundNumber: index + 1,
          card: cardAt('old', index, 50 + index),
          multiplier: 1 - isVoid,
          void: isVoid === 1,
        }),
    ),
  );
  const oldRound = (index: number, isVoid: boolean): FinishedRound =>
    oldRounds[isVoid ? 1 : 0]?.[index] as FinishedRound;

  function nextRounds(status: number): FinishedRound[] {
    const scored = next();
    const voids = next();
    const beforeLast = next() === 1;
    const kind = next();
    const rounds: FinishedRound[] = [];
    const olderVoids = voids - (beforeLast ? 1 : 0);
    for (let round = 0; round < olderVoids; round++) rounds.push(oldRound(rounds.length, true));
    for (let round = 0; round < scored; round++) rounds.push(oldRound(rounds.length, false));
    if (beforeLast) rounds.push(oldRound(rounds.length, true));
    if (kind === 0) return rounds;
    if (!showsLast(status)) return [...rounds, oldRound(rounds.length, kind === 2)];
    const pickerSeat = NAMES[next()] ?? 'red';
    const pickedByPlayer = next() === 1;
    const winner = NAMES[next()] ?? null;
    const damage = next() / 1e6;
    const multiplier = next() / 10;
    const started = next() === 1;
    const [red, packedRed, blue, packedBlue] = [scoreAt(next()), next(), scoreAt(next()), next()];
    const accuracyOf = (score: Score | null) => (started && score !== null ? score.rawScore / 1e6 : 0);
    rounds.push({
      roundNumber: rounds.length + 1,
      pickerSeat,
      card: cardAt(status === 5 ? 'current' : 'last', 0, 49),
      pickedByPlayer,
      startedAt: started ? NOW - 1 : null,
      scores: { red, blue },
      accuracy: { red: accuracyOf(red), blue: accuracyOf(blue) },
      ready: { red: READY[packedRed >> 3] ?? null, blue: READY[packedBlue >> 3] ?? null },
      readyStates: { red: readySets[packedRed & 7] ?? [], blue: readySets[packedBlue & 7] ?? [] },
      winner,
      damage,
      multiplier,
      void: kind === 2,
    });
    return rounds;
  }

  /** A moment with this row. All moments with the row go on as it does. */
  function decode(from: Int32Array): Moment {
    row = from;
    at = 0;
    const status = next();
    const ended = status >= RUNNING.length;
    const deadlineAt = nextTime();
    const startsAt = nextTime();
    const prepareDeadlineAt = nextTime();
    const failedDeadlineAt = nextTime();
    const names = next();
    const ending = next();
    const made = setups[next()] as MatchState;
    const begun = next();
    const picked = next();
    const rounds = nextRounds(status);
    const red = nextSeat('red', status, made.seats.red, deadlineAt);
    const blue = nextSeat('blue', status, made.seats.blue, deadlineAt);
    let reserve: readonly Card[] = NO_CARDS;
    if (dealsCards(status)) {
      red.hand = nextList('red');
      blue.hand = nextList('blue');
      reserve = nextList('reserve');
      const lists = { red: nextList('redDiscarded'), blue: nextList('blueDiscarded') };
      for (const [name, seat] of [['red', red] as const, ['blue', blue] as const])
        if (seat.discarded !== null) seat.discarded = lists[name];
    }
    const current: CurrentRound | null =
      picked === 0
        ? null
        : {
            pickerSeat: NAMES[picked >> 1] as SeatName,
            card: cardAt('current', 0, 49),
            pickedByPlayer: picked % 2 === 1,
          };
    const state: MatchState = {
      ...made,
      version: 7,
      status: STATUSES[status] as MatchState['status'],
      deadlineAt,
      startsAt,
      prepareDeadlineAt,
      failedDeadlineAt,
      seats: { red, blue },
      reserve,
      roundNumber: rounds.length + begun,
      pickerSeat: NAMES[Math.floor(names / 3)] ?? null,
      current,
      rounds,
      forfeitedBy: NAMES[names % 3] ?? null,
      result:
        ending < 0
          ? null
          : {
              outcome: OUTCOMES[Math.floor(ending / 100)] as (typeof OUTCOMES)[number],
              reason: RESULT_REASONS[Math.floor((ending % 100) / 3)] as (typeof RESULT_REASONS)[number],
              winner: NAMES[(ending % 100) % 3] ?? null,
            },
      lastOutage: 0,
      createdAt: NOW - 3_600_000,
      endedAt: ended ? NOW - 1 : null,
    };
    return { state: freezeParts(state), now: NOW };
  }

  return { encode, decode };
}

const NO_CARDS: readonly Card[] = frozen([]);
