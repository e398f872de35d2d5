import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { moveToArchive } from '../../src/domains/matches/archive-store.ts';
import { type BrokenLog, createDelivery, type Delivery } from '../../src/domains/matches/delivery.ts';
import { logOf } from '../../src/domains/matches/log-store.ts';
import { createMatch, dueAt } from '../../src/domains/matches/machine.ts';
import type { PlayEvent, StaffEvent } from '../../src/domains/matches/match-events.ts';
import { play, statesOf } from '../../src/domains/matches/play.ts';
import { currentRules, openRulebook, RULEBOOK } from '../../src/domains/matches/rulebook.ts';
import type { MatchView } from '../../src/domains/matches/schemas.ts';
import { freeSeats, type RunningSeat } from '../../src/domains/matches/seats-store.ts';
import { type MatchSetup, type MatchState, playersOf } from '../../src/domains/matches/state.ts';
import {
  commitSteps,
  insertMatches,
  loadMatch,
  type StoredMatch,
  type StoredStep,
} from '../../src/domains/matches/store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { storePool } from '../harness/pools.ts';
import { display, extras, START, setupOf } from './game.ts';
import { openMatches } from './service.ts';

/** A node that tells its players what another one stored. */

const NODE = newGuid();
const [blue, red] = setupOf().players;
let database: TestDatabase;
/** The messages to the players: the player, the match and the version. */
let told: { playerGuid: string; matchGuid: string; version: number; cause: string; match: MatchView }[];
let broken: BrokenLog[];
let remembered: StoredMatch[];
let progress: Map<string, number>;
let delivery: Delivery;

beforeAll(async () => {
  database = await cloneDatabase();
  await storePool(database, setupOf());
});
afterAll(() => database.drop());

const clock = { now: () => START };
const logger = { error: (about: object) => expect.unreachable(JSON.stringify(about)) } as never;
const send = (playerGuid: string, _event: string, payload: unknown): void => {
  const { match, cause } = payload as { match: MatchView; cause: { type: string } };
  told.push({ playerGuid, matchGuid: match.matchGuid, version: match.version, cause: cause.type, match });
};

const open = (rulebook = RULEBOOK): Delivery =>
  createDelivery({
    database,
    clock,
    logger,
    rulebook,
    display: { cached: async () => display },
    cache: { remember: (match) => remembered.push(match) },
    progressIn: () => progress,
    send,
    onBroken: (about) => broken.push(about),
    onFirstDelivery: () => {},
  });

beforeEach(async () => {
  await database.prisma.playerConnection.deleteMany();
  await database.prisma.runningSeat.deleteMany();
  told = [];
  broken = [];
  remembered = [];
  progress = new Map();
  delivery = open();
});

/** A match as the other node stores it. */
class Elsewhere {
  sequence = 0;
  state: MatchState;
  readonly steps: StoredStep[];

  constructor(about: Partial<MatchSetup> = {}) {
    const setup = { ...setupOf(), matchGuid: newGuid(), ...about };
    this.state = createMatch(setup, START);
    const cause = { type: 'created', seat: null } as const;
    this.steps = [{ event: { type: 'created', setup }, state: this.state, cause }];
  }

  /** Makes it. The players sit in it, as long as it runs. */
  async made(isRunning = true): Promise<this> {
    const seats = playersOf(this.state).map(
      (playerGuid): RunningSeat => ({
        playerGuid,
        queuedSince: START,
        pluginVersion: '1.0.0',
        gameVersion: null,
      }),
    );
    const [created] = this.steps as [StoredStep];
    const seated = isRunning ? seats : [];
    const made = { created, dueAt: dueAt(this.state), seats: seated };
    const sequences = await insertMatches(database.prisma, [made]);
    this.sequence = sequences.get(this.matchGuid) ?? 0;
    return this;
  }

  async happens(...events: (PlayEvent | StaffEvent)[]): Promise<this> {
    for (const event of events) {
      const outcome = play(this.state, event, START);
      if (outcome.kind !== 'changed') throw new Error(`${event.type} changes nothing.`);
      await commitSteps(database, this.state.version, outcome.steps, START, null);
      this.steps.push(...outcome.steps);
      this.state = (outcome.steps.at(-1) as StoredStep).state;
    }
    return this;
  }

  get matchGuid(): string {
    return this.state.matchGuid;
  }

