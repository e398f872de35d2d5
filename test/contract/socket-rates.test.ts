import { afterAll, beforeAll, expect, test } from 'vitest';
import { manualClock } from '../harness/clock.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { knock, openRaw } from './raw-socket.ts';

const clock = manualClock(Date.now());
const METRICS_TOKEN = 'a-secret-of-whoever-watches-handshakes';
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock, environment: { RATE_LIMIT_FACTOR: '1', METRICS_TOKEN } });
});
afterAll(() => service.stop());

const MINUTE_MS = 60_000;
const authOf = async (name: string) => ({
  token: await service.gameToken(name),
  pluginVersion: '1.0.0',
});

test('a player has 40 commands at once and 20 a second, over all connections', async () => {
  const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
  const burst = async (player: typeof anna, count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => player.ask('leaveQueue')));
    const refused = answers.filter((answer) => !answer.ok);
    for (const answer of refused)
      expect(answer).toEqual({ ok: false, error: { code: 'RATE_LIMITED', message: expect.any(String) } });
    return count - refused.length;
  };
  expect(await burst(anna, 60)).toBe(40);
  const newer = await service.connect('Anna');
  expect(await burst(newer, 1)).toBe(0);
  expect(await burst(bert, 1)).toBe(1);
  // The next one comes 50 ms after the last: no refusal says to wait 0.0 s.
  clock.advance(30);
  expect(await newer.ask('leaveQueue')).toMatchObject({
    error: { message: 'Too many requests. Try again in 0.1 s.' },
  });
  clock.advance(1000);
  expect(await burst(newer, 30)).toBe(20);
  clock.advance(10_000);
  expect(await burst(newer, 60)).toBe(40);
  // Unknown events count as well.
  expect((await newer.ask('dance')).ok ? '' : 'refused').toBe('refused');
  expect(await newer.refused('dance')).toBe('RATE_LIMITED');
  clock.advance(MINUTE_MS);
});

test('a command beyond the rate is refused at once and does not wait for running ones', async () => {
  const finn = await service.connect('Finn');
  const { playerGuid } = (await finn.do('hello')).player;
  const held = await service.database.pool.connect();
  try {
    await held.query('BEGIN');
    await held.query('SELECT 1 FROM "Player" WHERE "playerGuid" = $1 FOR UPDATE', [playerGuid]);
    let joined = false;
    const joining = finn.ask('joinQueue', { queueGuid: playerGuid }).then(() => (joined = true));
    const rest = Array.from({ length: 60 }, () => finn.ask('leaveQueue').then((one) => !one.ok));
    // 40 at once, of which hello and joinQueue are two.
    await Promise.all(rest.slice(38));
    expect(joined).toBe(false);
    await held.query('ROLLBACK');
    await joining;
    expect((await Promise.all(rest)).filter(Boolean)).toHaveLength(22);
  } finally {
    held.release(true);
  }
  clock.advance(MINUTE_MS);
});

test('at most 40 commands of a player wait while one is carried out slowly', async () => {
  const greta = await service.connect('Greta');
  const { playerGuid } = (await greta.do('hello')).player;
  const held = await service.database.pool.connect();
  try {
    await held.query('BEGIN');
    await held.query('SELECT 1 FROM "Player" WHERE "playerGuid" = $1 FOR UPDATE', [playerGuid]);
    const joining = greta.ask('joinQueue', { queueGuid: playerGuid });
    const waiting = Array.from({ length: 37 }, () => greta.ask('leaveQueue'));
    // The last of 40 at once: it is answered without waiting, and everything before it has arrived.
    expect(await greta.refused('dance')).toBe('UNKNOWN_EVENT');
    clock.advance(MINUTE_MS);
    const more = Array.from({ length: 10 }, () => greta.ask('leaveQueue'));
    // 37 wait already, behind the one that is carried out.
    const refused = await Promise.all(more.slice(3));
    for (const answer of refused)
      expect(answer).toMatchObject({ ok: false, error: { code: 'RATE_LIMITED' } });
    await held.query('ROLLBACK');
    const done = await Promise.all([...waiting, ...more.slice(0, 3)]);
    expect(done.filter(({ ok }) => !ok)).toEqual([]);
    await joining;
  } finally {
    held.release(true);
  }
  clock.advance(MINUTE_MS);
});

