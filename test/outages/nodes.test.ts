import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOutages, type Outage, type Outages } from '../../src/domains/outages/index.ts';
import { type Database, inTransaction, openDatabase } from '../../src/platform/database/database.ts';
import { LeaseLost, shareLease } from '../../src/platform/leases.ts';
import { joinNodes, type ServiceNode } from '../../src/platform/node.ts';
import type { Run } from '../../src/platform/node-session.ts';
import { createServiceClock } from '../../src/platform/service-clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { startFaultyProxy } from '../harness/faulty-proxy.ts';

/** Several nodes on a real database: which are in service, and which outages they find. */

const logger = pino({ level: 'silent' });
let database: TestDatabase;
const cleanUp: (() => unknown)[] = [];
beforeEach(async () => {
  database = await cloneDatabase();
});
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
  await database.drop();
});

interface TestNode {
  node: ServiceNode;
  database: Database;
  outages: Outages;
  told: Outage[];
  revived: number;
}

/** Starts another node with connections of its own. @param heartbeatUrl of the connection for its heartbeats */
async function start({
  url = database.url,
  heartbeatUrl,
  connections = 4,
}: {
  url?: string;
  heartbeatUrl?: string;
  connections?: number;
} = {}): Promise<TestNode> {
  const own = openDatabase({ url, connections, silentMs: 1500 });
  cleanUp.push(() => own.close());
  const clock = createServiceClock();
  const told: Outage[] = [];
  const outages = createOutages({
    logger,
    clock,
    databaseClock: clock,
    node: () => started.node,
    onOutage: (one) => void told.push(one),
  });
  const started: TestNode = {
    node: undefined as unknown as ServiceNode,
    database: own,
    outages,
    told,
    revived: 0,
  };
  started.node = await joinNodes({
    database: own,
    databaseUrl: heartbeatUrl ?? url,
    clock,
    life: outages.life,
    rulesVersion: 2,
    doneUntil: async () => Date.now(),
    logger,
    onRevived: async () => {
      started.revived += 1;
    },
    onForgotten: async () => undefined,
  });
  cleanUp.push(() => started.node.stop());
  await started.node.begin();
  return started;
}

const recorded = async () =>
  (await database.prisma.outage.findMany({ orderBy: { number: 'asc' } })).map((one) => ({
    number: one.number,
    since: one.since.getTime(),
    until: one.until.getTime(),
  }));
/** Makes the database say that no node has been in service for so long. */
const nobodyServedFor = (ms: number) =>
  database.pool.query(
    `UPDATE "ServiceLife" SET "inServiceUntil" = "inServiceUntil" - $1::int * interval '1 millisecond'`,
    [ms],
  );
/** Makes the heartbeats of a node, and the service, an hour newer: as if the clock of the database was set back now. */
const setHeartbeatsAhead = (nodeGuid: string) =>
  database.pool.query(
    `WITH life AS (UPDATE "ServiceLife" SET "inServiceUntil" = "inServiceUntil" + interval '1 hour')
     UPDATE "ServiceNode" SET "seenAt" = "seenAt" + interval '1 hour', "servedAt" = "servedAt" + interval '1 hour'
     WHERE "nodeGuid" = $1::uuid`,
    [nodeGuid],
  );
const run: Run = (statement, ...values) => statement(database, ...values);
const evidence = (): Outages => {
  const clock = createServiceClock();
  const outages: Outages = createOutages({
    logger,
    clock,
    databaseClock: clock,
    node: () => ({ untilInService: () => outages.life.markInService(run) }),
    onOutage: () => undefined,
  });
  return outages;
};