  /** As this node would tell what it stored itself. */
  toTell(...versions: [number, ...number[]]) {
    return {
      sequence: this.sequence,
      steps: versions.map((version) => this.steps[version - 1]) as [StoredStep, ...StoredStep[]],
      extras: extras(),
    };
  }
}

const stored = async ({ matchGuid }: Elsewhere) => (await loadMatch(database, matchGuid)) as StoredMatch;
const takeSeat = async (playerGuid: string): Promise<void> => {
  await database.prisma.playerConnection.create({
    data: {
      playerGuid,
      connectionGuid: newGuid(),
      nodeGuid: NODE,
      pluginVersion: '1.0.0',
      connectedAt: new Date(START),
    },
  });
};
const connect = async (playerGuid: string, at: StoredMatch | null): Promise<void> => {
  await takeSeat(playerGuid);
  delivery.connect(playerGuid, at);
};
const versionsOf = (playerGuid: string, { matchGuid }: Elsewhere) =>
  told
    .filter((one) => one.playerGuid === playerGuid && one.matchGuid === matchGuid)
    .map((one) => one.version);
const JOIN_BOTH: PlayEvent[] = [
  { type: 'joinMatch', seat: 'red' },
  { type: 'joinMatch', seat: 'blue' },
];
const END: PlayEvent = { type: 'forfeit', seat: 'red' };

describe('changes that another node stored', () => {
  test('are told version by version, each with its own state', async () => {
    const match = await new Elsewhere().made();
    await connect(red.playerGuid, null);
    await match.happens(...JOIN_BOTH, { type: 'discardMaps', seat: 'red', cardGuids: [] });
    await delivery.catchUp(NODE);
    await delivery.catchUp(NODE);
    expect(told.map(({ version, cause, match: { status } }) => [version, cause, status])).toEqual([
      [1, 'created', 'waiting_players'],
      [2, 'playerJoined', 'waiting_players'],
      [3, 'playerJoined', 'waiting_players'],
      [4, 'playerJoined', 'awaiting_discards'],
      [5, 'discarded', 'awaiting_discards'],
    ]);
    expect(remembered.map(({ state }) => state)).toEqual([match.state]);
    expect(broken).toEqual([]);
  });

  test('are computed from the last told state and the new events: the earlier log is not read', async () => {
    const match = await new Elsewhere().made();
    await match.happens(...JOIN_BOTH);
    await connect(red.playerGuid, await stored(match));
    await database.prisma.matchEvent.deleteMany({
      where: { matchGuid: match.matchGuid, version: { lte: match.state.version } },
    });
    const before = match.state.version;
    await match.happens({ type: 'discardMaps', seat: 'blue', cardGuids: [] });
    await match.happens({ type: 'discardMaps', seat: 'red', cardGuids: [] });
    await delivery.catchUp(NODE);
    expect(versionsOf(red.playerGuid, match)).toEqual([before + 1, before + 2, before + 3]);
    expect(broken).toEqual([]);
  });

  test('are told the same when the log was moved into the archive meanwhile', async () => {
    const match = await new Elsewhere().made(false);
    await connect(red.playerGuid, await stored(match));
    await match.happens(...JOIN_BOTH, END);
    await moveToArchive(database, { endedBefore: START + 1, most: 10 });
    expect(await database.prisma.matchEvent.count({ where: { matchGuid: match.matchGuid } })).toBe(0);
    await delivery.catchUp(NODE);
    expect(versionsOf(red.playerGuid, match)).toEqual([2, 3, 4, 5]);
    expect(broken).toEqual([]);
  });

  test('are told to each player from the version that player was told last', async () => {
    const match = await new Elsewhere().made();
    await connect(red.playerGuid, await stored(match));
    await match.happens(...JOIN_BOTH);
    await connect(blue.playerGuid, await stored(match));
    await match.happens({ type: 'discardMaps', seat: 'blue', cardGuids: [] });
    await delivery.catchUp(NODE);
    expect(versionsOf(red.playerGuid, match)).toEqual([2, 3, 4, 5]);
    expect(versionsOf(blue.playerGuid, match)).toEqual([5]);
  });

  test('are told in the matches of named players alone, the end of one match before the next', async () => {
    const first = await new Elsewhere().made();
    const [one, other] = setupOf().players;
    const players: MatchSetup['players'] = [
      { ...one, playerGuid: newGuid() },
      { ...other, playerGuid: newGuid() },
    ];
    const unnamed = await new Elsewhere({ players }).made();
    await connect(red.playerGuid, await stored(first));
    await connect(players[0].playerGuid, await stored(unnamed));
    await first.happens(END);
    await freeSeats(database.prisma, first.matchGuid);
    const second = await new Elsewhere().made();
    await second.happens({ type: 'joinMatch', seat: 'red' });
    await unnamed.happens({ type: 'joinMatch', seat: 'red' });
    await delivery.catchUpWith([newGuid(), red.playerGuid]);
    const expected = [
      [first.matchGuid, 2],
      [second.matchGuid, 1],
      [second.matchGuid, 2],
    ];
    expect(told.map(({ matchGuid, version }) => [matchGuid, version])).toEqual(expected);
    await delivery.catchUp(NODE);
    expect(told.map(({ matchGuid, version }) => [matchGuid, version])).toEqual([
      ...expected,
      [unnamed.matchGuid, 2],
    ]);
    expect(broken).toEqual([]);
  });

  test('are told with one end, the last one, when staff changed the result before the first end was told', async () => {
    const match = await new Elsewhere().made();
    await connect(red.playerGuid, await stored(match));
    await match.happens(...JOIN_BOTH, END);
    await match.happens({ type: 'decidedByStaff', outcome: 'decided', winner: 'red' });
    await delivery.catchUp(NODE);
    await delivery.catchUp(NODE);
    expect(versionsOf(red.playerGuid, match)).toEqual([2, 3, 4, 6]);
    expect(told.at(-1)?.match.result).toMatchObject({ outcome: 'win', winnerGuid: red.playerGuid });
    expect(broken).toEqual([]);
  });

  test('keep the end awaited until it is told', async () => {
    const match = await new Elsewhere().made();
    const awaits = () => [red, blue].map(({ playerGuid }) => delivery.awaitsEnd(playerGuid));
    await connect(red.playerGuid, await stored(match));
    expect(awaits()).toEqual([true, false]);
    await match.happens(END);
    expect(awaits()).toEqual([true, false]);
    await delivery.catchUp(NODE);
    expect(versionsOf(red.playerGuid, match)).toEqual([2]);
    expect(awaits()).toEqual([false, false]);
  });

  test('are told before the next change that this node stored', async () => {
    const match = await new Elsewhere().made();
    await connect(red.playerGuid, await stored(match));
    await match.happens(...JOIN_BOTH, { type: 'discardMaps', seat: 'blue', cardGuids: [] });
    delivery.announce(match.toTell(5));
    await expect.poll(() => told.length).toBe(4);
    expect(versionsOf(red.playerGuid, match)).toEqual([2, 3, 4, 5]);
  });
});

