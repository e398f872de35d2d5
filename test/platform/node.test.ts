import { randomBytes } from 'node:crypto';
import { chown, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { serverUser } from '../../src/local/postgres-binaries.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { OutOfReach } from '../../src/platform/database/out-of-reach.ts';
import { joinNodes, type ServiceNode } from '../../src/platform/node.ts';
import { createServiceClock } from '../../src/platform/service-clock.ts';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../harness/database.ts';
import { mountSmallDisk } from '../harness/small-disk.ts';

/** When a node takes itself for the only one, and when it is in service. A test may move the monotonic clock by hand. */

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

let skippedMs = 0;
const nodes: ServiceNode[] = [];
beforeEach(() => {
  skippedMs = 0;
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + skippedMs);
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await leave(node);
  vi.restoreAllMocks();
});

const join = async (over: Database = database, databaseUrl = database.url): Promise<ServiceNode> => {
  const node = await joinNodes({
    database: over,
    databaseUrl,
    clock: createServiceClock(),
    life: { isNobodyInService: async () => true, markInService: async () => undefined },
    rulesVersion: 2,
    doneUntil: async () => Date.now(),
    logger: pino({ level: 'silent' }),
    onRevived: async () => undefined,
    onForgotten: async () => undefined,
  });
  await node.begin();
  nodes.push(node);
  return node;
};
const leave = async (node: ServiceNode): Promise<void> => {
  await node.stop();
  await database.prisma.serviceNode.deleteMany({ where: { nodeGuid: node.nodeGuid } });
};
/** Asks for other nodes every half second for so long. */
const askForPeers = async (node: ServiceNode, forMs: number): Promise<void> => {
  for (let passed = 0; passed < forMs; passed += 500) {
    skippedMs += 500;
    await node.livingPeers();
  }
};

test('a node that finds no other one for five seconds has an exclusive period', async () => {
  const node = await join();
  expect(node.exclusivePeriod(), 'somebody may have been taken for dead by mistake').toBeNull();
  await askForPeers(node, 6000);
  const period = node.exclusivePeriod();
  expect(period).not.toBeNull();
  await askForPeers(node, 2000);
  expect(node.exclusivePeriod()).toBe(period);
});

test('a node that does not ask for others has no exclusive period, and another one later', async () => {
  const node = await join();
  await askForPeers(node, 6000);
  const period = node.exclusivePeriod();
  skippedMs += 5000;
  expect(node.exclusivePeriod()).toBeNull();
  await node.livingPeers();
  expect(node.exclusivePeriod(), 'another node may have come and gone').toBeNull();
  await askForPeers(node, 6000);
  expect(node.exclusivePeriod()).not.toBeNull();
  expect(node.exclusivePeriod()).not.toBe(period);
});

test('of two nodes neither has an exclusive period until the other has left', async () => {
  const first = await join();
  await askForPeers(first, 6000);
  expect(first.exclusivePeriod()).not.toBeNull();
  const second = await join();
  expect(await first.livingPeers()).toHaveLength(1);
  await askForPeers(second, 6000);
  expect([first.exclusivePeriod(), second.exclusivePeriod()]).toEqual([null, null]);
  nodes.pop();
  await leave(second);
  await askForPeers(first, 6000);
  expect(first.exclusivePeriod()).not.toBeNull();
});

/** A write that needs new pages. */
const writePages = ({ prisma }: Database) =>
  prisma.peerMessage.create({
    data: { nodeGuid: newGuid(), at: new Date(), body: randomBytes(64 * 1024).toString('hex') },
  });

describe('after a write that the full disk of the database refused', () => {
  /** As on a full disk, heartbeats succeed, because they need no new page. @returns makes room */
  async function fill(): Promise<() => Promise<unknown>> {
    await database.pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'No space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER test BEFORE INSERT ON "PeerMessage" EXECUTE FUNCTION refuse()`);
    return () => database.pool.query('DROP TRIGGER test ON "PeerMessage"; DROP FUNCTION refuse()');
  }

  test('a node is in service again only when a write that needs room succeeds', async () => {
    const node = await join();
    const makeRoom = await fill();
    await node.untilInService();
    await expect(writePages(database)).rejects.toThrow('No space left on device');
    expect(node.isInService(), 'at once').toBe(false);
    await expect(node.untilInService()).rejects.toThrow(OutOfReach);
    await makeRoom();
    await node.untilInService();
    expect(await database.prisma.peerMessage.count(), 'attempts leave nothing').toBe(0);
  });

  test('the other nodes find out as well', async () => {
    const other = openDatabase({ url: database.url });
    onTestFinished(() => other.close());
    const [node, peer] = [await join(), await join(other)];
    const makeRoom = await fill();
    await expect(writePages(database)).rejects.toThrow('No space left on device');
    await expect.poll(() => peer.isInService(), { timeout: 10_000 }).toBe(false);
    await makeRoom();
    await Promise.all([node.untilInService(), peer.untilInService()]);
    await leave(peer);
    nodes.pop();
    expect(node.isInService()).toBe(true);
  });
});

test('a node on a full disk stores heartbeats, but none in service until there is room', async (context) => {
  const disk = await mountSmallDisk(64 * 1024 * 1024);
  if (disk === null) return context.skip('needs the right to mount a file system');
  onTestFinished(() => disk.unmount());
  const user = await serverUser(disk.folder);
  if (user) await chown(disk.folder, user.uid, user.gid);
  const name = `small_${randomBytes(6).toString('hex')}`;
  await database.pool.query(`CREATE TABLESPACE ${name} LOCATION '${disk.folder}'`);
  onTestFinished(async () => void (await database.pool.query(`DROP TABLESPACE ${name}`)));
  const small = await emptyDatabase(
    `TEMPLATE ${inject('templateDatabase')} TABLESPACE ${name} STRATEGY FILE_COPY`,
  );
  onTestFinished(small.drop);
  const full = openDatabase({ url: small.url });
  onTestFinished(() => full.close());
  const node = await join(full, small.url);
  const row = () => full.prisma.serviceNode.findUniqueOrThrow({ where: { nodeGuid: node.nodeGuid } });
  const filler = path.join(disk.folder, 'filler');
  await expect(writeFile(filler, Buffer.alloc(64 * 1024 * 1024))).rejects.toThrow('ENOSPC');
  await expect(
    (async () => {
      for (;;) await writePages(full);
    })(),
  ).rejects.toThrow('No space left on device');
  /** How long heartbeats have not been in service. */
  const outForMs = async () => {
    const { seenAt, servedAt } = await row();
    return seenAt.getTime() - (servedAt?.getTime() ?? 0);
  };
  await expect.poll(outForMs, { timeout: 10_000 }).toBeGreaterThan(1000);
  expect(node.isInService()).toBe(false);
  await rm(filler);
  await node.untilInService();
  expect(await outForMs()).toBeLessThan(1000);
  nodes.pop();
  await node.stop();
});
