import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createLocalConnections, type Session } from '../../src/domains/connections/local-connections.ts';
import type { ConnectionsOptions } from '../../src/domains/connections/options.ts';
import { createSeats } from '../../src/domains/connections/seats.ts';
import { shareConnections } from '../../src/domains/connections/store.ts';
import type { Matches } from '../../src/domains/matches/index.ts';
import type { Outage } from '../../src/domains/outages/index.ts';
import { createService } from '../../src/domains/pairing/service.ts';
import { joinQueue } from '../../src/domains/pairing/store.ts';
import { createTick, type TickOptions } from '../../src/domains/pairing/tick.ts';
import { markConnected } from '../../src/domains/queues/index.ts';
import { insertQueue } from '../../src/domains/queues/store.ts';
import { pluginVersions } from '../../src/domains/releases/rules.ts';
import { newGuid } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { OutOfReach } from '../../src/platform/database/out-of-reach.ts';
import { manualClock } from '../harness/clock.ts';
import { cloneDatabase, type TestDatabase, waitingForLocks } from '../harness/database.ts';

/** How long a tick keeps the places of players who are away. */

const clock = manualClock();
const lease = { task: 'pairing', nodeGuid: newGuid(), epoch: 1 };
const [playerGuid, queueGuid] = [newGuid(), newGuid()];
let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  const { prisma } = database;
  await prisma.lease.create({ data: lease });
  const [seasonGuid, poolGuid, now] = [newGuid(), newGuid(), new Date(clock.now())];
  const endsAt = new Date(clock.now() + 86_400_000);
  await prisma.season.create({ data: { seasonGuid, name: 'Season', startsAt: now, endsAt } });
  await prisma.pool.create({
    data: { poolGuid, seasonGuid, name: 'Pool', status: 'draft', revision: 1, createdAt: now },
  });
  const pairing = { initialGap: 150, gapPerSecond: 10, maxGap: null };
  const rules = { maxDiscards: 2, pairing, replaysRequired: false };
  await insertQueue(prisma, { queueGuid, name: 'Queue', poolGuid, rules }, clock.now());
});
afterAll(() => database.drop());

/** A player waits and has just lost the connection. */
beforeEach(async () => {
  const now = new Date(clock.now());
  await database.prisma.queueEntry.deleteMany();
  await database.prisma.queueEntry.create({
    data: { playerGuid, queueGuid, joinedAt: now, rating: 1000, pluginVersion: '1.0.0', disconnectedAt: now },
  });
});

interface About {
  matches?: Partial<Matches>;
  on?: Database;
  last?: () => Outage | null;
  storePutOff?: () => Promise<void>;
}

const optionsOf = (about: About): Omit<TickOptions, 'notifyRemoved'> => ({
  config: { maintenance: false, rematchMs: 600_000 },
  database: about.on ?? database,
  clock,
  logger: pino({ level: 'silent' }),
  matches: (about.matches ?? {}) as Matches,
  outages: { last: about.last ?? (() => null) },
  pluginVersions: async () => pluginVersions(['1.0.0'], []),
  shareConnections: async (_db, guids) => ({ connected: new Set(guids), absent: [] }),
  storePutOff: about.storePutOff ?? (async () => undefined),
  onPaired: () => undefined,
});
const tickWith = (about: About) => createTick({ ...optionsOf(about), notifyRemoved: async () => undefined });
const isWaiting = async (): Promise<boolean> => (await database.prisma.queueEntry.count()) === 1;

test('the place of a player who is away is kept for fifteen seconds', async () => {
  clock.advance(14_000);
  await tickWith({})(lease);
  expect(await isWaiting()).toBe(true);
  clock.advance(2000);
  await tickWith({})(lease);
  expect(await isWaiting()).toBe(false);
});

test('while nobody waits, a tick only asks who waits', async () => {
  await database.prisma.queueEntry.deleteMany();
  const asked: string[] = [];
  const query = ({ name }: { name: string }) => {
    asked.push(name);
    return Promise.resolve({ rows: [] });
  };
  await tickWith({ on: { prisma: {}, pool: { query } } as unknown as Database })(lease);
  expect(asked).toEqual(['queue-waiting']);
});

test('after an outage the fifteen seconds begin again', async () => {
  clock.advance(16_000);
  const outage = { number: 1, since: clock.now() - 10_000, until: clock.now() };
  const last = () => outage;
  clock.advance(14_000);
  await tickWith({ last })(lease);
  expect(await isWaiting()).toBe(true);
  clock.advance(2000);
  await tickWith({ last })(lease);
  expect(await isWaiting()).toBe(false);
});

test('no place is given up before the extensions of players who were put off are stored', async () => {
  clock.advance(16_000);
  const steps: string[] = [];
  const storePutOff = async (): Promise<void> => {
    await database.prisma.queueEntry.updateMany({ where: { playerGuid }, data: { extendedMs: 60_000 } });
    steps.push('extended');
  };
  const query = (config: { name: string; text: string }) => {
    steps.push(config.name);
    return database.pool.query(config);
  };
  await tickWith({ on: { ...database, pool: { query } as unknown as Database['pool'] }, storePutOff })(lease);
  expect(steps.slice(0, 2)).toEqual(['extended', 'queue-waiting']);
  expect(await isWaiting()).toBe(true);
});

