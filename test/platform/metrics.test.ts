import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { socketContract } from '../../src/contract.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays } from '../harness/socket-player.ts';
import { createBrowser } from '../local/browser.ts';
import { playRound, publish } from '../replays/round.ts';

const METRICS_TOKEN = randomBytes(24).toString('hex');
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ environment: { METRICS_TOKEN } });
});
afterAll(() => service.stop());

const ask = (authorization?: string) =>
  fetch(`${service.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } });
const numbers = async (): Promise<Map<string, number>> => {
  const text = await (await ask(`Bearer ${METRICS_TOKEN}`)).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
};

describe('the numbers of the service', () => {
  test('need the token; without it the address does not exist', async () => {
    const answer = await ask(`Bearer ${METRICS_TOKEN}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const player = await service.identityProvider.accountToken('admin');
    for (const wrong of [undefined, '', METRICS_TOKEN, `Bearer ${METRICS_TOKEN}x`, `Bearer ${player}`]) {
      const refused = await ask(wrong);
      expect(refused.status, wrong).toBe(404);
      expect(((await refused.json()) as { error: { code: string } }).error.code).toBe('NOT_FOUND');
    }
    const { paths } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(paths)).not.toContain('/metrics');
  });

  test('count requests by route and kind of answer, never by address', async () => {
    for (let times = 0; times < 3; times++) await fetch(`${service.url}/players/${crypto.randomUUID()}`);
    await fetch(`${service.url}/nothing/${crypto.randomUUID()}`);
    const found = await numbers();
    const count = (route: string, status: string) =>
      found.get(`http_request_duration_seconds_count{method="GET",route="${route}",status="${status}"}`);
    expect(count('/players/:playerGuid', '4xx')).toBe(3);
    expect(count('unknown', '4xx')).toBeGreaterThan(0);
    expect([...found.keys()].filter((name) => name.includes('/nothing'))).toEqual([]);
  });

  test('count internal errors from 0 on, for each command and each route', async () => {
    const found = await numbers();
    for (const event of Object.keys(socketContract.toServer))
      expect(
        found.get(`socket_command_duration_seconds_count{event="${event}",outcome="INTERNAL_ERROR"}`),
        event,
      ).toBe(0);
    for (const [method, route] of [
      ['POST', '/seasons'],
      ['GET', '/'],
      ['PUT', '/internal/plugin-releases/:gameVersion'],
    ])
      expect(
        found.get(`http_refusals_total{method="${method}",route="${route}",code="INTERNAL_ERROR"}`),
        route,
      ).toBe(0);
  });

  test('count what players do', async () => {
    const { queueGuid } = await service.openQueue();
    const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    const matchGuid = await meet(anna, bert, queueGuid);
    await anna.refused('joinQueue', { queueGuid });
    await anna.refused('made up');
    const found = await numbers();
    expect(found.get('socket_connections')).toBe(2);
    expect(found.get('matches_running')).toBe(1);
    expect(found.get('players_waiting')).toBe(0);
    expect(found.get('pairing_wait_seconds_count')).toBe(2);
    const commands = (event: string, outcome: string) =>
      found.get(`socket_command_duration_seconds_count{event="${event}",outcome="${outcome}"}`);
    expect(commands('joinQueue', 'ok')).toBe(2);
    expect(commands('joinQueue', 'ALREADY_IN_MATCH')).toBe(1);
    expect(commands('unknown', 'UNKNOWN_EVENT')).toBe(1);
    expect(found.get('database_connections')).toBeGreaterThan(0);
    expect(found.get('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0);
    await partWays(anna, bert, matchGuid);
    expect((await numbers()).get('matches_running')).toBe(0);
  });

  test('count refusals by code', async () => {
    const season = { name: '', startsAt: 'tomorrow', endsAt: 'never' };
    await service.request('admin', 'POST', '/seasons', season);
    await service.request(null, 'POST', '/seasons', season);
    const upload = `/internal/plugin-releases/${crypto.randomUUID()}`;
    for (let times = 0; times < 2; times++) await service.request(null, 'PUT', upload);
    const found = await numbers();
    const refused = (method: string, route: string, code: string) =>
      found.get(`http_refusals_total{method="${method}",route="${route}",code="${code}"}`);
    expect(refused('POST', '/seasons', 'VALIDATION_FAILED')).toBe(1);
    expect(refused('POST', '/seasons', 'UNAUTHENTICATED')).toBe(1);
    expect(refused('PUT', '/internal/plugin-releases/:gameVersion', 'UPLOAD_DISABLED')).toBe(2);
  });

  test('count logins by how they ended', async () => {
    const ended = async (outcome: string) => (await numbers()).get(`logins_total{outcome="${outcome}"}`);
    const logIn = async (button: Record<string, string>) => {
      const browser = createBrowser();
      const { url } = await browser.open(`${service.url}/auth/login`);
      await browser.open(url, undefined, { method: 'POST', body: new URLSearchParams(button) });
    };
    await logIn({ account: 'player-one' });
    await logIn({ account: 'player-two' });
    await logIn({ decision: 'deny' });
    await fetch(`${service.url}/auth/callback?state=made-up&code=made-up`);
    expect([await ended('ok'), await ended('access_denied'), await ended('LOGIN_FAILED')]).toEqual([2, 1, 1]);
  });

  test('count replays by verdict', async () => {
    const { queueGuid } = await service.openQueue();
    const round = await playRound(service, queueGuid);
    const [a, b] = round.players;
    expect((await publish(service, round, a, a.play.replay)).status).toBe(201);
    expect((await publish(service, round, a, a.play.replay)).status).toBe(200);
    expect((await publish(service, round, b, a.play.replay)).body.verdict).toBe('mismatch');
    await round.finish();
    const found = await numbers();
    const judged = (verdict: string) => found.get(`replays_published_total{verdict="${verdict}"}`);
    expect([judged('verified'), judged('mismatch')]).toEqual([1, 1]);
  });
});

