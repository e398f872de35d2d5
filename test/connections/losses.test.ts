import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLosses, type Losses } from '../../src/domains/connections/losses.ts';
import type { ConnectionsOptions } from '../../src/domains/connections/options.ts';
import { createRecovery } from '../../src/domains/connections/recovery.ts';
import type { MatchState } from '../../src/domains/matches/state.ts';
import { newGuid, systemClock } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { cloneDatabase } from '../harness/database.ts';
import { storeMatch, storePool } from '../harness/pools.ts';
import { startSecondNode } from '../harness/second-node.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { setupOf } from '../matches/game.ts';

/** Connections of a node that died: other nodes store them as lost. */

const MATCHES = 110;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('lost connections are stored in sets; every player gets a grace, except one who has connected again', async () => {
  const { prisma } = service.database;
  const [dead, elsewhere] = [newGuid(), newGuid()];
  const now = Date.now();
  const players: string[] = [];
  await storePool(service.database, setupOf());
  for (let nth = 0; nth < MATCHES; nth++) {
    const setup = setupOf();
    const seated = setup.players.map((one) => ({ ...one, playerGuid: newGuid() }));
    const made = { ...setup, matchGuid: newGuid(), players: seated as typeof setup.players };
    const seats = seated.map(({ playerGuid }) => ({
      playerGuid,
      queuedSince: now,
      pluginVersion: '1.0.0',
      gameVersion: null,
    }));
    await storeMatch(service.database, made, now, seats);
    players.push(...seated.map(({ playerGuid }) => playerGuid));
  }
  const [back = ''] = players;
  // The node of the player who has connected again lives.
  const alive = { startedAt: new Date(now), seenAt: new Date(now + 600_000), rulesVersion: 2 };
  await prisma.serviceNode.create({ data: { nodeGuid: elsewhere, ...alive } });
  await prisma.playerConnection.createMany({
    data: players.map((playerGuid) => ({
      playerGuid,
      connectionGuid: newGuid(),
      nodeGuid: playerGuid === back ? elsewhere : dead,
      pluginVersion: '1.0.0',
      connectedAt: new Date(now),
    })),
  });
  const seenAt = new Date(now - 60_000);
  await prisma.serviceNode.create({ data: { nodeGuid: dead, startedAt: seenAt, seenAt, rulesVersion: 2 } });

  await expect
    .poll(() => prisma.serviceNode.count({ where: { nodeGuid: dead } }), { timeout: 30_000 })
    .toBe(0);
  expect(await prisma.playerConnection.findMany({ where: { playerGuid: { in: players } } })).toMatchObject([
    { playerGuid: back, nodeGuid: elsewhere },
  ]);
  const states = (await prisma.match.findMany()).map(({ state }) => state as unknown as MatchState);
  expect(states).toHaveLength(MATCHES);
  for (const { seats, limits } of states)
    for (const { playerGuid, presence } of Object.values(seats)) {
      if (playerGuid === back) expect(presence).toEqual({ kind: 'present' });
      else {
        expect(presence).toMatchObject({ kind: 'away', free: true });
        if (presence.kind === 'away')
          expect(presence.deadlineAt - presence.since).toBe(limits.reconnectGraceMs);
      }
    }
  // Two hundred players share a transaction, and with it the moment of their loss.
  const moments = states.flatMap(({ seats }) =>
    Object.values(seats).flatMap(({ presence }) => (presence.kind === 'away' ? presence.since : [])),
  );
  expect(new Set(moments).size).toBeLessThanOrEqual(4);
});

test('a loss whose match cannot be changed now is kept, and the others are stored', async () => {
  // No service uses this database: after some seconds it would free the seats itself.
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  const { prisma } = database;
  const nodeGuid = newGuid();
  // More of one kind than fit into one set, and one of the other kind after them.
  const lost = Array.from({ length: 251 }, () => ({ playerGuid: newGuid(), connectionGuid: newGuid() }));
  await prisma.playerConnection.createMany({
    data: lost.map((one) => ({ ...one, nodeGuid, pluginVersion: '1.0.0', connectedAt: new Date() })),
  });
  const stuck = new Set(lost.slice(0, 2).map(({ playerGuid }) => playerGuid));
  let isStuck = true;
  const losses = createLosses({
    database,
    logger: pino({ level: 'silent' }),
    matches: {
      applyToPlayers: async (_db: unknown, players: readonly string[]) => ({
        remaining: players.filter((playerGuid) => isStuck && stuck.has(playerGuid)),
        afterCommit: async () => {},
      }),
    },
    pairing: { disconnected: async () => {} },
  } as unknown as ConnectionsOptions);
  await Promise.all(lost.map((one, nth) => losses.record(one, nth < 250 ? 'disconnected' : 'nodeLost')));
  const seats = () => prisma.playerConnection.findMany({ where: { nodeGuid } });
  expect(losses.players()).toEqual(stuck);
  expect(new Set((await seats()).map(({ playerGuid }) => playerGuid))).toEqual(stuck);
  isStuck = false;
  await losses.flush();
  expect([losses.players().size, (await seats()).length]).toEqual([0, 0]);
});