describe('an outage', () => {
  test('of the only node, which was suspended, is found once with its length and reported', async () => {
    const { told, outages } = await start();
    await nobodyServedFor(20_000);
    await expect.poll(() => told.length).toBe(1);
    const [found] = await recorded();
    expect(told).toEqual([found]);
    const downMs = (found?.until ?? 0) - (found?.since ?? 0);
    expect(downMs).toBeGreaterThanOrEqual(20_000);
    expect(downMs, 'not more than between two heartbeats').toBeLessThan(23_000);
    const match = { createdAt: 0, endedAt: null, lastOutage: 0 };
    expect(outages.missedBy(match)).toEqual([{ outage: 1, downMs, until: found?.until }]);
    expect(outages.missedBy({ ...match, lastOutage: 1 })).toEqual([]);
    expect(outages.last()).toEqual(found);
  });

  test('lasts at least five seconds while a node runs', async () => {
    const { node, told } = await start();
    await nobodyServedFor(3000);
    const { rows } = await database.pool.query('SELECT clock_timestamp() AS now');
    await expect
      .poll(async () => (await database.prisma.serviceLife.findFirst())?.inServiceUntil?.getTime())
      .toBeGreaterThan(rows[0].now.getTime());
    expect(node.isInService()).toBe(true);
    expect(told).toEqual([]);
    expect(await recorded()).toEqual([]);
  });

  test('that three nodes find at once is stored once and learned by all of them', async () => {
    const nodes = [await start(), await start(), await start()];
    await nobodyServedFor(30_000);
    await expect.poll(() => nodes.map(({ told }) => told.length)).toEqual([1, 1, 1]);
    const found = await recorded();
    expect(found).toHaveLength(1);
    for (const { told } of nodes) expect(told).toEqual(found);
  });

  test('is stored once when many nodes find it at the same moment', async () => {
    await evidence().life.markInService(run);
    await nobodyServedFor(60_000);
    await Promise.all(Array.from({ length: 12 }, () => evidence().life.markInService(run)));
    expect(await recorded()).toHaveLength(1);
    await nobodyServedFor(7000);
    await Promise.all(Array.from({ length: 12 }, () => evidence().life.markInService(run)));
    expect((await recorded()).map(({ number }) => number)).toEqual([1, 2]);
  });

  test('ends with the first node that is back; a node that is back later finds no other one', async () => {
    const [first, second] = [evidence(), evidence()];
    await first.life.markInService(run);
    await second.life.markInService(run);
    await nobodyServedFor(8000);
    await first.life.markInService(run);
    // The second node comes back while the first one is in service.
    await second.life.markInService(run);
    const [found, ...more] = await recorded();
    expect(more).toEqual([]);
    expect(second.last()).toEqual(found);
  });

  test('of a restart counts once, whatever its length', async () => {
    const one = await start();
    await one.node.retire();
    await one.node.forget(one.node.nodeGuid, 0);
    const { inServiceUntil } = await database.prisma.serviceLife.findFirstOrThrow();
    const [two, three] = await Promise.all([start(), start()]);
    const found = await recorded();
    expect(found).toHaveLength(1);
    expect(found[0]?.since).toBe(inServiceUntil?.getTime());
    for (const { outages } of [two, three]) await expect.poll(() => outages.last()).toEqual(found[0]);
  });

  test('uses up no limit, also before it is stored', async () => {
    const [first, second] = [evidence(), evidence()];
    await first.life.markInService(run);
    const endedAt = Date.now() - 1_230_000;
    expect(await first.isOver(endedAt, 900_000), 'the service was there').toBe(true);
    await nobodyServedFor(1_200_000);
    expect(await recorded()).toEqual([]);
    expect(await second.isOver(endedAt, 900_000)).toBe(false);
    expect(await second.isOver(endedAt, 20_000)).toBe(true);
    const [found] = await recorded();
    expect(second.servedAfter(endedAt, 900_000)).toBe(
      endedAt + 900_000 + (found?.until ?? 0) - (found?.since ?? 0),
    );
  });

  test('is known for as long as the service was not there for thirty days after it', async () => {
    const at = (days: number) => new Date(Date.now() - days * 86_400_000);
    const rows = [
      { number: 1, since: at(95), until: at(90) },
      { number: 2, since: at(80), until: at(70) },
      { number: 3, since: at(62), until: at(20) },
    ];
    await database.prisma.outage.createMany({ data: rows });
    await database.prisma.serviceLife.updateMany({ data: { lastOutage: 3, inServiceUntil: new Date() } });
    const outages = evidence();
    await outages.life.markInService(run);
    const missed = outages.missedBy({ createdAt: 0, endedAt: null, lastOutage: 0 });
    expect(missed.map(({ outage }) => outage)).toEqual([2, 3]);
  });

  test('does not begin when a node joins one that is in service', async () => {
    await start();
    const second = await start();
    expect(second.node.startedAsOnlyNode).toBe(false);
    expect(await recorded()).toEqual([]);
  });
});

