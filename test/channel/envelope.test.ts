import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The bare protocol (Engine.IO 4, Socket.IO 4): a client library would close the connection itself. */
const handshake = (auth: object): Promise<{ message: string; data: unknown }> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
    let refusal: { message: string; data: unknown } | undefined;
    socket.addEventListener('message', ({ data }) => {
      if (data.startsWith('0')) socket.send(`40${JSON.stringify(auth)}`);
      if (data.startsWith('44')) refusal = JSON.parse(data.slice(2));
      if (data.startsWith('40')) reject(new Error('It was let in.'));
    });
    socket.addEventListener('close', () =>
      refusal ? resolve(refusal) : reject(new Error('Closed without a word.')),
    );
  });

describe('a handshake is refused with the code as its message, and closed,', () => {
  const game = (claims: object = {}, options = {}) =>
    service.identityProvider.mint(
      { tokenType: 'platform:game', platformId: '7001', platformVerified: true, sub: 'someone', ...claims },
      options,
    );
  test.each([
    ['without a token', async () => ({}), 'TOKEN_MISSING'],
    [
      'with nonsense for a token',
      async () => ({ token: 'nonsense', pluginVersion: '1.0.0' }),
      'TOKEN_INVALID',
    ],
    [
      'with a token that is no text',
      async () => ({ token: { a: 1 }, pluginVersion: '1.0.0' }),
      'TOKEN_INVALID',
    ],
    [
      'with an expired token',
      async () => ({ token: await game({ iat: 1, exp: 2 }), pluginVersion: '1.0.0' }),
      'TOKEN_EXPIRED',
    ],
    [
      'without the scope',
      async () => ({ token: await game({ scope: 'other' }), pluginVersion: '1.0.0' }),
      'INSUFFICIENT_SCOPE',
    ],
    [
      'with a browser token',
      async () => ({ token: await game({ tokenType: 'web' }), pluginVersion: '1.0.0' }),
      'TOKEN_TYPE_NOT_ALLOWED',
    ],
    [
      'without a verified platform',
      async () => ({ token: await game({ platformVerified: false }), pluginVersion: '1.0.0' }),
      'PLATFORM_NOT_VERIFIED',
    ],
    ['without a plugin version', async () => ({ token: await game() }), 'PLUGIN_VERSION_MISSING'],
    [
      'with an old plugin version',
      async () => ({ token: await game(), pluginVersion: '0.9.0' }),
      'PLUGIN_VERSION_NOT_ACCEPTED',
    ],
  ])('%s', async (_case, auth, code) => {
    const refusal = await handshake(await auth());
    expect(refusal).toEqual({
      message: code,
      data: { code, message: expect.any(String), retryAfterMs: null },
    });
  });
});

describe('a message that cannot be carried out is refused in its acknowledgement:', () => {
  test('an unknown one', async () => {
    const player = await service.connect('Mona');
    expect(await player.ask('dance', {})).toEqual({
      ok: false,
      error: { code: 'UNKNOWN_EVENT', message: expect.any(String) },
    });
    player.leave();
  });

  test.each([
    ['a text', 'hello'],
    ['null', null],
    ['a list', [1, 2]],
    ['an unknown member', { queueGuid: '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11', extra: true }],
    ['a malformed id', { queueGuid: 'nothing' }],
    ['a number for an id', { queueGuid: 7 }],
    ['a missing member', {}],
    ['a prototype', JSON.parse('{"__proto__": {"queueGuid": "01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11"}}')],
  ])('one whose payload is %s', async (_case, payload) => {
    const player = await service.connect('Nils');
    const answer = await player.ask('joinQueue', payload);
    expect(answer).toEqual({ ok: false, error: { code: 'VALIDATION_FAILED', message: expect.any(String) } });
    player.leave();
  });

  test('one whose payload is long, without sending it back', async () => {
    const player = await service.connect('Nils');
    const answer = await player.ask('hello', { ['x'.repeat(30_000)]: 1 });
    expect(answer).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED' } });
    expect(JSON.stringify(answer).length).toBeLessThan(500);
    player.leave();
  });

  test('one with two payloads', async () => {
    const player = await service.connect('Olga');
    const answer = await player.socket.timeout(10_000).emitWithAck('hello', {}, {});
    expect(answer).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED' } });
    player.leave();
  });
});

test('messages that ask for no acknowledgement leave the connection as it is', async () => {
  const player = await service.connect('Paul');
  player.socket.emit('joinQueue', { queueGuid: 'nothing' });
  player.socket.emit('dance');
  player.socket.emit('hello');
  expect((await player.do('hello')).player.username).toBe('Paul');
  player.leave();
});

test('a megabyte of nonsense closes its connection and nothing else', async () => {
  const [loud, quiet] = [await service.connect('Loud'), await service.connect('Quiet')];
  loud.socket.emit('hello', { nonsense: 'x'.repeat(1024 * 1024) });
  await loud.until(() => !loud.socket.connected, 'being closed');
  expect((await quiet.do('hello')).player.username).toBe('Quiet');
  const again = await service.connect('Loud');
  expect((await again.do('hello')).player.username).toBe('Loud');
});

test('a page of another site cannot open a connection', async () => {
  const socket = io(service.url, {
    auth: { token: 'x' },
    transports: ['websocket'],
    extraHeaders: { origin: 'https://evil.example' },
    forceNew: true,
    reconnection: false,
  });
  const error = await new Promise<Error>((resolve) => socket.once('connect_error', resolve));
  expect(error.message).toMatch(/websocket error/);
});

test('a player can play over polling instead of a WebSocket', async () => {
  const player = await service.connect('Quin', { transports: ['polling'] });
  expect((await player.do('hello')).player.username).toBe('Quin');
  player.leave();
});
