import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, type LocalPostgres, startLocalPostgres } from '../../src/local/postgres.ts';
import { ask } from '../harness/ask.ts';
import { type ServiceProcess, startServiceProcess } from '../harness/process.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { SocketPlayer } from '../harness/socket-player.ts';

/** A service whose PostgreSQL is really stopped, and started again. */

let world: TestService;
let folder: string;
let port: number;
let postgres: LocalPostgres;
let service: ServiceProcess;
let url: string;
beforeAll(async () => {
  world = await startTestService();
  folder = await mkdtemp(path.join(tmpdir(), 'matches-restart-'));
  port = await freePort();
  postgres = await startLocalPostgres({ folder, port });
  await postgres.ensureDatabase('matches');
  const listener = await freePort();
  url = `http://127.0.0.1:${listener}`;
  service = await startServiceProcess({
    ...world.environment,
    PORT: String(listener),
    BASE_URL: url,
    DATABASE_URL: postgres.urlOf('matches'),
    LOG_LEVEL: 'info',
  });
});
afterAll(async () => {
  await service?.kill();
  await postgres?.stop();
  await world?.stop();
  await rm(folder, { recursive: true, force: true });
});

const admin = () => world.identityProvider.accountToken('admin');
const asAdmin = async (method: string, where: string, body?: object) =>
  ask(`${url}${where}`, method, { token: await admin(), body });
const season = (name: string) => ({
  name,
  startsAt: new Date(Date.now() + 1000).toISOString(),
  endsAt: new Date(Date.now() + 3_600_000).toISOString(),
});
const connect = async (name: string) =>
  SocketPlayer.connect({
    url,
    name,
    token: await world.gameToken(name),
    pluginVersion: '1.0.0',
  });

test('while the database is stopped requests are refused with 503 and the log says so once; all works when it is back', async () => {
  const anna = await connect('Anna');
  await anna.do('hello');
  expect((await asAdmin('GET', '/audit-log')).status).toBe(200);
  await postgres.stop();

  for (const [method, where, body] of [
    ['GET', '/audit-log', undefined],
    ['GET', '/seasons?limit=7', undefined],
    ['GET', `/players/${crypto.randomUUID()}`, undefined],
    ['POST', '/seasons', season('Never')],
  ] as const) {
    const refused = await asAdmin(method, where, body);
    expect([refused.status, refused.body], where).toEqual([
      503,
      {
        error: {
          code: 'SERVICE_UNAVAILABLE',
          message: expect.stringMatching(/^This does not work just now/),
        },
      },
    ]);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(refused.headers.get('x-request-id')).toMatch(/\S/);
  }
  expect((await asAdmin('GET', '/health')).status).toBe(200);
  expect((await asAdmin('GET', '/health/ready')).status).toBe(503);

  expect(await anna.ask('joinQueue', { queueGuid: crypto.randomUUID() })).toEqual({
    ok: false,
    error: { code: 'SERVICE_UNAVAILABLE', message: expect.stringMatching(/^This does not work just now/) },
  });
  const refused = await connect('Bert').catch((error: unknown) => error);
  expect(refused).toMatchObject({
    message: 'SERVICE_UNAVAILABLE',
    data: {
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringMatching(/^This does not work just now/),
      retryAfterMs: expect.any(Number),
    },
  });
  anna.leave();

  postgres = await startLocalPostgres({ folder, port });
  await expect
    .poll(async () => (await asAdmin('GET', '/health/ready')).status, { timeout: 30_000 })
    .toBe(200);
  expect((await asAdmin('POST', '/seasons', season('Next'))).status).toBe(201);
  const cara = await connect('Cara');
  expect((await cara.do('hello')).player.username).toBe('Cara');
  cara.leave();

  const lines = () =>
    service
      .output()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  await expect
    .poll(() => lines().filter(({ msg }) => msg === 'the database works again').length, { timeout: 30_000 })
    .toBe(1);
  expect(lines().filter(({ msg }) => msg === 'the database is out of reach')).toEqual([
    expect.objectContaining({ level: 50, reason: expect.stringMatching(/\S/) }),
  ]);
  expect(lines().filter(({ err }) => err?.stack !== undefined)).toEqual([]);
});

test('after a fail-over that lost changes the service starts again, and remembers none of them', async () => {
  const [DAY, lost] = [86_400_000, 'Lost'];
  const starts = (): number => service.output().split('"msg":"listening"').length - 1;
  const before = starts();
  const times = { startsAt: new Date(Date.now() + DAY), endsAt: new Date(Date.now() + 2 * DAY) };
  expect((await asAdmin('POST', '/seasons', { name: lost, ...times })).status).toBe(201);
  const seasons = async (): Promise<string[]> =>
    (await ask(`${url}/seasons`, 'GET')).body.items.map(({ name }: { name: string }) => name);
  expect(await seasons()).toContain(lost);
  const anna = await connect('Anna');
  await anna.do('hello');
  // In the database alone: the cached response of the service is not invalidated.
  const client = new pg.Client({ connectionString: postgres.urlOf('matches') });
  await client.connect();
  await client.query('DELETE FROM "Season" WHERE name = $1', [lost]);
  await client.end();
  expect(await seasons(), 'cached').toContain(lost);

  await postgres.stop();
  // PostgreSQL begins a new timeline at the end of a recovery, as a promoted standby does.
  await writeFile(path.join(folder, 'recovery.signal'), '');
  postgres = await startLocalPostgres({ folder, port, settings: { restore_command: 'false' } });

  await service.said('"msg":"the database has another history than before');
  await expect.poll(() => seasons().catch(() => null), { timeout: 60_000 }).not.toContain(lost);
  expect(anna.disconnectReason).toBe('transport close');
  const bert = await connect('Bert');
  expect((await bert.do('hello')).player.username).toBe('Bert');
  bert.leave();
  await expect.poll(async () => (await asAdmin('GET', '/health/ready')).status).toBe(200);
  await expect.poll(starts).toBe(before + 1);
});

test('a service that is told to stop while the database is stopped stops cleanly', async () => {
  await postgres.stop();
  expect(await service.terminate()).toBe(0);
  expect(service.output()).toContain('"msg":"stopped"');
  expect(service.output()).not.toMatch(/^\s+at /m);
  postgres = await startLocalPostgres({ folder, port });
});
