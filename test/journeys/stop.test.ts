import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { MatchState } from '../../src/domains/matches/state.ts';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import { openNodes, type ServiceNode, type ServiceNodes } from '../harness/nodes.ts';
import { spawnService } from '../harness/process.ts';

/**
 * With as many players as a node is meant for:
 * `STOP_PLAYERS=5000 npx vitest run test/journeys/stop.test.ts`.
 */

const PLAYERS = Number(process.env.STOP_PLAYERS ?? 50);
/** A fifth of them plays, another fifth waits. */
const SHARE = Math.floor(PLAYERS / 10) * 2;
/** One of so many players does not answer the closing of the connection. */
const STUCK_EVERY = 10;
const CONNECTING_AT_ONCE = 50;
/** Matches whose losses are stored in one transaction. */
const MATCHES_AT_ONCE = 100;
const countStatements = fileURLToPath(new URL('../harness/count-statements.ts', import.meta.url));

let nodes: ServiceNodes;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'matches-stop-'));
  nodes = await openNodes({ DRAIN_DELAY_SECONDS: '0.1', JOIN_SECONDS: '600', LOG_LEVEL: 'warn' });
});
const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await nodes.stop();
  await rm(folder, { recursive: true });
});

/** Connects a player at the least cost: Socket.IO's packets by hand, from an address of its own. */
async function connect({ url }: Pick<ServiceNode, 'url'>, nth: number): Promise<WebSocket> {
  const auth = { token: await nodes.gameToken(`S${nth}`), pluginVersion: PLUGIN_VERSION };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
    perMessageDeflate: false,
    localAddress: `127.1.${nth >> 8}.${nth & 255}`,
  });
  const refusal = await new Promise<string | null>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      const packet = data.toString();
      if (packet.startsWith('0')) socket.send(`40${JSON.stringify(auth)}`);
      else if (packet === '2') socket.send('3');
      else if (packet.startsWith('44')) resolve(packet.slice(2));
      else if (packet.startsWith('40')) resolve(null);
    });
  });
  if (refusal !== null) {
    const { message, data } = JSON.parse(refusal);
    // A busy machine puts players off.
    if (message !== 'SERVICE_UNAVAILABLE') throw new Error(refusal);
    await new Promise((resolve) => setTimeout(resolve, data.retryAfterMs));
    return connect({ url }, nth);
  }
  sockets.push(socket);
  return socket;
}

/** Connects players: `share` of them play, and as many of the others wait. */
async function fill(node: ServiceNode, players: number, share: number): Promise<void> {
  const { prisma } = nodes.database;
  const { queueGuid } = nodes;
  const connectTo = async (count: number): Promise<void> => {
    while (sockets.length < count) {
      const some = Math.min(CONNECTING_AT_ONCE, count - sockets.length);
      await Promise.all(Array.from({ length: some }, (_, at) => connect(node, sockets.length + at)));
    }
    await expect.poll(() => prisma.playerConnection.count(), { timeout: 60_000 }).toBe(count);
  };
  await connectTo(share);
  for (const socket of sockets) socket.send(`42${JSON.stringify(['joinQueue', { queueGuid }])}`);
  const running = () => prisma.match.count({ where: { endedAt: null } });
  await expect.poll(running, { timeout: 120_000 }).toBe(share / 2);
  await connectTo(players);
  const seated = (await prisma.runningSeat.findMany()).map(({ playerGuid }) => playerGuid);
  const idle = await prisma.playerConnection.findMany({
    where: { playerGuid: { notIn: seated } },
    take: share,
  });
  await prisma.queueEntry.createMany({
    // Too far apart for a pair, so they go on waiting.
    data: idle.map(({ playerGuid, pluginVersion }, nth) => ({
      playerGuid,
      queueGuid,
      pluginVersion,
      joinedAt: new Date(),
      rating: 100_000 * nth,
    })),
  });
}

/** Every lost connection is stored, and costs no player any of the budget. */
async function expectAllStored(share: number): Promise<void> {
  const { prisma } = nodes.database;
  expect(await prisma.playerConnection.count()).toBe(0);
  expect(await prisma.queueEntry.count({ where: { disconnectedAt: null } })).toBe(0);
  const matches = await prisma.match.findMany({ where: { endedAt: null } });
  const presences = matches.flatMap(({ state }) =>
    Object.values((state as unknown as MatchState).seats).map(({ presence }) => presence),
  );
  expect(presences).toHaveLength(share);
  for (const presence of presences) expect(presence).toMatchObject({ kind: 'away', free: true });
}

