import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLocalConnections, type Session } from '../../src/domains/connections/local-connections.ts';
import { createLosses } from '../../src/domains/connections/losses.ts';
import type { ConnectionsOptions } from '../../src/domains/connections/options.ts';
import { createSeats } from '../../src/domains/connections/seats.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { cloneDatabase, type TestDatabase, waitingForLocks } from '../harness/database.ts';
import { startFaultyProxy } from '../harness/faulty-proxy.ts';

/** The seats of a node that others took for dead, and claims whose connection to the database broke. */

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const nodeGuid = newGuid();
let connections: ReturnType<typeof createLocalConnections>;
beforeEach(async () => {
  connections = createLocalConnections();
  await database.prisma.playerConnection.deleteMany();
});

const connect = (playerGuid = newGuid(), openedAt = Date.now()): Session => {
  const session = {
    ...{ playerGuid, connectionGuid: newGuid(), openedAt },
    ...{ pluginVersion: '1.0.0', gameVersion: null },
  };
  connections.add(session as Session);
  return session as Session;
};
const seated = (): Session => {
  const session = connect();
  connections.seat(session);
  return session;
};
const guidsOf = (sessions: readonly Session[]) => sessions.map(({ playerGuid }) => playerGuid).sort();
const seats = () =>
  database.prisma.playerConnection.findMany({ select: { playerGuid: true, connectionGuid: true } });
const players = async () => (await seats()).map(({ playerGuid }) => playerGuid).sort();

const addPlayer = (playerGuid: string) => {
  const times = { joinedAt: new Date(), tokenIssuedAt: new Date() };
  return database.prisma.player.create({
    data: { playerGuid, subject: playerGuid, username: 'Ann', ...times },
  });
};

/** Seats with the parts of other domains replaced. */
function open(
  parts: {
    applyToPlayers?: (players: readonly string[]) => string[];
    afterCommit?: () => Promise<void>;
    isInService?: () => boolean;
    returned?: (playerGuid: string) => void;
  } = {},
) {
  const moved: string[][] = [];
  const returned: string[] = [];
  const told: string[][] = [];
  const [dismiss, lose] = [vi.fn(async () => undefined), vi.fn(async () => undefined)];
  const options = {
    database,
    clock: { now: () => Date.now() },
    node: () => ({ nodeGuid, isInService: parts.isInService ?? (() => true) }),
    matches: {
      applyToPlayers: async (_db: unknown, some: readonly string[]) => {
        const remaining = parts.applyToPlayers?.(some) ?? [];
        const afterCommit = async () => {
          moved.push([...some]);
          await parts.afterCommit?.();
        };
        return { remaining, afterCommit };
      },
      returned: async (playerGuid: string) => {
        parts.returned?.(playerGuid);
        returned.push(playerGuid);
      },
    },
    pairing: {
      connected: async () => undefined,
      tellPlaces: async (some: string[]) => void told.push([...some].sort()),
    },
  } as unknown as ConnectionsOptions;
  return { ...createSeats(options, connections, dismiss, lose), moved, returned, told, dismiss, lose };
}

const dismissed = (dismiss: ReturnType<typeof open>['dismiss']) =>
  (dismiss.mock.calls as unknown[][]).map(([seat, notice]) => [(seat as Session).connectionGuid, notice]);