describe('a node', () => {
  test('that cannot write is not in service, and the outage begins with its last write', async () => {
    const { node, told } = await start();
    const before = Date.now();
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE "ServiceNode", "ServiceLife" IN EXCLUSIVE MODE');
    await expect.poll(() => node.isInService()).toBe(false);
    expect((await database.pool.query('SELECT count(*) FROM "Match"')).rowCount, 'reads work').toBe(1);
    await expect(node.untilInService()).rejects.toThrow(/out of reach/);
    await sleep(Math.max(0, 6000 - (Date.now() - before)));
    await blocker.query('COMMIT');
    await blocker.end();
    await expect.poll(() => node.isInService()).toBe(true);
    expect(told).toHaveLength(1);
    expect((told[0]?.until ?? 0) - (told[0]?.since ?? 0)).toBeGreaterThanOrEqual(5000);
  });

  test('whose own connection breaks opens another one, and continues over the pool when it cannot', async () => {
    const proxy = await startFaultyProxy(database.url);
    const started = await start({ heartbeatUrl: proxy.url });
    for (let times = 0; times < 6; times++) {
      proxy.cut();
      await started.node.untilInService();
      await sleep(200);
    }
    await proxy.stop();
    const servedAt = async () =>
      (await database.prisma.serviceNode.findFirstOrThrow()).servedAt?.getTime() ?? 0;
    const stoppedAt = await servedAt();
    // Longer than a node is in service without a heartbeat.
    await expect.poll(servedAt).toBeGreaterThan(stoppedAt + 3000);
    expect(started.node.isInService()).toBe(true);
    expect([started.told, started.revived]).toEqual([[], 0]);
  });

  test('with a full pool stays registered, is not in service, and does not affect other nodes', async () => {
    const [busy, other] = [await start({ connections: 2 }), await start()];
    const taken = await Promise.all([busy.database.pool.connect(), busy.database.pool.connect()]);
    await expect.poll(() => busy.node.isInService()).toBe(false);
    await sleep(3000);
    expect(await other.node.livingPeers()).toHaveLength(1);
    expect(await other.node.deadNodes(5000)).toEqual([]);
    for (const client of taken) client.release();
    await expect.poll(() => busy.node.isInService()).toBe(true);
    expect([busy.told, busy.revived, other.told]).toEqual([[], 0, []]);
    expect(await recorded()).toEqual([]);
  });

  test('that is the only one and has a full pool causes an outage', async () => {
    const { node, database: own, told } = await start({ connections: 2 });
    const taken = await Promise.all([own.pool.connect(), own.pool.connect()]);
    await expect.poll(() => node.isInService()).toBe(false);
    await sleep(3500);
    for (const client of taken) client.release();
    await expect.poll(() => told.length).toBe(1);
    expect((told[0]?.until ?? 0) - (told[0]?.since ?? 0)).toBeGreaterThanOrEqual(5000);
  });

  test('that was silent for as long as a node that starts alone waits claims its connections again', async () => {
    const started = await start();
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('BEGIN; SELECT FROM "ServiceNode" FOR UPDATE');
    const silence = `SELECT "seenAt" <= clock_timestamp() - interval '3 s' AS "isOver" FROM "ServiceNode"`;
    await expect.poll(async () => (await blocker.query(silence)).rows).toEqual([{ isOver: true }]);
    await blocker.query('COMMIT');
    await blocker.end();
    await expect.poll(() => started.revived).toBe(1);
  });

  test('that was removed while it lived registers again and claims its connections', async () => {
    const started = await start();
    await database.prisma.serviceNode.deleteMany();
    await expect.poll(() => started.revived).toBe(1);
    expect(await database.prisma.serviceNode.count()).toBe(1);
    await expect.poll(() => started.node.isInService()).toBe(true);
    expect(started.told).toEqual([]);
  });

  test('that died counts as dead after the usual silence, also when the clock of the database is set back afterwards', async () => {
    const [dead, other] = [await start(), await start()];
    expect(await dead.node.lead('pairing')).not.toBeNull();
    await dead.node.stop();
    await setHeartbeatsAhead(dead.node.nodeGuid);
    await expect.poll(() => other.node.lead('pairing')).toMatchObject({ epoch: 2 });
    await expect.poll(() => other.node.livingPeers()).toEqual([]);
    expect((await other.node.deadNodes(5000)).map(({ nodeGuid }) => nodeGuid)).toEqual([dead.node.nodeGuid]);
    expect(other.told, 'one of two is no outage').toEqual([]);
  });

  test('starts as the only one when the clock of the database was set back after another one died', async () => {
    const dead = await start();
    await dead.node.stop();
    await setHeartbeatsAhead(dead.node.nodeGuid);
    const started = await start();
    expect(started.node.startedAsOnlyNode).toBe(true);
  });
});