describe('the matches of one player', () => {
  // The later match has the lower guid, because the clock of its node is behind.
  const [later, earlier] = [newGuid(), newGuid()];

  test('are told in the order they were made, not in the order of their guids', async () => {
    const first = await new Elsewhere({ matchGuid: earlier }).made(false);
    await first.happens(END);
    const second = await new Elsewhere({ matchGuid: later }).made();
    expect(second.matchGuid < first.matchGuid).toBe(true);
    await connect(red.playerGuid, { ...(await stored(first)), state: first.steps[0]?.state as MatchState });
    await second.happens({ type: 'joinMatch', seat: 'red' });
    await delivery.catchUp(NODE);
    await delivery.catchUp(NODE);
    expect(told.map(({ matchGuid, version }) => [matchGuid, version])).toEqual([
      [first.matchGuid, 2],
      [second.matchGuid, 1],
      [second.matchGuid, 2],
    ]);
  });

  test('have their end told before this node tells the next one that it made', async () => {
    const first = await new Elsewhere().made(false);
    await connect(red.playerGuid, await stored(first));
    await first.happens(END);
    const second = await new Elsewhere().made();
    delivery.announce(second.toTell(1));
    await expect.poll(() => told.length).toBe(2);
    expect(told.map(({ matchGuid, version }) => [matchGuid, version])).toEqual([
      [first.matchGuid, 2],
      [second.matchGuid, 1],
    ]);
  });

  test('have their end told before the next match, also when another player was told of that match first', async () => {
    const first = await new Elsewhere().made();
    await connect(red.playerGuid, await stored(first));
    await first.happens(END);
    await freeSeats(database.prisma, first.matchGuid);
    const anna = newGuid();
    await connect(anna, null);
    const [, other] = setupOf().players;
    const next = await new Elsewhere({
      players: [{ ...setupOf().players[0], playerGuid: anna }, other],
    }).made();
    // A hint named the one and not the other.
    await delivery.catchUpWith([anna]);
    expect(versionsOf(anna, next)).toEqual([1]);
    await delivery.catchUp(NODE);
    const toRed = told.filter(({ playerGuid }) => playerGuid === red.playerGuid);
    expect(toRed.map(({ matchGuid, version }) => [matchGuid, version])).toEqual([
      [first.matchGuid, 2],
      [next.matchGuid, 1],
    ]);
    expect(versionsOf(anna, next)).toEqual([1]);
  });

  test('are not told again once a later one began', async () => {
    const first = await new Elsewhere().made(false);
    await first.happens(END);
    const second = await new Elsewhere().made();
    await connect(red.playerGuid, null);
    delivery.announce(second.toTell(1));
    delivery.announce(first.toTell(1, 2));
    await delivery.catchUp(NODE);
    expect(told.map(({ matchGuid, version }) => [matchGuid, version])).toEqual([[second.matchGuid, 1]]);
  });
});