test('no place is given up while the extensions cannot be stored', async () => {
  clock.advance(16_000);
  const storePutOff = () => Promise.reject(new OutOfReach(new Error('full')));
  await expect(tickWith({ storePutOff })(lease)).rejects.toThrow(OutOfReach);
  expect(await isWaiting()).toBe(true);
});

test('a node that drains refuses to add a player, and answers a join sent again with the place', async () => {
  const pairing = createService({
    ...optionsOf({ matches: { runningSeatsOf: async () => new Map() } }),
    send: async () => undefined,
    requireAccepted: async () => undefined,
    isDraining: () => true,
  });
  const joiner = { playerGuid, pluginVersion: '1.0.0', gameVersion: null };
  expect(await pairing.join(joiner, queueGuid)).toMatchObject({ queueGuid, rating: 1000 });
  await expect(pairing.join(joiner, newGuid())).rejects.toMatchObject({ code: 'DRAINING' });
  await expect(pairing.join({ ...joiner, playerGuid: newGuid() }, queueGuid)).rejects.toMatchObject({
    code: 'DRAINING',
  });
});

test('a queue that was opened again is not emptied by the request that had stopped it', async () => {
  const told: string[] = [];
  const pairing = createService({
    ...optionsOf({}),
    send: async (playerGuids) => void told.push(...playerGuids),
    requireAccepted: async () => undefined,
    isDraining: () => false,
  });
  const { prisma } = database;
  await prisma.queue.update({ where: { queueGuid }, data: { status: 'open' } });
  await pairing.empty([queueGuid], 'queue_drained');
  expect([await isWaiting(), told]).toEqual([true, []]);
  await prisma.queue.update({ where: { queueGuid }, data: { status: 'draining' } });
  await pairing.empty([queueGuid], 'queue_drained');
  expect([await isWaiting(), told]).toEqual([false, [playerGuid]]);
});

const addPlayers = async (...playerGuids: string[]): Promise<void> => {
  const now = new Date(clock.now());
  const person = { username: 'Somebody', joinedAt: now, tokenIssuedAt: now };
  for (const guid of playerGuids)
    await database.prisma.player.create({
      data: { ...person, playerGuid: guid, subject: guid, platformId: guid },
    });
};
const join = (guid: string, at: number) =>
  joinQueue(database, { playerGuid: guid, pluginVersion: '1.0.0', gameVersion: null }, queueGuid, at, 1000);
const noMatches = { recentMeetings: async () => [], runningSeatsOf: async () => new Map() };

test('players who join while their node takes their seats again are paired', async () => {
  const both = [newGuid(), newGuid()];
  await addPlayers(...both);
  await database.prisma.queueEntry.deleteMany();
  await database.prisma.queue.update({ where: { queueGuid }, data: { status: 'open' } });
  const connections = createLocalConnections();
  for (const guid of both) {
    const session = {
      playerGuid: guid,
      connectionGuid: newGuid(),
      openedAt: clock.now(),
      pluginVersion: '1.0.0',
      gameVersion: null,
    };
    connections.add(session as Session);
    connections.seat(session as Session);
  }
  const create = vi.fn(async () => async () => undefined);
  const tick = createTick({
    ...optionsOf({ matches: { ...noMatches, create } }),
    shareConnections,
    notifyRemoved: async () => undefined,
  });
  const joinAndPair = async (): Promise<void> => {
    for (const guid of both) await join(guid, clock.now());
    await tick(lease);
  };
  let joining: Promise<void> | undefined;
  // The seats are taken and the entries marked, and nothing of it is committed.
  const applyToPlayers = async () => {
    let isDone = false;
    joining = joinAndPair().finally(() => {
      isDone = true;
    });
    await expect.poll(async () => isDone || (await waitingForLocks(database)) > 0).toBe(true);
    return { remaining: [], afterCommit: async () => undefined };
  };
  const nodeGuid = newGuid();
  const seats = createSeats(
    {
      ...{ database, clock, node: () => ({ nodeGuid }), matches: { ...noMatches, applyToPlayers } },
      pairing: { connected: markConnected, tellPlaces: async () => undefined },
    } as unknown as ConnectionsOptions,
    connections,
    async () => undefined,
    async () => undefined,
  );
  await seats.retakeSeats();
  await joining;
  expect(create).toHaveBeenCalledOnce();
  await database.prisma.queue.update({ where: { queueGuid }, data: { status: 'draining' } });
});

