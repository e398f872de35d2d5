import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { deal } from '../../src/domains/matches/deal.ts';
import { LIFE } from '../../src/domains/matches/life.ts';
import { createMatch, dueAt } from '../../src/domains/matches/machine.ts';
import type { Cause, LogLine, TransitionEvent } from '../../src/domains/matches/match-events.ts';
import { play } from '../../src/domains/matches/play.ts';
import {
  liveMatch,
  liveSeat,
  matchCause,
  matchView,
  publicMatch,
} from '../../src/domains/matches/schemas.ts';
import { type Card, type MatchState, other, SEATS, type SeatName } from '../../src/domains/matches/state.ts';
import { causeFor, publicView, viewFor } from '../../src/domains/matches/view.ts';
import type { PoolMap } from '../../src/domains/pools/index.ts';
import { frozen } from '../../src/platform/frozen.ts';
import { valuesIn } from '../harness/values.ts';
import { extras, limits, replay, START, scoreOn, setupOf } from './game.ts';

/** Random play: both players, sensible and not, lost connections, jumps in time, restarts, staff. */

type Seed = { action: string; seat: SeatName; n: number };

const sensible: Record<MatchState['status'], (state: MatchState, seed: Seed) => TransitionEvent> = {
  waiting_players: (_, { seat }) => ({ type: 'joinMatch', seat }),
  awaiting_discards: ({ seats }, { seat, n }) => ({
    type: 'discardMaps',
    seat,
    cardGuids: seats[seat].hand.slice(0, n % 6).map((card) => card.cardGuid),
  }),
  awaiting_pick: ({ seats, pickerSeat }, { seat, n }) => {
    const picker = pickerSeat ?? seat;
    const { hand } = seats[picker];
    return { type: 'selectMap', seat: picker, cardGuid: hand[n % hand.length]?.cardGuid ?? '' };
  },
  preparing: ({ roundNumber }, { seat }) => ({
    type: 'setReady',
    seat,
    roundNumber,
    state: 'ready',
  }),
  playing: ({ roundNumber, current }, { seat, n }) => ({
    type: 'submitScore',
    seat,
    roundNumber,
    score: scoreOn(current?.card.map as Card['map'], (n % 101) / 100, { failed: n % 2 === 0 }),
  }),
  round_results: (_, { seat }) => ({ type: 'joinMatch', seat }),
  completed: (_, { seat }) => ({ type: 'forfeit', seat }),
  aborted: (_, { seat }) => ({ type: 'forfeit', seat }),
};

function eventOf(state: MatchState, log: LogLine[], seed: Seed): TransitionEvent | null {
  const { action, seat, n } = seed;
  switch (action) {
    case 'sensible':
      return sensible[state.status](state, seed);
    case 'setReady': {
      const ready = (['downloading', 'failed', 'ready'] as const)[n % 3] ?? 'ready';
      return {
        type: 'setReady',
        seat,
        roundNumber: state.roundNumber - (n % 7 === 0 ? 1 : 0),
        state: ready,
      };
    }
    case 'foreign card': {
      const cards = [...state.seats[other(seat)].hand, ...state.reserve];
      return { type: 'selectMap', seat, cardGuid: cards[n % cards.length]?.cardGuid ?? '' };
    }
    case 'repeat': {
      const event = log[n % log.length]?.event;
      return event === undefined || event.type === 'created' ? null : event;
    }
    case 'disconnected':
    case 'connected':
    case 'nodeLost':
    case 'putOff':
      return { type: action, seat };
    case 'serviceResumed':
      return {
        type: 'serviceResumed',
        outage: state.lastOutage + 1,
        downMs: n * 500,
        until: log.at(-1)?.at ?? state.createdAt,
      };
    case 'leave':
      // Seldom: otherwise no match gets far.
      if (n % 20 > 4) return null;
      return (
        [
          { type: 'forfeit', seat },
          { type: 'banned', seat },
          { type: 'abortedByStaff' },
          { type: 'decidedByStaff', outcome: 'decided', winner: seat },
          { type: 'undoneByStaff' },
        ] as const
      )[n % 20] as TransitionEvent;
    default:
      return null;
  }
}