describe('a player who connects when the match is over', () => {
  test('is not told of it again, while its end must still be told to the other player', async () => {
    const matches = openMatches(database, { logger, send });
    const match = await new Elsewhere().made();
    await match.happens(...JOIN_BOTH);
    await takeSeat(blue.playerGuid);
    await matches.connected(blue.playerGuid, { runningGuid: match.matchGuid, lastEnded: null });
    // Another node stores the end, or this one whose answer of the database was lost.
    await match.happens(END);
    await freeSeats(database.prisma, match.matchGuid);
    await takeSeat(red.playerGuid);
    await matches.connected(red.playerGuid, { runningGuid: null, lastEnded: match });
    await matches.catchUp(NODE);
    expect(versionsOf(blue.playerGuid, match)).toEqual([5]);
    expect(versionsOf(red.playerGuid, match)).toEqual([]);
    const next = await new Elsewhere().made();
    await matches.catchUp(NODE);
    for (const { playerGuid } of [red, blue]) expect(versionsOf(playerGuid, next)).toEqual([1]);
  });
});

describe('a log that does not lead to the stored state', () => {
  /** Changes what is stored without an event for it. */
  const tamper = async (match: Elsewhere): Promise<void> => {
    const { red: seat, ...others } = match.state.seats;
    match.state = { ...match.state, seats: { ...others, red: { ...seat, health: 0.5 } } };
    await database.prisma.match.update({
      where: { matchGuid: match.matchGuid },
      data: { state: match.state as object },
    });
  };

  test('has its match told from the stored state, once, and the match goes on from there', async () => {
    const match = await new Elsewhere().made();
    await match.happens(...JOIN_BOTH);
    await connect(red.playerGuid, await stored(match));
    await match.happens({ type: 'discardMaps', seat: 'blue', cardGuids: [] });
    await tamper(match);
    await delivery.catchUp(NODE);
    await delivery.catchUp(NODE);
    expect(told.map(({ version, match: { you } }) => [version, you.health])).toEqual([[5, 0.5]]);
    expect(broken).toEqual([
      { matchGuid: match.matchGuid, version: 5, reason: expect.stringContaining('another state') },
    ]);
    await match.happens({ type: 'discardMaps', seat: 'red', cardGuids: [] });
    await delivery.catchUp(NODE);
    expect(told.map(({ version }) => version)).toEqual([5, 6, 7]);
    expect(broken).toHaveLength(1);
  });

  test('shows the match to its followers from the stored state alone', async () => {
    const match = await new Elsewhere().made();
    await match.happens(...JOIN_BOTH);
    const { following } = openMatches(database);
    const versions = async () =>
      (await following.changedSince([{ matchGuid: match.matchGuid, version: 1 }])).map(
        (shown) => shown.match.version,
      );
    expect(await versions()).toEqual([2, 3, 4]);
    await tamper(match);
    expect(await versions()).toEqual([4]);
  });

  test.each<[string, (match: Elsewhere) => Promise<unknown>]>([
    [
      'an entry that is lost',
      ({ matchGuid }) =>
        database.prisma.matchEvent.delete({ where: { matchGuid_version: { matchGuid, version: 2 } } }),
    ],
    [
      'all entries that are lost',
      ({ matchGuid }) => database.prisma.matchEvent.deleteMany({ where: { matchGuid } }),
    ],
    [
      'a beginning without what the match was made from',
      ({ matchGuid }) =>
        database.prisma.matchEvent.update({
          where: { matchGuid_version: { matchGuid, version: 1 } },
          data: { event: { type: 'created' } },
        }),
    ],
    [
      'an event that nobody understands',
      ({ matchGuid }) =>
        database.prisma.matchEvent.update({
          where: { matchGuid_version: { matchGuid, version: 2 } },
          data: { event: { type: 'serviceResumed', downMs: 1.5 } },
        }),
    ],
  ])('disturbs no other match: %s', async (_what, breakLog) => {
    const others = { red: newGuid(), blue: newGuid() };
    const bad = await new Elsewhere().made();
    await bad.happens(...JOIN_BOTH);
    await breakLog(bad);
    const players: MatchSetup['players'] = [
      { ...blue, playerGuid: others.blue },
      { ...red, playerGuid: others.red },
    ];
    const good = new Elsewhere({ players });
    await good.made(false);
    await database.prisma.runningSeat.create({
      data: {
        matchGuid: good.matchGuid,
        playerGuid: others.red,
        queuedSince: new Date(START),
        pluginVersion: '1.0.0',
      },
    });
    await connect(red.playerGuid, null);
    await connect(others.red, null);
    await delivery.catchUp(NODE);
    expect(versionsOf(red.playerGuid, bad)).toEqual([4]);
    expect(versionsOf(others.red, good)).toEqual([1]);
    expect(broken.map(({ matchGuid }) => matchGuid)).toEqual([bad.matchGuid]);
  });
});