test('players are told the places that they have after nobody could tell them', async () => {
  const [plays, idle] = [newGuid(), newGuid()];
  /** Ends when all have been told: nobody waits until another one is told. */
  const send = vi.fn(() => expect.poll(() => send.mock.calls.length).toBe(3));
  const { tellPlaces } = createService({
    ...optionsOf({ matches: { runningSeatsOf: async () => new Map([[plays, newGuid()]]) } }),
    send,
    requireAccepted: async () => undefined,
    isDraining: () => false,
  });
  await tellPlaces([idle, plays, playerGuid]);
  expect(send.mock.calls).toEqual([
    [[idle], { queueEntry: null, reason: 'disconnected' }],
    [[plays], { queueEntry: null, reason: 'matched' }],
    [[playerGuid], { queueEntry: expect.objectContaining({ queueGuid, waitingMs: 0 }), reason: null }],
  ]);
});

test('a player who waits again after a match is told of the place, unless it is gone by then', async () => {
  const send = vi.fn(async () => undefined);
  const { requeued } = createService({
    ...optionsOf({}),
    send,
    requireAccepted: async () => undefined,
    isDraining: () => false,
  });
  await requeued(playerGuid);
  await requeued(newGuid());
  const queueEntry = expect.objectContaining({ queueGuid, rating: 1000, gap: 150 });
  expect(send.mock.calls).toEqual([[[playerGuid], { queueEntry, reason: 'requeued' }]]);
});

/** Adds an open queue with the pool and the rules of the first one. */
async function addQueue(): Promise<string> {
  const { prisma } = database;
  const { poolGuid, rules } = await prisma.queue.findFirstOrThrow();
  const added = newGuid();
  await insertQueue(
    prisma,
    { queueGuid: added, name: 'Other', poolGuid, rules: rules as never },
    clock.now(),
  );
  return added;
}

test('a stopped queue that cannot be emptied keeps no other one from it', async () => {
  const { prisma } = database;
  const other = await addQueue();
  await prisma.queue.updateMany({ data: { status: 'draining' } });
  const about = { joinedAt: new Date(clock.now()), rating: 1000, pluginVersion: '1.0.0' };
  await prisma.queueEntry.create({ data: { ...about, playerGuid: newGuid(), queueGuid: other } });
  const options = optionsOf({});
  const error = vi.spyOn(options.logger, 'error');
  const send = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('A test.'));
  const pairing = createService({
    ...options,
    send,
    requireAccepted: async () => undefined,
    isDraining: () => false,
  });
  await pairing.emptyStopped();
  expect(await prisma.queueEntry.count()).toBe(0);
  expect(send).toHaveBeenCalledTimes(2);
  expect(error).toHaveBeenCalledExactlyOnceWith(
    { err: expect.any(Error), queueGuid: expect.any(String) },
    'a stopped queue could not be emptied',
  );
  await prisma.queue.delete({ where: { queueGuid: other } });
});

test('a queue whose players cannot be paired keeps no other one from it', async () => {
  const { prisma } = database;
  const other = await addQueue();
  await prisma.queue.updateMany({ data: { status: 'open' } });
  await prisma.queueEntry.deleteMany();
  const players = [newGuid(), newGuid(), newGuid(), newGuid()];
  await addPlayers(...players);
  const about = { joinedAt: new Date(clock.now()), rating: 1000, pluginVersion: '1.0.0' };
  await prisma.queueEntry.createMany({
    data: players.map((guid, nth) => ({
      ...about,
      playerGuid: guid,
      queueGuid: nth < 2 ? queueGuid : other,
    })),
  });
  const create = vi.fn(async () => async () => undefined);
  const recentMeetings = vi
    .fn(async (): Promise<never[]> => [])
    .mockRejectedValueOnce(new Error('cancelled'));
  await tickWith({ matches: { ...noMatches, recentMeetings, create } })(lease);
  expect(recentMeetings).toHaveBeenCalledTimes(2);
  expect(create).toHaveBeenCalledOnce();
  await prisma.queueEntry.deleteMany();
  await prisma.queue.delete({ where: { queueGuid: other } });
  await prisma.queue.updateMany({ data: { status: 'draining' } });
});

test('after the end of the season nobody joins, and nobody is paired', async () => {
  const { prisma } = database;
  const { endsAt } = await prisma.season.findFirstOrThrow();
  const other = newGuid();
  await addPlayers(playerGuid, other);
  await prisma.queueEntry.deleteMany();
  await prisma.queue.update({ where: { queueGuid }, data: { status: 'open' } });
  expect(await join(playerGuid, endsAt.getTime() - 1)).toMatchObject({ refusal: null, isNew: true });
  expect(await join(other, endsAt.getTime())).toEqual({ refusal: 'QUEUE_NOT_OPEN', status: 'draining' });
  expect(await join(other, endsAt.getTime() - 1)).toMatchObject({ refusal: null, isNew: true });
  const create = vi.fn(async () => async () => undefined);
  const tick = tickWith({ matches: { ...noMatches, create } });
  clock.set(endsAt.getTime());
  await tick(lease);
  expect(create).not.toHaveBeenCalled();
  clock.set(endsAt.getTime() - 1);
  await tick(lease);
  expect(create).toHaveBeenCalledOnce();
});
