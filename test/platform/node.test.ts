import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { joinNodes, type ServiceNode } from '../../src/platform/node.ts';
import { createServiceClock } from '../../src/platform/service-clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

/** When a node takes itself for the only one. The test moves the monotonic clock by hand. */

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

const join = async (): Promise<ServiceNode> => {
  const node = await joinNodes({
    database,
    databaseUrl: database.url,
    clock: createServiceClock(),
    life: { isNobodyInService: async () => true, markInService: async () => undefined },
    rulesVersion: 2,
    doneUntil: async () => Date.now(),
    logger: pino({ level: 'silent' }),
    onRevived: async () => undefined,
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