const seeds = fc.array(
  fc.record({
    action: fc.oneof(
      { weight: 20, arbitrary: fc.constant('both') },
      { weight: 10, arbitrary: fc.constant('next limit') },
      { weight: 5, arbitrary: fc.constant('sensible') },
      { weight: 2, arbitrary: fc.constant('wait') },
      {
        weight: 8,
        arbitrary: fc.constantFrom(
          'setReady',
          'repeat',
          'foreign card',
          'disconnected',
          'connected',
          'connected',
          'nodeLost',
          'putOff',
          'serviceResumed',
        ),
      },
      { weight: 1, arbitrary: fc.constant('leave') },
    ),
    seat: fc.constantFrom(...SEATS),
    n: fc.nat(300),
  }),
  { minLength: 20, maxLength: 150, size: 'max' },
);

const setups = fc.record({
  /** Both play alike: otherwise no match uses up its cards. */
  even: fc.boolean(),
  poolSize: fc.constantFrom(10, 11, 13, 20, 40),
  maxDiscards: fc.nat(5),
  seed: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  map: fc.record({
    modifiers: fc.constantFrom<PoolMap['modifiers'][]>([], ['NF', 'FS'], ['SS', 'NW'], ['ZM']),
    durationSeconds: fc.constantFrom(30, 200),
  }),
  red: fc.record({
    connected: fc.boolean(),
    record: fc.record({ leftBeforeFirstPick: fc.nat(1), earlyForfeits: fc.nat(3) }),
  }),
  limits: fc.constantFrom({}, { prepareMs: 2000, pickMs: 2000 }, { scoreEarliestShare: 0, joinMs: 90_000 }),
});

// So many calls of `expect` take long: only a failure makes one.
const expectLacks = (text: string, part: string): void => {
  if (text.includes(part)) expect(text).not.toContain(part);
};
const expectEqual = (actual: unknown, expected: unknown): void => {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
};

/** Nothing in what a player is sent names a card or a map that only the opponent or the deck knows. */
function expectNoLeak(state: MatchState, seat: SeatName, sent: string): void {
  const opponent = state.seats[other(seat)];
  const secret = [...opponent.hand, ...(opponent.discarded ?? []), ...state.reserve];
  const known = new Set(
    [...state.seats[seat].hand, state.current?.card, ...state.rounds.map((round) => round.card)].map(
      (card) => card?.map.mapGuid,
    ),
  );
  for (const { cardGuid, map } of secret) {
    expectLacks(sent, cardGuid);
    if (!known.has(map.mapGuid)) expectLacks(sent, map.mapGuid);
  }
  expectLacks(sent, state.seed);
  if (state.status === 'waiting_players') expectLacks(sent, opponent.playerGuid);
}

function expectSound(before: MatchState, after: MatchState, cause: Cause, now: number): void {
  expect(after.version).toBe(before.version + 1);
  expectEqual(JSON.parse(JSON.stringify(after)), after);
  expect(dueAt(after) === null).toBe(after.endedAt !== null);
  expect(after.result === null).toBe(after.endedAt === null);
  for (const seat of SEATS) {
    const { health, budgetUsedMs } = after.seats[seat];
    expect(health).toBeGreaterThanOrEqual(0);
    expect(health).toBeLessThanOrEqual(before.seats[seat].health);
    expect(budgetUsedMs).toBeGreaterThanOrEqual(before.seats[seat].budgetUsedMs);
    const view = viewFor(after, seat, now, extras());
    expectEqual(matchView.parse(view), view);
    const update = { match: view, cause: matchCause.parse(causeFor(after, seat, cause)) };
    expectNoLeak(after, seat, JSON.stringify(update));
  }
  expectNoPublicLeak(after, cause);
}

/** The public view of a running match, and not one member more. */
const strictLive = liveMatch.strict().extend({ seats: z.array(liveSeat.strict()) });