describe('the seats of a node that others took for dead', () => {
  test('are taken again together with the changes of the players’ matches, or not at all', async () => {
    const sessions = [seated(), seated(), seated()];
    let attempts = 0;
    const { retakeSeats, moved } = open({
      applyToPlayers: () => {
        if (attempts++ === 0) throw new Error('A test.');
        return [];
      },
    });
    await expect(retakeSeats()).rejects.toThrow('A test.');
    expect(await players()).toEqual([]);
    await retakeSeats();
    expect(await players()).toEqual(guidsOf(sessions));
    expect(moved.flat().sort()).toEqual(guidsOf(sessions));
  });

  test('are followed at the next attempt by the steps that failed after the commit', async () => {
    const session = seated();
    let fails = true;
    const afterCommit = async () => {
      if (fails) throw new Error('A test.');
    };
    const { retakeSeats, moved, returned, told } = open({ afterCommit });
    await expect(retakeSeats()).rejects.toThrow('A test.');
    expect([moved.flat(), returned, told]).toEqual([[session.playerGuid], [], []]);
    fails = false;
    await retakeSeats();
    await retakeSeats();
    expect([moved.flat(), returned, told.flat()]).toEqual(Array(3).fill([session.playerGuid]));
  });

  test('are followed by their steps although those of others fail again and again', async () => {
    const stuck = seated();
    const { checkSeats, moved, returned } = open({
      afterCommit: async () => {
        if (moved.flat().includes(stuck.playerGuid) && moved.length === 1) throw new Error('A test.');
      },
      returned: (playerGuid) => {
        if (playerGuid === stuck.playerGuid) throw new Error('A test.');
      },
    });
    await expect(checkSeats()).rejects.toThrow('A test.');
    const other = seated();
    await expect(checkSeats()).rejects.toThrow('A test.');
    expect(await players()).toEqual(guidsOf([stuck, other]));
    expect(moved).toEqual([[stuck.playerGuid], [other.playerGuid]]);
    expect(returned).toEqual([]);
  });

  test('return one by one when they could not be told together, also while one of them fails', async () => {
    const [stuck, other] = [seated(), seated()].sort((a, b) => (a.playerGuid < b.playerGuid ? -1 : 1)) as [
      Session,
      Session,
    ];
    let isTold = false;
    const { checkSeats, returned } = open({
      afterCommit: async () => {
        throw new Error('A test.');
      },
      returned: (playerGuid) => {
        if (!isTold && playerGuid === stuck.playerGuid) throw new Error('A test.');
      },
    });
    await expect(checkSeats()).rejects.toThrow('A test.');
    await expect(checkSeats()).rejects.toThrow('A test.');
    expect(returned).toContain(other.playerGuid);
    isTold = true;
    await checkSeats();
    expect(returned).toContain(stuck.playerGuid);
  });

  test('stay free while the matches of their players cannot be changed', async () => {
    const [stuck, free] = [seated(), seated()];
    let isStuck = true;
    const { retakeSeats } = open({
      applyToPlayers: (some) => some.filter((playerGuid) => isStuck && playerGuid === stuck.playerGuid),
    });
    await expect(retakeSeats()).rejects.toThrow('could not be changed: 1.');
    expect(await players()).toEqual([free.playerGuid]);
    isStuck = false;
    await retakeSeats();
    expect(await players()).toEqual(guidsOf([stuck, free]));
  });

  test('are not taken again for connections whose first claim is under way, and those are not dismissed', async () => {
    const claiming = connect();
    const former = { playerGuid: claiming.playerGuid, connectionGuid: newGuid() };
    const rest = { nodeGuid, pluginVersion: '1.0.0', connectedAt: new Date() };
    await database.prisma.playerConnection.create({ data: { ...former, ...rest } });
    const { retakeSeats, dismiss } = open();
    await retakeSeats();
    expect(dismiss).not.toHaveBeenCalled();
    expect(await seats()).toEqual([former]);
  });

  test('are given up when the connection ended meanwhile', async () => {
    const [stays, leaves] = [seated(), seated()];
    const { retakeSeats, lose } = open({
      applyToPlayers: () => {
        connections.remove(leaves);
        return [];
      },
    });
    await retakeSeats();
    expect(lose.mock.calls).toEqual([[leaves]]);
    expect(await players()).toEqual(guidsOf([stays, leaves]));
  });

  test('are taken again, and their players are told the places in queues that they have now', async () => {
    const both = [seated(), seated()];
    const kept = seated();
    await database.prisma.playerConnection.create({
      data: {
        ...{ playerGuid: kept.playerGuid, connectionGuid: kept.connectionGuid },
        ...{ nodeGuid, pluginVersion: '1.0.0', connectedAt: new Date() },
      },
    });
    const { retakeSeats, told } = open();
    await retakeSeats();
    expect(told).toEqual([guidsOf(both)]);
  });
});

