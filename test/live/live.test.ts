import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { LivePeer, LiveRefusal } from '../harness/live.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { meet } from '../harness/socket-player.ts';

const METRICS_TOKEN = 'a-secret-of-the-operator-who-counts';

let service: TestService;
let queueGuid: string;
const peers: LivePeer[] = [];

beforeAll(async () => {
  service = await startTestService({
    environment: { RATE_LIMIT_FACTOR: '1', TRUST_PROXY: '1', DISCARD_SECONDS: '3600', METRICS_TOKEN },
  });
  ({ queueGuid } = await service.openQueue());
});
afterAll(() => service.stop());
afterEach(() => {
  for (const peer of peers.splice(0)) peer.leave();
});

let addresses = 0;
/** Every peer from an address of its own, unless a test says otherwise. */
const someAddress = (): string => `192.0.2.${(addresses++ % 250) + 1}`;

const enter = async (
  platformId: string,
  headers: Record<string, string> = {},
  url = service.url,
): Promise<LivePeer> => {
  const peer = await LivePeer.open(url, platformId, { 'x-forwarded-for': someAddress(), ...headers });
  peers.push(peer);
  return peer;
};
const refusal = async (platformId: string, headers: Record<string, string> = {}): Promise<string> => {
  const error = await enter(platformId, headers).then(
    () => new Error('It was let in.'),
    (refused: unknown) => refused,
  );
  if (!(error instanceof LiveRefusal)) throw error;
  expect(error.headers['x-request-id']).toBeDefined();
  expect(error.headers['x-content-type-options']).toBe('nosniff');
  return `${error.status} ${error.code}`;
};
const credentials = async (name: string, token?: string): Promise<Record<string, string>> => ({
  authorization: `Bearer ${token ?? (await service.identityProvider.gameToken({ platformId: platformIdOf(name), username: name }))}`,
  'x-service-plugin-version': '1.0.0',
});
/** Brings two players into a match. */
const begin = async (one: string, other: string): Promise<string> =>
  meet(await service.connect(one), await service.connect(other), queueGuid);
const abort = (matchGuid: string) =>
  service.request('admin', 'POST', `/matches/${matchGuid}/abort`, { reason: 'Test' });
const watch = (name: string) => enter(platformIdOf(name));
const publish = async (name: string) => enter(platformIdOf(name), await credentials(name));