/** Nothing that everybody is told of a match names a card in a hand, a lone score, a hidden player or the seed. */
function expectNoPublicLeak(state: MatchState, cause: Cause): void {
  const progress = new Map(SEATS.map((seat) => [state.seats[seat].playerGuid, 0.5]));
  const shown = publicView(state, extras({ progress }));
  expectEqual(publicMatch.parse(shown), shown);
  const sent = JSON.stringify({ match: shown, cause: causeFor(state, null, cause) });
  expect(shown.seed === null).toBe(state.endedAt === null);
  if (state.endedAt === null) expectLacks(sent, state.seed);
  expect(shown.live === null).toBe(state.endedAt !== null);
  const known = new Set(
    [state.current?.card, ...state.rounds.map((round) => round.card)].map((card) => card?.map.mapGuid),
  );
  for (const { hand, discarded } of SEATS.map((seat) => state.seats[seat]))
    for (const { cardGuid, map } of [...hand, ...(discarded ?? [])]) {
      expectLacks(sent, cardGuid);
      if (!known.has(map.mapGuid)) expectLacks(sent, map.mapGuid);
    }
  for (const { map } of state.reserve) if (!known.has(map.mapGuid)) expectLacks(sent, map.mapGuid);
  // The score of one player alone is said to be there, and nothing more of it.
  expect(shown.rounds).toHaveLength(state.rounds.length);
  if (shown.live !== null) {
    strictLive.parse(shown.live);
    if (state.status === 'playing') {
      const lone = SEATS.map((seat) => state.seats[seat].score?.rawScore ?? 0).filter((raw) => raw > 1000);
      const told =
        lone.length === 0
          ? []
          : valuesIn({ ...shown, rounds: [], live: { ...shown.live, currentMap: null } });
      for (const raw of lone) if (told.includes(raw)) expect(told).not.toContain(raw);
    }
  }
  if (state.status === 'waiting_players')
    for (const seat of SEATS) expectLacks(sent, state.seats[seat].playerGuid);
}

function expectHandsSound(state: MatchState, poolSize: number): void {
  const discarded = SEATS.flatMap((seat) => state.seats[seat].discarded ?? []);
  const hands = SEATS.map((seat) => state.seats[seat].hand.map((card) => card.map.mapGuid));
  for (const hand of hands) expect(new Set(hand).size).toBe(hand.length);
  const cards = SEATS.flatMap((seat) => state.seats[seat].hand.map((card) => card.cardGuid));
  expect(new Set(cards).size).toBe(cards.length);
  if (poolSize >= 10 + discarded.length) expect(new Set(hands.flat()).size).toBe(hands.flat().length);
}

test('any sequence of events leaves a match valid, keeps its secrets, ends it, and replays to the same state', () => {
  const ends = new Map<string, number>();
  const ways = new Set<string>();
  fc.assert(
    fc.property(setups, seeds, (options, actions) => {
      const setup = setupOf(options);
      let now = START;
      let state = frozen(createMatch(setup, now));
      const log: LogLine[] = [{ event: { type: 'created', setup }, at: now }];

      const happens = (event: TransitionEvent): void => {
        const outcome = play(state, event, now);
        if (outcome.kind !== 'changed') return;
        for (const step of outcome.steps) {
          expectSound(state, step.state, step.cause, now);
          expectHandsSound(step.state, options.poolSize);
          if (step.state.status !== state.status) ways.add(`${state.status} → ${step.state.status}`);
          state = frozen(step.state);
          log.push({ event: step.event, at: now });
        }
      };
      const passLimits = (until: number): void => {
        for (let due = dueAt(state); due !== null && due <= until; due = dueAt(state)) {
          now = Math.max(now, due);
          const { version } = state;
          happens({ type: 'limitPassed', version });
          expect(state.version).toBeGreaterThan(version);
        }
        now = Math.max(now, until);
      };

      /** Both do what the phase asks for; where that is nothing they wait. */
      const playOn = (seed: Seed): void => {
        const { version } = state;
        happens(sensible[state.status](state, { ...seed, seat: 'red' }));
        const n = options.even ? seed.n : seed.n + 37;
        happens(sensible[state.status](state, { ...seed, seat: 'blue', n }));
        if (state.version === version) passLimits(dueAt(state) ?? now);
      };

      for (const seed of actions) {
        if (seed.action === 'wait') passLimits(now + seed.n * 400);
        else if (seed.action === 'next limit') passLimits(dueAt(state) ?? now);
        else if (seed.action === 'both') playOn(seed);
        else {
          const event = eventOf(state, log, seed);
          if (event !== null) happens(event);
        }
      }
      if (options.even) for (const seed of actions) playOn(seed);
      // Left alone it ends by its limits: ten cards, a handful of limits each, and the longest map.
      passLimits(now + 12 * 3_600_000);
      expect(state.endedAt).not.toBeNull();
      expect(replay(JSON.parse(JSON.stringify(log)))).toEqual(state);
      const reason = state.result?.reason ?? '';
      ends.set(reason, (ends.get(reason) ?? 0) + 1);
    }),
    { numRuns: 200, seed: 20260301 },
  );
  // The picture of the reference shows where a match goes; its ends are reached from everywhere.
  const shown: string[] = LIFE.ways.map(({ from, to }) => `${from} → ${to}`);
  const isEnd = (way: string) => LIFE.ends.some((end) => way.endsWith(` ${end}`));
  expect([...ways].filter((way) => !isEnd(way)).sort()).toEqual(shown.filter((way) => !isEnd(way)).sort());
  expect(shown.filter((way) => !ways.has(way))).toEqual([]);
  // The random play reaches every end.
  expect([...ends.keys()].sort()).toEqual([
    'aborted_by_staff',
    'banned',
    'cards_used_up',
    'decided_by_staff',
    'disconnected',
    'dodged',
    'forfeit',
    'health',
    'left_before_first_pick',
    'not_joined',
    'not_ready',
    'void_rounds',
  ]);
});