describe('a task', () => {
  test('has one leader at a time, and another one when that node ends', async () => {
    const [first, second] = [await start(), await start()];
    const leads = await Promise.all([first, second].map(({ node }) => node.lead('pairing')));
    expect(leads.filter((lease) => lease !== null)).toHaveLength(1);
    const leader = leads[0] === null ? second : first;
    const other = leader === first ? second : first;
    await leader.node.retire();
    await leader.node.forget(leader.node.nodeGuid, 0);
    expect(await other.node.lead('pairing')).toMatchObject({ nodeGuid: other.node.nodeGuid, epoch: 2 });
  });

  test('gets another leader when its node is cut off, and the former leader cannot write (fencing)', async () => {
    const proxy = await startFaultyProxy(database.url);
    cleanUp.push(() => proxy.stop());
    const [first, second] = [await start({ url: proxy.url }), await start()];
    const lease = await first.node.lead('pairing');
    if (lease === null) throw new Error('Nobody else was there.');
    expect(await second.node.lead('pairing')).toBeNull();
    await inTransaction(database, [], (db) => shareLease(db, lease));
    proxy.stall();
    await expect
      .poll(() => second.node.lead('pairing'))
      .toMatchObject({ nodeGuid: second.node.nodeGuid, epoch: lease.epoch + 1 });
    expect(await first.node.lead('pairing'), 'it does not know where it stands').toBeNull();
    await expect(inTransaction(database, [], (db) => shareLease(db, lease))).rejects.toThrow(LeaseLost);
    expect(second.told, 'one of two is no outage').toEqual([]);
  });

  test('keeps its leader when that node is slow for a moment', async () => {
    const [busy, other] = [await start({ connections: 2 }), await start()];
    const lease = await busy.node.lead('pairing');
    const taken = await Promise.all([busy.database.pool.connect(), busy.database.pool.connect()]);
    const heartbeat = () =>
      database.prisma.serviceNode.findUniqueOrThrow({ where: { nodeGuid: busy.node.nodeGuid } });
    await expect
      .poll(
        async () => {
          const { seenAt, servedAt } = await heartbeat();
          return seenAt.getTime() - (servedAt?.getTime() ?? 0);
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0);
    expect(await other.node.lead('pairing')).toBeNull();
    for (const client of taken) client.release();
    expect(await busy.node.lead('pairing')).toEqual(lease);
  });

  test('has one leader when many nodes ask at once', async () => {
    const nodes = [await start(), await start(), await start()];
    const asked = await Promise.all(
      Array.from({ length: 9 }, (_, nth) => nodes[nth % 3]?.node.lead(`task ${nth % 2}`)),
    );
    const holders = new Map<string, Set<string>>();
    for (const lease of asked)
      if (lease) holders.set(lease.task, (holders.get(lease.task) ?? new Set()).add(lease.nodeGuid));
    expect([...holders.values()].map((one) => one.size)).toEqual([1, 1]);
  });
});