test('without a configured token nobody gets the metrics', async () => {
  const bare = await startTestService();
  for (const authorization of ['Bearer undefined', 'Bearer ', 'Bearer null'])
    expect((await fetch(`${bare.url}/metrics`, { headers: { authorization } })).status).toBe(404);
  await bare.stop();
});

test('a number that cannot be read is left out, and the others are there', async () => {
  const metrics = createMetrics();
  metrics.gauge('broken', 'Fails', () => Promise.reject(new Error('down')));
  metrics.gauge('whole', 'Works', () => 7);
  const text = await metrics.text();
  expect(text).toContain('\nwhole 7\n');
  expect(text).not.toMatch(/^broken \d/m);
});

test('the process keeps nothing of a service whose metrics are no longer used', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const usedService = (): WeakRef<object> => {
    const owner = { players: 3 };
    createMetrics().gauge('players', 'Of a service', () => owner.players);
    return new WeakRef(owner);
  };
  const kept = usedService();
  await expect
    .poll(() => {
      collectGarbage();
      return kept.deref() !== undefined;
    })
    .toBe(false);
});

test('a time counts in its bucket and in all above', async () => {
  const metrics = createMetrics();
  for (const milliseconds of [0.5, 1, 1.1, 30, 60_000]) metrics.command('hello', 'ok', milliseconds);
  metrics.command('hello', 'RATE_LIMITED', 1);
  const text = await metrics.text();
  const bucket = (le: string) =>
    Number(
      new RegExp(`_bucket\\{le="${le.replace(/\W/g, '\\$&')}",event="hello",outcome="ok"\\} (\\d+)`).exec(
        text,
      )?.[1],
    );
  expect(['0.001', '0.0025', '0.025', '0.05', '10', '+Inf'].map(bucket)).toEqual([2, 3, 3, 4, 4, 5]);
  expect(text).toContain('# TYPE socket_command_duration_seconds histogram');
  expect(text).toContain('socket_command_duration_seconds_count{event="hello",outcome="ok"} 5');
  expect(text).toMatch(/_sum\{event="hello",outcome="ok"\} 60\.03\d*/);
});
