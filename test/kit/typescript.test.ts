import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ask, connectPlayer, type PlayerSocket, Refused } from '../../kit/typescript/socket.ts';
import { catalogue } from '../../src/contract.ts';
import { BOUNDS, RATES } from '../../src/platform/limits.ts';

/** The client in TypeScript, against a server that refuses what a test wants. */

const http = createServer();
const io = new Server(http);
let url: string;
let refusal: { code: string; retryAfterMs: number | null } | null = null;
let handshakes = 0;
let refusedToken: string | null = null;
beforeAll(async () => {
  io.use(({ handshake }, next) => {
    handshakes += 1;
    if (refusal === null || (refusedToken !== null && handshake.auth.token !== refusedToken)) next();
    else next(Object.assign(new Error(refusal.code), { data: { message: 'Not now.', ...refusal } }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(() => io.close());

const connect = (auth: Parameters<typeof connectPlayer>[1] = { token: 'a token', pluginVersion: '1.0.0' }) =>
  connectPlayer(url, auth, { reconnectionDelay: 10 });
/** A player with another token each time it is asked, and what it was asked. */
const signIn = () => {
  const asked: boolean[] = [];
  const auth = (renew: boolean) => {
    asked.push(renew);
    return { token: `token ${asked.length}`, pluginVersion: '1.0.0' };
  };
  return { asked, auth };
};
type Event = 'connect' | 'connect_error' | 'disconnect';
const heard = (socket: Awaited<ReturnType<typeof connect>>, event: Event) =>
  new Promise<void>((resolve) => socket.once(event, () => resolve()));

test('an attempt to connect is given up after five seconds, because a new one may be quicker', async () => {
  const socket = await connect();
  expect(socket.io.timeout()).toBe(5000);
  socket.disconnect();
});

test('a first handshake that is refused is an error with its code', async () => {
  refusal = { code: 'PLUGIN_OUTDATED', retryAfterMs: null };
  const refused = await connect().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refused);
  expect(refused).toMatchObject({ code: 'PLUGIN_OUTDATED', retryAfterMs: null });
});

test.each([
  ['as told', { code: 'DRAINING', retryAfterMs: 20 }],
  ['after a defect of the service, which may give no time', { code: 'INTERNAL_ERROR', retryAfterMs: null }],
])('a later handshake that is refused is tried again %s, as often as it is refused', async (_, given) => {
  refusal = null;
  const socket = await connect();
  for (let times = 0; times < 2; times++) {
    refusal = given;
    socket.io.engine.close();
    await heard(socket, 'connect_error');
    await heard(socket, 'connect_error');
    const back = heard(socket, 'connect');
    refusal = null;
    await back;
  }
  expect(socket.connected).toBe(true);
  socket.disconnect();
});

describe('a connection that is lost', () => {
  const auth = { token: 'a token', pluginVersion: '1.0.0' };
  beforeEach(() => {
    refusal = null;
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const lose = async (socket: PlayerSocket): Promise<void> => {
    const lost = heard(socket, 'disconnect');
    for (const { conn } of io.sockets.sockets.values()) conn.close();
    await lost;
  };
  /** Lets the time until the next attempt pass. @returns how much it is, in milliseconds */
  const untilAttempt = (socket: PlayerSocket): number => {
    const lostAt = performance.now();
    const attempted = vi.fn();
    socket.io.once('reconnect_attempt', attempted);
    for (let ms = 0; attempted.mock.calls.length === 0 && ms < 60_000; ms += 1) vi.advanceTimersByTime(1);
    expect(attempted).toHaveBeenCalled();
    return performance.now() - lostAt;
  };

  test.each([
    ['the shortest', 0.899],
    ['middle', 0],
    ['the longest', 0.999],
  ])(
    'again and again uses no more handshakes in a minute than a player has, with %s pauses',
    async (_, lot) => {
      const socket = await connectPlayer(url, auth);
      vi.spyOn(Math, 'random').mockReturnValue(lot);
      const connectedAt = [performance.now()];
      for (let times = 0; times < 20; times += 1) {
        await lose(socket);
        const back = heard(socket, 'connect');
        untilAttempt(socket);
        await back;
        connectedAt.push(performance.now());
      }
      const { most, everyMs } = RATES.handshakesOfPlayer;
      const spans = connectedAt.slice(most).map((at, nth) => at - (connectedAt[nth] as number));
      expect(Math.min(...spans)).toBeGreaterThanOrEqual(everyMs);
      socket.disconnect();
    },
  );

  test('after it has settled comes back as soon each time', async () => {
    const socket = await connectPlayer(url, auth);
    for (let times = 0; times < 6; times += 1) {
      vi.advanceTimersByTime(10_001);
      await lose(socket);
      const back = heard(socket, 'connect');
      const pauseMs = untilAttempt(socket);
      expect(pauseMs).toBeGreaterThanOrEqual(500);
      expect(pauseMs).toBeLessThanOrEqual(1500);
      await back;
    }
    socket.disconnect();
  });

  test('before it was let in has not settled, however long that took', async () => {
    const socket = await connectPlayer(url, auth);
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await lose(socket);
    const opened = new Promise<void>((resolve) => socket.io.once('open', resolve));
    expect(untilAttempt(socket)).toBe(1000);
    await opened;
    vi.advanceTimersByTime(10_001);
    const lost = heard(socket, 'disconnect');
    socket.io.engine.close();
    await lost;
    expect(untilAttempt(socket)).toBe(2000);
    socket.disconnect();
  });
});

describe('a token that is refused is replaced once:', () => {
  const refuse = (token: string | null, code = 'TOKEN_EXPIRED') => {
    refusal = { code, retryAfterMs: null };
    refusedToken = token;
  };
  afterEach(() => {
    refusedToken = null;
  });
  const wanted = [...catalogue.values()].filter(
    ({ code, remedy }) => remedy === 'new_token' && code !== 'UNAUTHENTICATED',
  );

  test.each(wanted)('at the first handshake, $code', async ({ code }) => {
    const { asked, auth } = signIn();
    refuse('token 1', code);
    (await connect(auth)).disconnect();
    expect(asked).toEqual([false, true]);
  });

  test('at a later handshake, each time', async () => {
    const { asked, auth } = signIn();
    refusal = null;
    const socket = await connect(auth);
    for (let times = 1; times <= 2; times++) {
      refuse(`token ${times}`);
      const back = heard(socket, 'connect');
      socket.io.engine.close();
      await back;
    }
    expect(asked).toEqual([false, true, true]);
    socket.disconnect();
  });

  test('no other one is asked for when the next one is refused as well', async () => {
    const { asked, auth } = signIn();
    refuse(null);
    await expect(connect(auth)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(asked).toEqual([false, true]);
  });

  test('another one is asked for again when none can be given at the moment', async () => {
    const { asked, auth } = signIn();
    refusal = null;
    let isOut = true;
    const socket = await connect((renew) => {
      const given = auth(renew);
      if (renew && isOut) throw new Error('Nobody is here.');
      return given;
    });
    refuse('token 1');
    socket.io.engine.close();
    await heard(socket, 'connect_error');
    await heard(socket, 'connect_error');
    const back = heard(socket, 'connect');
    isOut = false;
    await back;
    expect(asked.slice(0, 3)).toEqual([false, true, true]);
    socket.disconnect();
  });

  test('a player who leaves while a token is fetched does not come back', async () => {
    const { auth } = signIn();
    refusal = null;
    const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
    const { promise: given, resolve: give } = Promise.withResolvers<void>();
    const socket = await connect(async (renew) => {
      if (renew) {
        asked();
        await given;
      }
      return auth(renew);
    });
    refuse('token 1');
    socket.io.engine.close();
    await isAsked;
    socket.disconnect();
    const before = handshakes;
    give();
    (await connect(auth)).disconnect();
    expect(handshakes).toBe(before + 1);
    expect(socket.connected).toBe(false);
  });
});

test('an answer is waited for longer than the service takes at most', async () => {
  const timeout = vi.fn((_ms: number) => ({ emitWithAck: async () => ({ ok: true, data: {} }) }));
  await ask({ timeout } as unknown as PlayerSocket, 'hello', {});
  expect(timeout.mock.calls[0]?.[0]).toBeGreaterThan(BOUNDS.command.value + BOUNDS.lock.value);
});

test.each([
  ['that gives no time to wait', { code: 'PLUGIN_OUTDATED', retryAfterMs: null }, false],
  ['after which the player leaves', { code: 'DRAINING', retryAfterMs: 20 }, true],
])('no handshake follows a refusal %s', async (_which, given, givesUp) => {
  refusal = null;
  const [socket, other] = [await connect(), await connect()];
  refusal = given;
  socket.io.engine.close();
  await heard(socket, 'connect_error');
  if (givesUp) socket.disconnect();
  const before = handshakes;
  // Another player waits longer than this one would, and comes back.
  refusal = { code: 'DRAINING', retryAfterMs: 60 };
  other.io.engine.close();
  await heard(other, 'connect_error');
  const back = heard(other, 'connect');
  refusal = null;
  await back;
  expect(handshakes).toBe(before + 2);
  expect(socket.connected).toBe(false);
  for (const one of [socket, other]) one.disconnect();
});
