import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/local/postgres.ts';
import { createLogger } from '../../src/logger.ts';
import { type ServiceProcess, startServiceProcess } from '../harness/process.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { knock, openRaw } from './raw-socket.ts';

describe('the log at the most detailed level', () => {
  let world: TestService;
  let started: ServiceProcess;
  let url: string;
  const DEPLOY_SECRET = randomBytes(24).toString('hex');
  const METRICS_TOKEN = randomBytes(24).toString('hex');
  const REDIS_PASSWORD = randomBytes(12).toString('hex');
  beforeAll(async () => {
    world = await startTestService();
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    started = await startServiceProcess({
      ...world.environment,
      PORT: String(port),
      BASE_URL: url,
      LOG_LEVEL: 'trace',
      DEPLOY_SECRET,
      METRICS_TOKEN,
      REDIS_URL: `redis://user:${REDIS_PASSWORD}@127.0.0.1:1`,
    });
  });
  afterAll(async () => {
    await started?.kill();
    await world?.stop();
  });

  const lines = (): any[] =>
    started
      .output()
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));

  test('has no credentials', async () => {
    const secret = (name: string) => `${name}-${randomBytes(12).toString('hex')}`;
    const [cookie, query, password] = [secret('cookie'), secret('query'), secret('password')];
    const person = await world.identityProvider.accountToken('admin');
    const game = await world.gameToken('Anna');
    const ask = async (path: string, options: RequestInit = {}) => {
      const answer = await fetch(`${url}${path}`, { redirect: 'manual', ...options });
      await answer.arrayBuffer();
    };
    for (const authorization of [
      `Bearer ${person}`,
      `Bearer ${person}x`,
      `Basic ${password}`,
      `Bearer ${METRICS_TOKEN}`,
    ]) {
      await ask('/auth/me', { headers: { authorization } });
      await ask('/pools', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: `{"${query}`,
      });
      await ask('/metrics', { headers: { authorization } });
    }
    await ask('/auth/me', { headers: { cookie: `session=${cookie}; __Host-session=${cookie}` } });
    await ask(`/auth/callback?code=${query}&state=${query}`, { headers: { cookie: `login=${cookie}` } });
    await ask(`/pools?access_token=${query}`);
    await ask('/internal/plugin-releases/1.40.8', {
      method: 'PUT',
      headers: { authorization: `Bearer ${DEPLOY_SECRET}` },
      body: 'x',
    });
    const raw = await openRaw(url);
    raw.send(`40${JSON.stringify({ token: game, pluginVersion: '1.0.0' })}`);
    await raw.frame('40');
    raw.send('420["hello",{}]');
    await raw.frame('430');
    raw.close();
    await knock(url, { token: `${game}x`, pluginVersion: '1.0.0' });
    await expect
      .poll(() => lines().filter(({ msg }) => msg === 'request completed').length)
      .toBeGreaterThan(10);

    const output = started.output();
    const { DATABASE_URL = '', OAUTH_CLIENT_SECRET = '', SESSION_SECRET = '' } = world.environment;
    const hidden = { person, game, cookie, query, password, DEPLOY_SECRET, METRICS_TOKEN, REDIS_PASSWORD };
    const configured = { OAUTH_CLIENT_SECRET, SESSION_SECRET, database: new URL(DATABASE_URL).password };
    for (const [name, value] of Object.entries({ ...hidden, ...configured }))
      if (value !== '') expect(output.includes(value), name).toBe(false);
    expect(output).not.toContain(person.split('.')[2]);
    // The requests were logged, so there was something to search.
    expect(output).toContain('/auth/callback');
  });

  test('has a line for every refusal and write, and for one in a hundred public reads', async () => {
    const before = lines().length;
    for (let times = 0; times < 150; times++)
      await (await fetch(`${url}/seasons?limit=${(times % 100) + 1}`)).arrayBuffer();
    for (let times = 0; times < 5; times++) await (await fetch(`${url}/seasons?limit=0`)).arrayBuffer();
    for (let times = 0; times < 5; times++)
      await (await fetch(`${url}/seasons`, { method: 'POST' })).arrayBuffer();
    const since = () =>
      lines()
        .slice(before)
        .filter(({ req }) => req?.path === '/seasons');
    const count = (status: number) => since().filter(({ res }) => res?.statusCode === status).length;
    await expect.poll(() => count(401)).toBe(5);
    expect(count(400)).toBe(5);
    expect(count(200)).toBeGreaterThanOrEqual(1);
    expect(count(200)).toBeLessThanOrEqual(3);
    expect(since().find(({ res }) => res?.statusCode === 200).oneOf).toBe(100);
    expect(since()[0].req).toEqual({
      method: expect.any(String),
      path: '/seasons',
      remoteAddress: '127.0.0.1',
    });
  });
});

test('credentials in errors of libraries are removed', () => {
  const lines: string[] = [];
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) });
  const error = Object.assign(
    new Error('could not connect to postgresql://matches:pass%40word@db:5432/matches'),
    {
      headers: { authorization: 'Bearer hidden-1', 'set-cookie': 'hidden-2' },
      password: 'hidden-3',
    },
  );
  logger.error(
    { err: error, authorization: 'hidden-4', headers: { cookie: 'hidden-5' } },
    'failed with eyJhbGciOi.hidden-6.hidden-7',
  );
  const written = lines.join('');
  expect(written).not.toMatch(/hidden|pass%40word/);
  expect(written).toContain('postgresql://[redacted]@db:5432/matches');
});