test('a player has 10 handshakes a minute', async () => {
  const auth = await authOf('Cara');
  for (let times = 1; times <= 10; times++) expect(await knock(service.url, auth)).toBeNull();
  const refusal = await knock(service.url, auth);
  expect(refusal).toEqual({
    message: 'RATE_LIMITED',
    data: { code: 'RATE_LIMITED', message: expect.stringMatching(/60\.0 s/), retryAfterMs: MINUTE_MS },
  });
  expect(await knock(service.url, await authOf('Dirk'))).toBeNull();
  clock.advance(MINUTE_MS);
  expect(await knock(service.url, auth)).toBeNull();
  clock.advance(MINUTE_MS);
});

test('an address gets 60 refusals with a reason a minute; good tokens pass, and failures of the service do not count', async () => {
  const emil = await authOf('Emil');
  for (let times = 1; times <= 60; times++) {
    expect((await knock(service.url, {}))?.data).toMatchObject({ code: 'TOKEN_MISSING', retryAfterMs: null });
    // Admitted players do not count either.
    if (times % 10 === 0) expect(await knock(service.url, emil)).toBeNull();
  }
  clock.advance(20_000);
  const refusal = await knock(service.url, {});
  expect(refusal?.data).toEqual({
    code: 'RATE_LIMITED',
    message: expect.any(String),
    retryAfterMs: MINUTE_MS - 20_000,
  });
  expect(refusal?.message).toBe('RATE_LIMITED');
  expect((await knock(service.url, { token: 'nonsense' }))?.message).toBe('RATE_LIMITED');
  expect(await knock(service.url, emil)).toBeNull();
  // Probes are never limited.
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  clock.advance(MINUTE_MS - 20_000);
  expect((await knock(service.url, {}))?.message).toBe('TOKEN_MISSING');
  clock.advance(MINUTE_MS);
});

test('an address has 600 handshakes a minute, with good tokens or without', async () => {
  const fred = await authOf('Fred');
  const attempts = async (count: number, auth: object) =>
    (await Promise.all(Array.from({ length: count }, () => knock(service.url, auth)))).map(
      (refusal) => refusal?.message ?? 'ok',
    );
  expect(await attempts(1, fred)).toEqual(['ok']);
  for (let rounds = 0; rounds < 6; rounds++)
    expect(new Set(await attempts(99, {}))).toContain(rounds === 0 ? 'TOKEN_MISSING' : 'RATE_LIMITED');
  // 595 so far.
  expect(await attempts(5, fred)).toEqual(Array(5).fill('ok'));
  expect(await attempts(1, fred)).toEqual(['RATE_LIMITED']);
  clock.advance(MINUTE_MS);
  expect(await attempts(1, fred)).toEqual(['ok']);
  clock.advance(MINUTE_MS);
});

test('operators see the outcomes of handshakes', async () => {
  const elsewhere = await fetch(`${service.url}/socket.io/?EIO=4&transport=polling&sid=of-another-node`);
  expect(await elsewhere.text()).toContain('Session ID unknown.');
  const answer = await fetch(`${service.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const counts = new Map(
    [...(await answer.text()).matchAll(/^socket_handshakes_total\{outcome="(\w+)"\} (\d+)$/gm)].map(
      ([, outcome = '', count]) => [outcome, Number(count)],
    ),
  );
  for (const outcome of ['ok', 'TOKEN_MISSING', 'RATE_LIMITED', 'UNKNOWN_SESSION'])
    expect(counts.get(outcome), outcome).toBeGreaterThan(0);
});

test('an address has at most 256 pending handshakes, and players beside them', async () => {
  const anna = await service.connect('Anna');
  const strangers = await Promise.all(Array.from({ length: 256 }, () => openRaw(service.url)));
  const opening = () => fetch(`${service.url}/socket.io/?EIO=4&transport=polling`);
  expect((await opening()).status).toBe(403);
  await anna.do('hello');
  strangers[0]?.close();
  await expect.poll(async () => (await opening()).status).toBe(200);
  for (const stranger of strangers) stranger.close();
});

test('with limits switched off any number may connect at once', async () => {
  const open = await startTestService({ environment: { RATE_LIMIT_FACTOR: '0' } });
  const strangers = await Promise.all(Array.from({ length: 300 }, () => openRaw(open.url)));
  expect((await fetch(`${open.url}/socket.io/?EIO=4&transport=polling`)).status).toBe(200);
  for (const stranger of strangers) stranger.close();
  await open.stop();
});