test('a full node stops cleanly and stores the lost connections in a few statements', async () => {
  const statementsFile = path.join(folder, 'statements.json');
  const node = await nodes.start({ STATEMENTS_FILE: statementsFile }, [countStatements]);
  await fill(node, PLAYERS, SHARE);
  for (const [nth, socket] of sockets.entries()) if (nth % STUCK_EVERY === 0) socket.pause();

  const startedAt = performance.now();
  const code = await node.process.terminate();
  const seconds = (performance.now() - startedAt) / 1000;
  const output = node.process.output();
  expect(code, output).toBe(0);
  expect(output).not.toContain('the stop takes too long');
  expect(output).not.toMatch(/"level":[56]0/);
  await expectAllStored(SHARE);
  expect(await nodes.database.prisma.queueEntry.count()).toBe(SHARE);

  const statements: [string, number][] = JSON.parse(await readFile(statementsFile, 'utf8'));
  const count = (beginning: RegExp): number =>
    statements.reduce((sum, [text, times]) => (beginning.test(text) ? sum + times : sum), 0);
  if (process.env.STOP_PLAYERS !== undefined)
    process.stdout.write(`${PLAYERS} players: stopped in ${seconds.toFixed(1)} s\n`);
  // One transaction for each hundred matches; the players outside matches go with the first.
  const rounds = Math.max(1, Math.ceil(SHARE / 2 / MATCHES_AT_ONCE));
  expect(count(/^DELETE FROM (\S+\.)?"PlayerConnection"/)).toBe(rounds);
  expect(count(/^UPDATE (\S+\.)?"QueueEntry"/)).toBe(2 * rounds);
  expect(count(/^WITH change AS .* UPDATE "Match"/)).toBe(rounds);
  // Marks of other tasks are none of the stop's statements.
  const others = /^UPDATE (\S+\.)?"(Match|PlayerConnection)" SET (?!"(dueAt|isReplayed|replaysCheckedAt)" =)/;
  expect(statements.map(([text]) => text).filter((text) => others.test(text))).toEqual([]);
}, 900_000);

test('a node that is told to stop during its start finishes the start and stops cleanly', async () => {
  const keys = createServer();
  keys.listen(0, '127.0.0.1');
  await once(keys, 'listening');
  const { port } = keys.address() as AddressInfo;
  const { IDP_PUBLIC_KEY_URL = '' } = nodes.environment;
  const asked = once(keys, 'request');
  const own = { IDP_PUBLIC_KEY_URL: `http://127.0.0.1:${port}/keys`, LOG_LEVEL: 'info' };
  const started = spawnService({ ...nodes.environment, ...own });
  const [, response] = (await asked) as [unknown, ServerResponse];
  started.signal('SIGTERM');
  await started.said('"msg":"stopping"');
  response.end(await (await fetch(IDP_PUBLIC_KEY_URL)).text());
  keys.close();
  expect(await started.exited, started.output()).toBe(0);
  expect(started.output()).toContain('"msg":"stopped"');
});

test('a node stops cleanly while the database does not answer, and the next node stores the lost connections', async () => {
  const { prisma, url } = nodes.database;
  const [players, share] = [12, 4];
  const node = await nodes.start({ SHUTDOWN_SECONDS: '3' });
  await fill(node, players, share);
  const locks = new pg.Client({ connectionString: url });
  await locks.connect();
  await locks.query('BEGIN');
  await locks.query('LOCK TABLE "PlayerConnection", "QueueEntry" IN ACCESS EXCLUSIVE MODE');

  const code = await node.process.terminate();
  const output = node.process.output();
  expect(code, output).toBe(0);
  expect(output).toContain(
    '"msg":"the stop takes too long: open requests and database connections are closed now"',
  );
  expect(output).toContain('"msg":"lost connections could not be stored;');
  expect(output).not.toMatch(/"level":[56]0/);
  await locks.end();
  expect(await prisma.playerConnection.count()).toBe(players);

  await nodes.startHere();
  await expect.poll(() => prisma.playerConnection.count(), { timeout: 30_000 }).toBe(0);
  await expectAllStored(share);
}, 120_000);
