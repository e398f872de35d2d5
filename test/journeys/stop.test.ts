import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { MatchState } from '../../src/domains/matches/state.ts';
import { startServiceProcess } from '../harness/process.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';

/**
 * A full node is stopped. With as many players as it is meant for:
 * `STOP_PLAYERS=5000 npx vitest run test/journeys/stop.test.ts`.
 */

const PLAYERS = Number(process.env.STOP_PLAYERS ?? 300);
/** A fifth of them plays, another fifth waits. */
const SHARE = Math.floor(PLAYERS / 10) * 2;
/** Of so many one does not answer the closing of its connection. */
const STUCK_EVERY = 10;
const CONNECTING_AT_ONCE = 50;
/** Matches whose losses are stored in one transaction. */
const MATCHES_AT_ONCE = 100;
const countStatements = fileURLToPath(new URL('../harness/count-statements.ts', import.meta.url));

let service: TestService;
let queueGuid: string;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'matches-stop-'));
  service = await startTestService({
    environment: { DRAIN_DELAY_SECONDS: '0.1', JOIN_SECONDS: '600', LOG_LEVEL: 'warn' },
  });
  ({ queueGuid } = await service.openQueue());
  await service.service.stop();
});
const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  service.service.stop = async () => undefined;
  await service.stop();
  await rm(folder, { recursive: true });
});

/** A connected player at the least cost: Socket.IO's packets by hand, from an address of its own. */
async function connect(nth: number): Promise<WebSocket> {
  const name = `S${nth}`;
  const auth = {
    token: await service.identityProvider.gameToken({ platformId: platformIdOf(name), username: name }),
    pluginVersion: '1.0.0',
  };
  const url = `${service.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`;
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    localAddress: `127.1.${nth >> 8}.${nth & 255}`,
  });
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      const packet = data.toString();
      if (packet.startsWith('0')) socket.send(`40${JSON.stringify(auth)}`);
      else if (packet === '2') socket.send('3');
      else if (packet.startsWith('44')) reject(new Error(packet));
      else if (packet.startsWith('40')) resolve();
    });
  });
  return socket;
}

/** Connects players; the first of them are put into matches, and as many of the others wait. */
async function fill(players: number, share: number): Promise<void> {
  const { prisma } = service.database;
  const connectTo = async (count: number): Promise<void> => {
    while (sockets.length < count) {
      const some = Math.min(CONNECTING_AT_ONCE, count - sockets.length);
      await Promise.all(Array.from({ length: some }, (_, at) => sockets.length + at).map(connect));
    }
    await expect.poll(() => prisma.playerConnection.count(), { timeout: 60_000 }).toBe(count);
  };
  await connectTo(share);
  for (const socket of sockets) socket.send(`42${JSON.stringify(['joinQueue', { queueGuid }])}`);
  const running = () => prisma.match.count({ where: { endedAt: null } });
  await expect.poll(running, { timeout: 120_000 }).toBe(share / 2);
  await connectTo(players);
  // A queue that does not pair, so that those who wait go on to wait.
  await prisma.queue.updateMany({ data: { status: 'draining' } });
  const seated = (await prisma.runningSeat.findMany()).map(({ playerGuid }) => playerGuid);
  const idle = await prisma.playerConnection.findMany({
    where: { playerGuid: { notIn: seated } },
    take: share,
  });
  await prisma.queueEntry.createMany({
    data: idle.map(({ playerGuid, pluginVersion }) => ({
      playerGuid,
      queueGuid,
      pluginVersion,
      joinedAt: new Date(),
      rating: 1000,
    })),
  });
}

/** Everybody's loss is stored, and costs nobody any of the budget. */
async function expectAllStored(share: number): Promise<void> {
  const { prisma } = service.database;
  expect(await prisma.playerConnection.count()).toBe(0);
  expect(await prisma.queueEntry.count({ where: { disconnectedAt: null } })).toBe(0);
  const matches = await prisma.match.findMany({ where: { endedAt: null } });
  const presences = matches.flatMap(({ state }) =>
    Object.values((state as unknown as MatchState).seats).map(({ presence }) => presence),
  );
  expect(presences).toHaveLength(share);
  for (const presence of presences) expect(presence).toMatchObject({ kind: 'away', free: true });
}

test('it stops cleanly, and stores in a few statements whom it takes down', async () => {
  const statementsFile = path.join(folder, 'statements.json');
  const node = await startServiceProcess({ ...service.environment, STATEMENTS_FILE: statementsFile }, [
    countStatements,
  ]);
  await fill(PLAYERS, SHARE);
  for (const [nth, socket] of sockets.entries()) if (nth % STUCK_EVERY === 0) socket.pause();

  const startedAt = performance.now();
  const code = await node.terminate();
  const seconds = (performance.now() - startedAt) / 1000;
  expect(code, node.output()).toBe(0);
  expect(node.output()).not.toContain('cut off');
  expect(node.output()).not.toMatch(/"level":[56]0/);
  await expectAllStored(SHARE);
  expect(await service.database.prisma.queueEntry.count()).toBe(SHARE);

  const statements: [string, number][] = JSON.parse(await readFile(statementsFile, 'utf8'));
  const count = (beginning: RegExp): number =>
    statements.reduce((sum, [text, times]) => (beginning.test(text) ? sum + times : sum), 0);
  if (process.env.STOP_PLAYERS !== undefined)
    process.stdout.write(`${PLAYERS} players: stopped in ${seconds.toFixed(1)} s\n`);
  // One transaction for each hundred matches; everybody who plays none goes with the first.
  const rounds = Math.max(1, Math.ceil(SHARE / 2 / MATCHES_AT_ONCE));
  expect(count(/^DELETE FROM (\S+\.)?"PlayerConnection"/)).toBe(rounds);
  expect(count(/^UPDATE (\S+\.)?"QueueEntry"/)).toBe(2 * rounds);
  expect(count(/^WITH change AS .* UPDATE "Match"/)).toBe(rounds);
  expect(count(/^UPDATE (\S+\.)?"(Match|PlayerConnection)" SET (?!"dueAt" =)/)).toBe(0);
}, 900_000);

test('a database that does not answer keeps it neither from stopping cleanly nor anybody from the loss', async () => {
  const { prisma, url } = service.database;
  const [players, share] = [12, 4];
  const node = await startServiceProcess({ ...service.environment, SHUTDOWN_SECONDS: '3' });
  await fill(players, share);
  const locks = new pg.Client({ connectionString: url });
  await locks.connect();
  await locks.query('BEGIN');
  await locks.query('LOCK TABLE "PlayerConnection", "QueueEntry" IN ACCESS EXCLUSIVE MODE');

  expect(await node.terminate(), node.output()).toBe(0);
  expect(node.output()).toContain('"msg":"what takes too long is cut off"');
  expect(node.output()).toContain('"msg":"lost connections could not be stored;');
  expect(node.output()).not.toMatch(/"level":[56]0/);
  await locks.end();
  expect(await prisma.playerConnection.count()).toBe(players);

  const next = await startServiceProcess(service.environment);
  await expect.poll(() => prisma.playerConnection.count(), { timeout: 30_000 }).toBe(0);
  await expectAllStored(share);
  await next.kill();
}, 120_000);
