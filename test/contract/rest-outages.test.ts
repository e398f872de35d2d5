import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { freePort } from '../../src/local/postgres.ts';
import { cloneDatabase } from '../harness/database.ts';
import { startFaultyProxy } from '../harness/faulty-proxy.ts';
import { spawnService, startServiceProcess } from '../harness/process.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** The service while its dependencies are away. */

const read = async (service: TestService, path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${service.url}${path}`, { headers });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
};

describe('while the database is down', () => {
  let service: TestService;
  let token: string;
  /** Closes the database for new connections, or opens it again. */
  const allowConnections = async (allowed: boolean): Promise<void> => {
    const admin = new pg.Client({ connectionString: inject('postgresAdminUrl') });
    await admin.connect();
    const name = new URL(service.database.url).pathname.slice(1);
    await admin.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${allowed}`);
    if (!allowed)
      await admin.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [
        name,
      ]);
    await admin.end();
  };

  beforeAll(async () => {
    service = await startTestService({ environment: { LOG_LEVEL: 'silent' } });
    token = await service.identityProvider.accountToken('admin');
    await read(service, '/auth/me', { authorization: `Bearer ${token}` });
    await allowConnections(false);
  });
  afterAll(async () => {
    await allowConnections(true);
    await service.stop();
  });

  test('health answers with and without credentials', async () => {
    const asked: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${token}` },
      { authorization: 'Bearer bad' },
    ];
    for (const headers of asked) {
      const { status, body } = await read(service, '/health', headers);
      expect([status, Object.keys(body), body.ok]).toEqual([200, ['ok', 'time'], true]);
    }
  });

  test('readiness fails and names the database without its address', async () => {
    const { status, headers, body } = await read(service, '/health/ready');
    expect(status).toBe(503);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(body)).toEqual(['ok', 'time', 'checks']);
    expect(body.ok).toBe(false);
    expect(body.checks.database.ok).toBe(false);
    expect(body.checks.identityProvider.ok).toBe(true);
    expect(JSON.stringify(body)).not.toMatch(/postgres|127\.0\.0\.1|matches_test/i);
  });

  test('every other request is refused with 503 and the time to wait', async () => {
    for (const [path, authorization] of [
      ['/pools', undefined],
      ['/maps/playlist', undefined],
      ['/audit-log', `Bearer ${token}`],
    ] as const) {
      const { status, headers, body } = await read(service, path, {
        ...(authorization && { authorization }),
      });
      expect(status).toBe(503);
      expect(body).toEqual({ error: { code: 'SERVICE_UNAVAILABLE', message: expect.any(String) } });
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(headers.get('x-request-id')).toMatch(/\S/);
      expect(JSON.stringify(body)).not.toMatch(/postgres|prisma|sql|connect|matches_test/i);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('etag')).toBeNull();
    }
  });

  test('the service is ready again as soon as the database is back', async () => {
    await allowConnections(true);
    await expect.poll(async () => (await read(service, '/health/ready')).status).toBe(200);
    expect((await read(service, '/pools')).status).toBe(200);
    await allowConnections(false);
  });
});

describe('in maintenance', () => {
  test('the status shows it, and reads work', async () => {
    const service = await startTestService({ environment: { MAINTENANCE: 'true', PLUGIN_VERSIONS: '' } });
    expect((await read(service, '/server/status')).body).toEqual({
      online: true,
      status: 'maintenance',
      allowedGameVersions: [],
      acceptedPluginVersions: [],
      servedPluginVersion: null,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    for (const path of ['/health/ready', '/pools']) expect((await read(service, path)).status).toBe(200);
    await service.stop();
  });
});

describe('a start without the identity provider', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  test('fails with a clear line when no keys are stored', async () => {
    const empty = await cloneDatabase();
    service.identityProvider.fail('down');
    const port = await freePort();
    const started = spawnService({
      ...service.environment,
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: empty.url,
    });
    expect(await started.exited).toBe(1);
    expect(started.output()).toContain('IDP_PUBLIC_KEY_URL');
    expect(started.output()).not.toContain(service.environment.SESSION_SECRET);
    expect(started.output()).not.toContain(service.environment.OAUTH_CLIENT_SECRET);
    service.identityProvider.fail(null);
    await empty.drop();
  });

  test('succeeds with the stored keys, verifies tokens, and readiness shows it', async () => {
    const token = await service.identityProvider.accountToken('admin');
    service.identityProvider.fail('down');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const started = await startServiceProcess({ ...service.environment, PORT: String(port), BASE_URL: url });
    const ready = (await (await fetch(`${url}/health/ready`)).json()) as any;
    expect(ready.checks.identityProvider.ok).toBe(true);
    expect(ready.checks.identityProvider.message).toMatch(/\S/);
    const me = await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${token}` } });
    expect(me.status).toBe(200);
    service.identityProvider.fail(null);
    expect(await started.terminate()).toBe(0);
  });
});

test('requests to a silent database are answered with 503 after ten seconds', async () => {
  const service = await startTestService();
  const proxy = await startFaultyProxy(service.environment.DATABASE_URL as string);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const started = await startServiceProcess({
    ...service.environment,
    PORT: String(port),
    BASE_URL: url,
    DATABASE_URL: proxy.url,
    SHUTDOWN_SECONDS: '1',
  });
  const headers = { authorization: `Bearer ${await service.identityProvider.accountToken('admin')}` };
  // Covers both cases: a pooled connection falls silent, and a new one cannot be made.
  await Promise.all(Array.from({ length: 3 }, () => fetch(`${url}/audit-log`, { headers })));
  proxy.stall();
  const askedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 5 }, () => fetch(`${url}/audit-log`, { headers })));
  const seconds = (performance.now() - askedAt) / 1000;
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(((await answer.json()) as any).error.code).toBe('SERVICE_UNAVAILABLE');
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }
  // Before: forty seconds.
  expect(seconds).toBeLessThan(30);
  proxy.resume();
  await expect
    .poll(async () => (await fetch(`${url}/audit-log`, { headers })).status, { timeout: 30_000 })
    .toBe(200);
  started.kill();
  await proxy.stop();
  await service.stop();
});
