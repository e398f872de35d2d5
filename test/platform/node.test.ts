import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { joinNodes, type ServiceNode } from '../../src/platform/node.ts';
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
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    rulesVersion: 2,
    onRevived: async () => undefined,
    onOutage: async () => undefined,
  });
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

const CONNECTIONS = '/proc/net/tcp';

test.runIf(existsSync(CONNECTIONS))(
  'a node and its server look for each other every ten seconds (Linux only)',
  async () => {
    await join();
    const { rows } = await database.pool.query<{ client: number; server: number }>(`
    SELECT client_port AS client, inet_server_port() AS server FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'SELECT pg_advisory_lock%'`);
    expect(rows).toHaveLength(1);
    const [{ client, server } = { client: 0, server: 0 }] = rows;
    const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
    /** Hundredths of a second until one side looks whether the other is there; null: it has something to send. */
    const looksIn = async (near: number, far: number): Promise<number | null> => {
      const lines = (await readFile(CONNECTIONS, 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
      const line = lines.find(([, from, to]) => from?.endsWith(hex(near)) && to?.endsWith(hex(far)));
      const [timer, left = ''] = line?.[5]?.split(':') ?? [];
      return timer === '02' ? Number.parseInt(left, 16) : null;
    };
    for (const [near, far] of [
      [client, server],
      [server, client],
    ] as const) {
      await expect.poll(() => looksIn(near, far)).not.toBeNull();
      expect(await looksIn(near, far)).toBeLessThanOrEqual(1000);
    }
  },
);
