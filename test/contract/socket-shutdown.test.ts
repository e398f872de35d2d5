import { connect } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { LivePeer } from '../harness/live.ts';
import { startObservedService } from '../harness/observed-writes.ts';
import { startServiceProcess } from '../harness/process.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet } from '../harness/socket-player.ts';
import { knock } from './raw-socket.ts';

let service: TestService;
let queueGuid: string;
/** The service in this process seeds the database and steps aside for one that can be sent a signal. */
beforeAll(async () => {
  service = await startTestService({ environment: { DRAIN_DELAY_SECONDS: '2', SHUTDOWN_SECONDS: '5' } });
  ({ queueGuid } = await service.openQueue());
  await service.service.stop();
});
afterAll(() => service.stop());

test('a service told to stop first fails readiness and tells all players; matches go on meanwhile, and places are kept', async () => {
  const running = await startServiceProcess({ ...service.environment, LOG_LEVEL: 'error' });
  const [anna, bert, cara] = [
    await service.connect('Anna'),
    await service.connect('Bert'),
    await service.connect('Cara'),
  ];
  const matchGuid = await meet(anna, bert, queueGuid);
  const dora = await service.connect('Dora');
  const { queueEntry } = await dora.do('joinQueue', { queueGuid });
  // It stops cleanly although a client neither sends its request nor leaves.
  const { hostname, port } = new URL(service.url);
  const stuck = connect(Number(port), hostname);
  stuck.on('error', () => {});
  stuck.write('POST /matches HTTP/1.1\r\nHost: x\r\nContent-Le');
  await new Promise((resolve) => stuck.write('ngth: 10\r\n', resolve));

  // As Ctrl+C does; the signal of an orchestrator, SIGTERM, does the same.
  running.signal('SIGINT');
  for (const player of [anna, bert, cara]) await player.until(() => player.notices.length > 0, 'draining');
  const notices = [anna, bert, cara].map((player) => player.notices.at(-1));
  for (const notice of notices)
    expect(notice).toEqual({
      type: 'draining',
      message: expect.any(String),
      retryAfterMs: expect.any(Number),
    });
  const delays = notices.map((notice) => notice.retryAfterMs);
  for (const delay of delays) {
    expect(Number.isInteger(delay)).toBe(true);
    expect(delay).toBeGreaterThanOrEqual(500);
    expect(delay).toBeLessThanOrEqual(5000);
  }
  // Three random delays are equal once in twenty million times.
  expect(new Set(delays).size).toBeGreaterThan(1);
  const ready = await service.request(null, 'GET', '/health/ready');
  expect(ready.status).toBe(503);
  expect(ready.body).toMatchObject({ ok: false, checks: { accepting: { ok: false } } });
  expect((await service.request(null, 'GET', '/health')).status).toBe(200);
  expect((await service.request(null, 'GET', '/server/status')).body.status).toBe('draining');

  expect(await cara.refused('joinQueue', { queueGuid })).toBe('DRAINING');
  const token = await service.identityProvider.gameToken({ platformId: '7001', username: 'Dirk' });
  const refusal = await knock(service.url, { token, pluginVersion: '1.0.0' });
  expect(refusal).toEqual({
    message: 'DRAINING',
    data: { code: 'DRAINING', message: expect.any(String), retryAfterMs: expect.any(Number) },
  });
  expect(refusal?.data.retryAfterMs).toBeGreaterThanOrEqual(500);
  expect(refusal?.data.retryAfterMs).toBeLessThanOrEqual(5000);
  await expect(LivePeer.open(service.url, '1')).rejects.toMatchObject({ status: 503 });
  const { match } = await anna.do('discardMaps', { matchGuid, cardGuids: [] });
  expect(match.you.discarded).toBe(true);
  // Players of a match may come back until the end.
  bert.drop();
  const back = await service.connect('Bert');
  expect((await back.do('hello')).match.matchGuid).toBe(matchGuid);
  expect(back.notices).toEqual([expect.objectContaining({ type: 'draining' })]);
  expect(anna.notices).toHaveLength(1);

  expect(await running.exited).toBe(0);
  for (const player of [anna, back, cara]) {
    await player.until(() => !player.socket.connected, 'the end');
    // After `io server disconnect` a client would not come back by itself.
    expect(player.disconnectReason).toBe('transport close');
  }
  expect(running.output()).not.toMatch(/"level":[56]0/);

  const config = loadConfig(service.environment);
  const again = await startObservedService(config, { logger: pino({ level: config.logLevel }) });
  const anew = await service.connect('Anna');
  const hello = await anew.do('hello');
  expect(hello.match).toMatchObject({ matchGuid, status: 'awaiting_discards', you: { discarded: true } });
  expect(hello.penalty).toBeNull();
  await anew.do('forfeit', { matchGuid });
  const waiting = await service.connect('Dora');
  expect((await waiting.do('hello')).queueEntry.joinedAt).toBe(queueEntry.joinedAt);
  await again.stop();
});