test('a match of newer rules is told from the stored state, and its log is not reported as broken', async () => {
  delivery = open(openRulebook([{ ...currentRules, version: 1 }]));
  const match = await new Elsewhere().made();
  await match.happens(...JOIN_BOTH);
  await connect(red.playerGuid, null);
  await delivery.catchUp(NODE);
  expect(versionsOf(red.playerGuid, match)).toEqual([4]);
  expect(broken).toEqual([]);
});

describe('the progress of a download', () => {
  const downloading = async (): Promise<Elsewhere> => {
    const match = await new Elsewhere().made();
    await match.happens(
      ...JOIN_BOTH,
      { type: 'discardMaps', seat: 'red', cardGuids: [] },
      { type: 'discardMaps', seat: 'blue', cardGuids: [] },
    );
    const cardGuid = match.state.seats.red.hand[0]?.cardGuid ?? '';
    return match.happens(
      { type: 'selectMap', seat: 'red', cardGuid },
      { type: 'setReady', seat: 'blue', roundNumber: 1, state: 'downloading' },
    );
  };

  test('repeats the version that was told last', async () => {
    const match = await downloading();
    await connect(red.playerGuid, await stored(match));
    progress.set(blue.playerGuid, 0.75);
    // Red has reported after blue, and downloads no more.
    const about = [match.matchGuid, [blue.playerGuid, red.playerGuid]] as const;
    expect([red, blue].map(({ playerGuid }) => delivery.isConnected(playerGuid))).toEqual([true, false]);
    for (const { playerGuid } of [red, blue]) await delivery.deliverProgress(playerGuid, ...about);
    expect(told).toMatchObject([
      { version: match.state.version, cause: 'readyChanged', match: { opponent: { progress: 0.75 } } },
    ]);
  });

  test('is not told to a player who was told nothing of the match, or its end', async () => {
    const match = await downloading();
    await connect(red.playerGuid, null);
    progress.set(blue.playerGuid, 0.75);
    const about = [match.matchGuid, [blue.playerGuid]] as const;
    await delivery.deliverProgress(red.playerGuid, ...about);
    expect(told).toEqual([]);
    await match.happens(END);
    await delivery.catchUp(NODE);
    expect(told.at(-1)?.match.status).toBe('completed');
    const before = told.length;
    await delivery.deliverProgress(red.playerGuid, ...about);
    expect(told).toHaveLength(before);
  });
});

test('the log that another node stored leads to each of its states', async () => {
  const match = await new Elsewhere().made();
  await match.happens(...JOIN_BOTH, { type: 'discardMaps', seat: 'red', cardGuids: [] });
  const lines = await logOf(database, match.matchGuid);
  expect(statesOf(lines)).toEqual(match.steps.map(({ state }) => state));
});
