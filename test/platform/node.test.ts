import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { joinNodes, type ServiceNode } from '../../src/platform/node.ts';
import { createServiceClock } from '../../src/platform/service-clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

/** What a node believes of being alone, with the clock that nobody sets moved by hand. */

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
    life: { findOut: async () => true, sign: async () => undefined },
    rulesVersion: 2,
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
/** Looks around every half second for so long. */
const lookAround = async (node: ServiceNode, forMs: number): Promise<void> => {
  for (let passed = 0; passed < forMs; passed += 500) {
    skippedMs += 500;
    await node.hasLivingPeers();
  }
};

test('a node that sees nobody for a while is alone, in one stretch', async () => {
  const node = await join();
  expect(node.solitude(), 'somebody may have been taken for dead by mistake').toBeNull();
  await lookAround(node, 6000);
  const stretch = node.solitude();
  expect(stretch).not.toBeNull();
  await lookAround(node, 2000);
  expect(node.solitude()).toBe(stretch);
});

test('a node that does not look around is not alone, and afterwards it is another stretch', async () => {
  const node = await join();
  await lookAround(node, 6000);
  const stretch = node.solitude();
  skippedMs += 5000;
  expect(node.solitude()).toBeNull();
  await node.hasLivingPeers();
  expect(node.solitude(), 'who knows what happened meanwhile').toBeNull();
  await lookAround(node, 6000);
  expect(node.solitude()).not.toBeNull();
  expect(node.solitude()).not.toBe(stretch);
});

test('of two nodes neither is alone, until one of them has left', async () => {
  const first = await join();
  await lookAround(first, 6000);
  expect(first.solitude()).not.toBeNull();
  const second = await join();
  expect(await first.hasLivingPeers()).toBe(true);
  await lookAround(second, 6000);
  expect([first.solitude(), second.solitude()]).toEqual([null, null]);
  nodes.pop();
  await leave(second);
  await lookAround(first, 6000);
  expect(first.solitude()).not.toBeNull();
});
