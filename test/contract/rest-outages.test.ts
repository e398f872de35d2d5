import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';
import { type Service, startService } from '../../src/service.ts';
import { ask } from '../harness/ask.ts';
import { startFaultyProxy } from '../harness/faulty-proxy.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** The service while its dependencies are away. */

const read = (service: TestService, path: string, headers?: Record<string, string>) =>
  ask(`${service.url}${path}`, 'GET', { headers });

/** The service with these variables in this process. */
const startWith = (environment: Record<string, string>): Promise<Service> => {
  const config = loadConfig({ ...environment, LOG_LEVEL: 'silent' }, { production: true });
  return startService(config, { logger: createLogger(config) });
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

test('without the identity provider it starts with the stored keys, verifies tokens, and readiness shows it', async () => {
  const service = await startTestService();
  const token = await service.identityProvider.accountToken('admin');
  await service.stopService();
  service.identityProvider.fail('down');
  const again = await startWith(service.environment);
  const { body } = await read(service, '/health/ready');
  expect(body.checks.identityProvider.ok).toBe(true);
  expect(body.checks.identityProvider.message).toMatch(/\S/);
  expect((await read(service, '/auth/me', { authorization: `Bearer ${token}` })).status).toBe(200);
  await again.stop();
  await service.stop();
});

test('requests to a database that falls silent are answered with 503 within thirty seconds', async () => {
  const service = await startTestService();
  await service.stopService();
  const proxy = await startFaultyProxy(service.environment.DATABASE_URL as string);
  const started = await startWith({ ...service.environment, DATABASE_URL: proxy.url });
  const headers = { authorization: `Bearer ${await service.identityProvider.accountToken('admin')}` };
  // Covers both cases: a pooled connection falls silent, and a new one cannot be made.
  await Promise.all(Array.from({ length: 3 }, () => read(service, '/audit-log', headers)));
  proxy.stall();
  const askedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 5 }, () => read(service, '/audit-log', headers)));
  const seconds = (performance.now() - askedAt) / 1000;
  for (const { status, body, headers } of answers) {
    expect(status).toBe(503);
    expect(body.error.code).toBe('SERVICE_UNAVAILABLE');
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }
  // The time-out is ten seconds; a busy machine needs more.
  expect(seconds).toBeLessThan(30);
  proxy.resume();
  await expect
    .poll(async () => (await read(service, '/audit-log', headers)).status, { timeout: 30_000 })
    .toBe(200);
  await started.stop();
  await proxy.stop();
  await service.stop();
});