describe('a live channel', () => {
  let matchGuid: string;

  beforeAll(async () => {
    matchGuid = await begin('Anna', 'Bert');
  });

  test('sends frames unchanged to spectators who wait and to those who join later', async () => {
    const early = await watch('Anna');
    const publisher = await publish('Anna');
    const another = await watch('Anna');
    const frames = [0, 1, 125, 126, 65_535, 65_536, 256 * 1024].map((size) => Buffer.alloc(size, size % 251));
    for (const frame of frames) publisher.socket.send(frame);
    for (const spectator of [early, another]) {
      await spectator.until(() => spectator.frames.length === frames.length, 'all frames');
      expect(spectator.frames.every((frame, at) => frame.equals(frames[at] as Buffer))).toBe(true);
    }
    expect(publisher.frames).toEqual([]);
  });

  test('sends a late spectator the first frame of the stream first', async () => {
    const [first, publisher] = [await watch('Anna'), await publish('Anna')];
    for (const text of ['opening', 'two', 'three']) publisher.socket.send(Buffer.from(text));
    await first.texts(3);
    const late = await watch('Anna');
    expect(await late.texts(1)).toEqual(['opening']);
    publisher.socket.send(Buffer.from('four'));
    expect(await late.texts(2)).toEqual(['opening', 'four']);
    expect(await first.texts(4)).toEqual(['opening', 'two', 'three', 'four']);
  });

  test('ignores text frames and frames of spectators', async () => {
    const [spectator, publisher] = [await watch('Anna'), await publish('Anna')];
    spectator.socket.send(Buffer.from('noise'));
    publisher.socket.send('text');
    publisher.socket.send(Buffer.from('binary'));
    expect(await spectator.texts(1)).toEqual(['binary']);
    expect(publisher.frames).toEqual([]);
  });

  test('keeps its spectators when the publisher leaves, and starts again with the next one', async () => {
    const [spectator, publisher] = [await watch('Anna'), await publish('Anna')];
    publisher.socket.send(Buffer.from('old opening'));
    await spectator.texts(1);
    publisher.socket.close();
    await publisher.closeCode();
    const between = await watch('Anna');
    const next = await publish('Anna');
    next.socket.send(Buffer.from('new opening'));
    expect(await spectator.texts(2)).toEqual(['old opening', 'new opening']);
    expect(await between.texts(1)).toEqual(['new opening']);
  });

  test('belongs to the newest publisher', async () => {
    const [spectator, first] = [await watch('Anna'), await publish('Anna')];
    first.socket.send(Buffer.from('first'));
    await spectator.texts(1);
    const second = await publish('Anna');
    expect(await first.closeCode()).toBe(4000);
    second.socket.send(Buffer.from('second'));
    expect(await spectator.texts(2)).toEqual(['first', 'second']);
    expect(await (await watch('Anna')).texts(1)).toEqual(['second']);
  });

  test('ends with the match', async () => {
    const matchGuid = await begin('Dora', 'Emil');
    const [spectator, publisher] = [await watch('Dora'), await publish('Dora')];
    await abort(matchGuid);
    expect(await publisher.closeCode()).toBe(4001);
    expect(spectator.closed).toBeNull();
    expect(await refusal(platformIdOf('Dora'), await credentials('Dora'))).toBe('403 NOT_PLAYING');
  });

  test('ends for a banned publisher', async () => {
    const [finn, gerd] = [await service.connect('Finn'), await service.connect('Gerd')];
    await meet(finn, gerd, queueGuid);
    const [spectator, publisher] = [await watch('Finn'), await publish('Finn')];
    const { playerGuid } = finn.match.you.player;
    const ban = { reason: 'Test', until: null };
    await service.request('admin', 'POST', `/players/${playerGuid}/bans`, ban);
    expect(await publisher.closeCode()).toBe(4001);
    expect(spectator.closed).toBeNull();
    expect(await refusal(platformIdOf('Finn'), await credentials('Finn'))).toBe('403 BANNED');
    await gerd.do('leaveQueue');
  });

  test('adds the number of spectators to the match, without making If-Match stale', async () => {
    const watched = await begin('Hans', 'Inga');
    const page = () => service.request(null, 'GET', `/matches/${watched}`);
    expect((await page()).body.spectators).toBe(0);
    const spectators = [await watch('Hans'), await watch('Hans'), await watch('Inga')];
    // The cached answer shows it within a second.
    await expect.poll(async () => (await page()).body.spectators).toBe(3);
    const { headers } = await page();
    spectators[0]?.leave();
    await expect.poll(async () => (await page()).body.spectators).toBe(2);
    expect((await page()).headers.etag).not.toBe(headers.etag);
    const aborted = await fetch(`${service.url}/matches/${watched}/abort`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await service.identityProvider.accountToken('admin')}`,
        'content-type': 'application/json',
        'if-match': String(headers.etag),
      },
      body: JSON.stringify({ reason: 'Test' }),
    });
    expect(aborted.status).toBe(200);
    expect((await page()).body.spectators).toBe(0);
  });

  const numbers = async (): Promise<string[]> => {
    const answer = await fetch(`${service.url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    return (await answer.text()).split('\n').filter((line) => line.startsWith('live_'));
  };

  test('is counted in the metrics', async () => {
    const metrics = async () => (await numbers()).filter((line) => !line.includes('_total'));
    await expect.poll(metrics).toEqual(['live_publishers 0', 'live_spectators 0']);
    await Promise.all([publish('Anna'), watch('Anna'), watch('Anna'), watch('Bert')]);
    expect(await metrics()).toEqual(['live_publishers 1', 'live_spectators 3']);
  });

  test('counts what a publisher sent and what spectators were sent', async () => {
    const total = async (name: string) =>
      Number((await numbers()).find((line) => line.startsWith(`${name} `))?.split(' ')[1]);
    const frames = async () => [
      await total('live_frames_published_total'),
      await total('live_frames_sent_total'),
    ];
    const [published = 0, sent = 0] = await frames();
    const [publisher, spectators] = [
      await publish('Anna'),
      [await watch('Anna'), await watch('Anna'), await watch('Bert')],
    ];
    for (const frame of ['one', 'two', 'three']) publisher.socket.send(Buffer.from(frame));
    for (const spectator of spectators.slice(0, 2)) await spectator.texts(3);
    expect(await frames()).toEqual([published + 3, sent + 6]);
  });

  test('counts admissions and refusals', async () => {
    const counted = async (isOk: boolean) =>
      (await numbers())
        .filter((line) => line.startsWith('live_handshakes_total{') && line.includes('"ok"') === isOk)
        .reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
    const [letIn, refused] = [await counted(true), await counted(false)];
    await watch('Anna');
    const bad = LivePeer.open(service.url, platformIdOf('Anna'), { authorization: 'Bearer nonsense' });
    await expect(bad).rejects.toMatchObject({ status: 401 });
    expect(await counted(true)).toBe(letIn + 1);
    // Counted when the answer has gone out.
    await expect.poll(() => counted(false)).toBe(refused + 1);
  });

  test.each([
    ['a frame above 256 KiB', 1009, [256 * 1024 + 1]],
    ['a text above 256 KiB', 1009, ['x'.repeat(256 * 1024 + 1)]],
    ['more than 60 frames a second', 1008, Array.from({ length: 130 }, () => 1)],
    ['more than 1 MiB a second', 1008, Array.from({ length: 9 }, () => 256 * 1024)],
  ])('closes on %s', async (_, code, messages) => {
    const [spectator, publisher] = [await watch('Anna'), await publish('Anna')];
    for (const message of messages)
      publisher.socket.send(typeof message === 'number' ? Buffer.alloc(message) : message);
    expect(await publisher.closeCode()).toBe(code);
    expect(spectator.closed).toBeNull();
  });

  test('disconnects a spectator who reads nothing, and does not delay others', async () => {
    const [reader, publisher] = [await watch('Anna'), await publish('Anna')];
    const sleeper = await watch('Anna');
    sleeper.socket.pause();
    const frame = Buffer.alloc(256 * 1024, 7);
    let sent = 0;
    expect(await numbers()).toContain('live_spectators_dropped_total 0');
    const page = () => service.request(null, 'GET', `/matches/${matchGuid}`);
    // The buffers of the system differ between machines; ours hold at most two seconds of the fastest stream.
    while ((await page()).body.spectators === 2 && sent < 200) {
      publisher.socket.send(frame);
      sent += 1;
      await reader.until(() => reader.frames.length === sent, `frame ${sent}`);
      await new Promise((resolve) => setTimeout(resolve, 260));
    }
    expect((await page()).body.spectators).toBe(1);
    expect(await numbers()).toContain('live_spectators_dropped_total 1');
    expect(publisher.closed).toBeNull();
    sleeper.socket.resume();
    expect(await sleeper.closeCode()).toBe(1006);
  }, 90_000);

  test('refuses a publisher without valid credentials, and does not make it a spectator', async () => {
    const good = await credentials('Anna');
    const id = platformIdOf('Anna');
    const { identityProvider } = service;
    const personal = await identityProvider.accountToken('player-one');
    const foreign = await credentials('Bert');
    const idle = await credentials('Carl');
    const expired = await identityProvider.gameToken({ platformId: id, username: 'Anna' }, -3600);
    expect(await refusal(id, { ...good, authorization: 'Basic abc' })).toBe('401 UNAUTHENTICATED');
    expect(await refusal(id, { ...good, authorization: 'Bearer nonsense' })).toBe('401 UNAUTHENTICATED');
    expect(await refusal(id, { ...good, authorization: '' })).toBe('401 UNAUTHENTICATED');
    expect(await refusal(id, await credentials('Anna', expired))).toBe('401 TOKEN_EXPIRED');
    expect(await refusal(id, { ...good, authorization: `Bearer ${personal}` })).toBe(
      '403 TOKEN_TYPE_NOT_ALLOWED',
    );
    expect(await refusal(id, foreign)).toBe('403 FORBIDDEN');
    expect(await refusal(platformIdOf('Carl'), idle)).toBe('403 NOT_PLAYING');
    expect(await refusal(id, { authorization: good.authorization as string })).toBe(
      '426 PLUGIN_VERSION_MISSING',
    );
    expect(await refusal(id, { ...good, 'x-service-plugin-version': '0.0.1' })).toBe(
      '426 PLUGIN_VERSION_NOT_ACCEPTED',
    );
  });
});

describe('the address of live channels', () => {
  test('takes ten spectators from one address', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' };
    for (const id of [1, 1, 1, 1, 1, 1, 2, 2, 2, 2]) await enter(String(id), from);
    const error = await enter('3', from).catch((refused: unknown) => refused);
    expect(error).toMatchObject({ status: 429, code: 'TOO_MANY_SPECTATORS' });
    expect((error as LiveRefusal).headers['retry-after']).toBe('10');
    peers[0]?.leave();
    await expect
      .poll(
        () =>
          enter('3', from)
            .then(() => true)
            .catch(() => false),
        { timeout: 20_000 },
      )
      .toBe(true);
  });

  test('takes a hundred from one network of 48 bits, ten from each of 64 in it', async () => {
    const from = (network: number, host: number) => ({
      'x-forwarded-for': `[2001:db8:9:${network}::${host}]:4711`,
    });
    for (let network = 0; network < 10; network++)
      await Promise.all(Array.from({ length: 10 }, (_, host) => enter(String(network), from(network, host))));
    expect(await refusal('3', from(0, 99))).toBe('429 TOO_MANY_SPECTATORS');
    expect(await refusal('3', from(10, 1))).toBe('429 TOO_MANY_SPECTATORS');
    await enter('3', { 'x-forwarded-for': '2001:db8:a::1' });
  });

  test('does not count clients who left before their admission', async () => {
    const { hostname, port } = new URL(service.url);
    const from = { 'x-forwarded-for': '198.51.100.8' };
    const knock = [
      'GET /live/u/4 HTTP/1.1',
      `Host: ${hostname}`,
      `X-Forwarded-For: ${from['x-forwarded-for']}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ].join('\r\n');
    for (let times = 0; times < 40; times++)
      await new Promise<void>((resolve) => {
        const socket = createConnection({ host: hostname, port: Number(port) });
        socket.on('error', () => {});
        socket.on('close', () => resolve());
        socket.write(knock, () => (times % 2 ? socket.resetAndDestroy() : socket.destroy()));
      });
    const room = () =>
      enter('4', from)
        .then(() => true)
        .catch(() => false);
    for (let times = 0; times < 10; times++) await expect.poll(room).toBe(true);
    expect(await refusal('4', from)).toBe('429 TOO_MANY_SPECTATORS');
  });

  test('refuses every path that is not a platform id', async () => {
    expect(await refusal('not-digits')).toBe('400 VALIDATION_FAILED');
    expect(await refusal('123456789012345678901')).toBe('400 VALIDATION_FAILED');
    expect(await refusal('1/more')).toBe('404 NOT_FOUND');
    expect(await refusal('../v/1')).toBe('404 NOT_FOUND');
  });

  test('opens a channel with the headers that every answer has', async () => {
    const { hostname, port } = new URL(service.url);
    const opened = request({
      hostname,
      port,
      path: '/live/u/1',
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'x-forwarded-for': someAddress(),
      },
    }).end();
    const [answer, socket] = (await once(opened, 'upgrade')) as [IncomingMessage, Socket];
    socket.destroy();
    expect(answer.statusCode).toBe(101);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  });

  test('answers plain requests that it is for WebSockets', async () => {
    const answer = await fetch(`${service.url}/live/u/1`);
    expect(answer.status).toBe(426);
    expect(answer.headers.get('upgrade')).toBe('websocket');
    expect(await answer.json()).toMatchObject({ error: { code: 'UPGRADE_REQUIRED' } });
  });

  test.each([
    ['Sec-WebSocket-Version: 12', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='],
    ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: short'],
  ])('refuses a malformed handshake (%s, %s)', async (...headers) => {
    const { hostname, port } = new URL(service.url);
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.write(
      [
        'GET /live/u/1 HTTP/1.1',
        `Host: ${hostname}`,
        'Upgrade: websocket',
        'Connection: Upgrade',
        ...headers,
        '\r\n',
      ].join('\r\n'),
    );
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
    expect(answer).toContain('sec-websocket-version: 13');
    expect(answer).toContain('"code":"VALIDATION_FAILED"');
  });

  test('answers a request for an unknown upgrade as if it had none', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.write(
      [
        'GET /elsewhere HTTP/1.1',
        `Host: ${hostname}`,
        'Upgrade: websocket',
        'Connection: close, Upgrade',
        '\r\n',
      ].join('\r\n'),
    );
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    expect(answer).toMatch(/^HTTP\/1.1 404 Not Found\r\n/);
  });

  test('closes all connections with a reason when the server stops', async () => {
    const other = await startTestService();
    const spectator = await enter('1', {}, other.url);
    await other.stop();
    expect(await spectator.closeCode()).toBe(1001);
  });
});