test('seats of a dead node whose matches cannot be changed stay, and hold up no others', async () => {
  // No service is on this database: it would free the seats itself.
  const database = await cloneDatabase();
  onTestFinished(() => database.drop());
  const { prisma } = database;
  const nodeGuid = newGuid();
  // More stuck ones than fit into one set.
  const players = Array.from({ length: 450 }, newGuid).sort();
  await prisma.playerConnection.createMany({
    data: players.map((playerGuid) => ({
      playerGuid,
      connectionGuid: newGuid(),
      nodeGuid,
      pluginVersion: '1.0.0',
      connectedAt: new Date(),
    })),
  });
  const stuck = players.slice(0, 420);
  const losses = createLosses({
    database,
    logger: pino({ level: 'silent' }),
    matches: {
      applyToPlayers: async (_db: unknown, some: readonly string[]) => ({
        remaining: some.filter((playerGuid) => stuck.includes(playerGuid)),
        afterCommit: async () => {},
      }),
    },
    pairing: { disconnected: async () => {} },
  } as unknown as ConnectionsOptions);
  expect(await losses.ofNode(nodeGuid, 0)).toBe(false);
  const left = await prisma.playerConnection.findMany({
    where: { nodeGuid },
    orderBy: { playerGuid: 'asc' },
  });
  expect(left.map(({ playerGuid }) => playerGuid)).toEqual(stuck);
  await prisma.playerConnection.deleteMany({ where: { nodeGuid } });
  expect(await losses.ofNode(nodeGuid, 0)).toBe(true);
});

test('a process that stands still in a transaction does not keep a dead node’s seats from being freed', async () => {
  const { prisma, url } = service.database;
  const [nodeGuid, playerGuid] = [newGuid(), newGuid()];
  const seat = { playerGuid, connectionGuid: newGuid(), nodeGuid, pluginVersion: '1.0.0' };
  await prisma.playerConnection.create({ data: { ...seat, connectedAt: new Date() } });
  const still = openDatabase({ url });
  const client = await still.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM "PlayerConnection" WHERE "playerGuid" = $1 FOR UPDATE', [playerGuid]);
  const seenAt = new Date(Date.now() - 60_000);
  await prisma.serviceNode.create({ data: { nodeGuid, startedAt: seenAt, seenAt, rulesVersion: 2 } });
  // The poll fails after twenty seconds.
  await expect.poll(() => prisma.playerConnection.count({ where: { playerGuid } })).toBe(0);
  client.release(true);
  await still.close();
});

test('a node that came back while it was recovered keeps its messages; those of a dead one are removed', async () => {
  const { prisma } = service.database;
  const [back, dead] = [newGuid(), newGuid()];
  const at = new Date();
  const alive = { startedAt: at, seenAt: new Date(at.getTime() + 600_000), rulesVersion: 2 };
  await prisma.serviceNode.create({ data: { nodeGuid: back, ...alive } });
  await prisma.peerMessage.createMany({
    data: [back, dead].map((nodeGuid) => ({ nodeGuid, body: {}, at })),
  });
  const { recover } = createRecovery(
    {
      database: service.database,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      node: () => ({
        deadNodes: async () => [back, dead].map((nodeGuid) => ({ nodeGuid, silentForMs: 6000 })),
        forget: async () => {},
      }),
      outages: { last: () => null },
      pairing: { emptyStopped: async () => {} },
    } as unknown as ConnectionsOptions,
    { ofNode: async () => true } as unknown as Losses,
    { banned: async () => {}, erased: async () => {} },
  );
  await recover();
  const left = await prisma.peerMessage.findMany({ where: { nodeGuid: { in: [back, dead] } } });
  expect(left.map(({ nodeGuid }) => nodeGuid)).toEqual([back]);
  await prisma.serviceNode.delete({ where: { nodeGuid: back } });
});

test('a dead node that cannot be recovered, and matches that cannot be compensated, keep no other work from it', async () => {
  const [stuck, other] = [newGuid(), newGuid()];
  const forgotten: string[] = [];
  let repeated = 0;
  const { recover } = createRecovery(
    {
      database: service.database,
      clock: systemClock,
      logger: pino({ level: 'silent' }),
      node: () => ({
        deadNodes: async () => [stuck, other].map((nodeGuid) => ({ nodeGuid, silentForMs: 6000 })),
        forget: async (nodeGuid: string) => void forgotten.push(nodeGuid),
      }),
      outages: { last: () => ({ number: 1 }) },
      matches: { compensate: () => Promise.reject(new Error('Not compensated.')) },
      pairing: {
        emptyStopped: async () => {
          repeated += 1;
        },
      },
    } as unknown as ConnectionsOptions,
    {
      ofNode: async (nodeGuid: string) => {
        if (nodeGuid === stuck) throw new Error('Not recovered.');
        return true;
      },
    } as unknown as Losses,
    { banned: async () => {}, erased: async () => {} },
  );
  await expect(recover()).rejects.toThrow('Not recovered.');
  expect({ forgotten, repeated }).toEqual({ forgotten: [other], repeated: 1 });
});

test('seats that a node wrote after it was removed are freed although no other node dies', async () => {
  const { prisma } = service.database;
  const written = await Promise.all(
    [newGuid(), newGuid()].map((nodeGuid) => {
      const seat = { playerGuid: newGuid(), connectionGuid: newGuid(), nodeGuid, pluginVersion: '1.0.0' };
      return prisma.playerConnection.create({ data: { ...seat, connectedAt: new Date() } });
    }),
  );
  const playerGuid = { in: written.map((one) => one.playerGuid) };
  await expect.poll(() => prisma.playerConnection.count({ where: { playerGuid } })).toBe(0);
});

test('a node that has been silent for a month is removed, and keeps no other one from starting', async () => {
  const { prisma } = service.database;
  const nodeGuid = newGuid();
  const seenAt = new Date(Date.now() - 30 * 86_400_000);
  await prisma.serviceNode.create({ data: { nodeGuid, startedAt: seenAt, seenAt, rulesVersion: 2 } });
  const second = await startSecondNode(service);
  await second.service.stop();
  await expect.poll(() => prisma.serviceNode.count({ where: { nodeGuid } })).toBe(0);
});