test('a preparation ends, however often two players stop the countdown', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          seat: fc.constantFrom(...SEATS),
          action: fc.constantFrom('ready', 'failed', 'goes', 'returns'),
          ms: fc.integer({ min: 100, max: 4900 }),
        }),
        { minLength: 200, maxLength: 200 },
      ),
      (actions) => {
        let now = START;
        let state = createMatch(setupOf({ limits: { prepareMs: 5000, reconnectGraceMs: 3_600_000 } }), now);
        const happens = (event: TransitionEvent): void => {
          const outcome = play(state, event, now);
          if (outcome.kind === 'changed') state = outcome.steps.at(-1)?.state ?? state;
        };
        for (const seat of SEATS) happens({ type: 'joinMatch', seat });
        for (const seat of SEATS) happens({ type: 'discardMaps', seat, cardGuids: [] });
        happens({ type: 'selectMap', seat: 'red', cardGuid: state.seats.red.hand[0]?.cardGuid ?? '' });
        expect(state.status).toBe('preparing');
        for (const { seat, action, ms } of actions) {
          if (action === 'goes') happens({ type: 'disconnected', seat });
          else if (action === 'returns') happens({ type: 'connected', seat });
          else
            happens({
              type: 'setReady',
              seat,
              roundNumber: 1,
              state: action === 'ready' ? 'ready' : 'failed',
            });
          now += ms;
          const due = dueAt(state);
          if (due !== null && due <= now) happens({ type: 'limitPassed', version: state.version });
          if (state.status !== 'preparing') break;
        }
        // The limit, and at most four stops a seat with a countdown and ten seconds each.
        expect(state.status).not.toBe('preparing');
        expect(now - START).toBeLessThanOrEqual(5000 + 8 * (10_000 + limits.countdownMs) + 3 * 4900);
      },
    ),
    { numRuns: 60, seed: 20260301 },
  );
});

test('a deal is ten distinct maps of the pool, five each, the same in whatever order the pool was read', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(10, 11, 20, 37, 500),
      fc.nat(5),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (poolSize, maxDiscards, bytes) => {
        const setup = setupOf({ poolSize, maxDiscards, seed: Buffer.from(bytes).toString('hex') });
        const { red, blue, reserve } = deal(setup);
        const maps = [...red, ...blue, ...reserve].map((card) => card.map.mapGuid);
        expect(new Set(maps).size).toBe(maps.length);
        expect([red.length, blue.length]).toEqual([5, 5]);
        expect(reserve.length).toBe(Math.min(poolSize - 10, 2 * maxDiscards));
        expect(deal({ ...setup, pool: setup.pool.toReversed() })).toEqual({ red, blue, reserve });
      },
    ),
    { numRuns: 60 },
  );
});