describe('a check of the seats', () => {
  const place = (session: Pick<Session, 'playerGuid' | 'connectionGuid'>, on = nodeGuid) =>
    database.prisma.playerConnection.create({
      data: {
        ...{ playerGuid: session.playerGuid, connectionGuid: session.connectionGuid },
        ...{ nodeGuid: on, pluginVersion: '1.0.0', connectedAt: new Date() },
      },
    });

  test('ends a connection whose seat a connection to another node has, and no other one', async () => {
    const [replaced, stays, claiming] = [seated(), seated(), connect()];
    const elsewhere = { playerGuid: replaced.playerGuid, connectionGuid: newGuid() };
    const former = { playerGuid: claiming.playerGuid, connectionGuid: newGuid() };
    await place(stays);
    for (const seat of [elsewhere, former]) await place(seat, newGuid());
    const before = await seats();
    const { checkSeats, dismiss, moved } = open();
    await checkSeats();
    expect(dismissed(dismiss)).toEqual([[replaced.connectionGuid, 'sessionReplaced']]);
    expect(await seats()).toEqual(before);
    expect(moved.flat()).toEqual([]);
  });

  test('ends a connection that has a later one of its player beside it, which has the seat or gets it', async () => {
    const older = seated();
    const newer = connect(older.playerGuid);
    connections.seat(newer);
    const { checkSeats, dismiss } = open();
    await checkSeats();
    expect(dismissed(dismiss)).toEqual([[older.connectionGuid, 'sessionReplaced']]);
    expect(await seats()).toEqual([{ playerGuid: newer.playerGuid, connectionGuid: newer.connectionGuid }]);
  });

  test('takes a free seat again for an open connection, but not while the node has no heartbeats', async () => {
    const session = seated();
    let isInService = false;
    const { checkSeats, dismiss, moved } = open({ isInService: () => isInService });
    await checkSeats();
    expect(await players()).toEqual([]);
    isInService = true;
    await checkSeats();
    expect(await players()).toEqual([session.playerGuid]);
    expect(moved).toEqual([[session.playerGuid]]);
    expect(dismiss).not.toHaveBeenCalled();
  });

  test('looks at two hundred connections in a statement, and opens no transaction while they have their seats', async () => {
    const all = Array.from({ length: 401 }, seated);
    await database.prisma.playerConnection.createMany({
      data: all.map(({ playerGuid, connectionGuid }) => ({
        ...{ playerGuid, connectionGuid, nodeGuid, pluginVersion: '1.0.0', connectedAt: new Date() },
      })),
    });
    const statements = vi.spyOn(database.pool, 'query');
    onTestFinished(() => statements.mockRestore());
    const connects = vi.spyOn(database.prisma, '$transaction');
    onTestFinished(() => connects.mockRestore());
    await open().checkSeats();
    expect(statements.mock.calls.map(([query]) => (query as { name?: string }).name)).toEqual(
      Array(3).fill('seats-holders'),
    );
    expect(connects).not.toHaveBeenCalled();
  });
});

test('a connection that was opened before the one on another node, and admitted after it, gets no seat', async () => {
  const now = Date.now();
  const session = connect(newGuid(), now - 5000);
  const { playerGuid } = session;
  await addPlayer(playerGuid);
  const elsewhere = { playerGuid, connectionGuid: newGuid(), nodeGuid: newGuid() };
  await database.prisma.playerConnection.create({
    data: { ...elsewhere, pluginVersion: '1.0.0', connectedAt: new Date(now - 2000) },
  });
  const { claim, dismiss } = open();
  await claim(session);
  expect(dismissed(dismiss)).toEqual([[session.connectionGuid, 'sessionReplaced']]);
  expect(await seats()).toEqual([{ playerGuid, connectionGuid: elsewhere.connectionGuid }]);
});

test('a seat that is taken after its connection to the database broke is given up', async () => {
  const proxy = await startFaultyProxy(database.url);
  onTestFinished(() => proxy.stop());
  const cut = openDatabase({ url: proxy.url });
  onTestFinished(() => cut.close());
  const session = connect();
  const { playerGuid } = session;
  await addPlayer(playerGuid);
  const common = { clock: { now: () => Date.now() }, logger: pino({ level: 'silent' }) };
  const matches = { applyToPlayers: async () => ({ remaining: [], afterCommit: async () => undefined }) };
  const pairing = { disconnected: async () => undefined };
  const options = { ...common, node: () => ({ nodeGuid }), matches, pairing };
  const losses = createLosses({ ...options, database } as unknown as ConnectionsOptions);
  const lose = (lost: Session) => losses.record(lost, 'disconnected');
  const { claim } = createSeats(
    { ...options, database: cut } as unknown as ConnectionsOptions,
    connections,
    async () => undefined,
    lose,
  );

  const lock = await database.pool.connect();
  await lock.query('BEGIN');
  await lock.query('SELECT FROM "Player" WHERE "playerGuid" = $1 FOR NO KEY UPDATE', [playerGuid]);
  const claimed = claim(session).catch((error: unknown) => error);
  await expect.poll(() => waitingForLocks(database)).toBe(1);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  proxy.cut();
  expect(await claimed).toBeInstanceOf(Error);
  const late = timers.mock.calls.filter(([, ms]) => ms === 10_000);
  timers.mockRestore();
  expect(late).toHaveLength(1);
  await lose(session);
  await lock.query('ROLLBACK');
  lock.release();
  // The database goes on with the statement.
  await expect.poll(players).toEqual([playerGuid]);
  late[0]?.[0]();
  await expect.poll(players).toEqual([]);
});
