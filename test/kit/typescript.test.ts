import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectPlayer, Refused } from '../../kit/typescript/socket.ts';

/** The client in TypeScript, against a server that refuses what a test wants. */

const http = createServer();
const io = new Server(http);
let url: string;
let refusal: { code: string; retryAfterMs: number | null } | null = null;
let handshakes = 0;
beforeAll(async () => {
  io.use((_socket, next) => {
    handshakes += 1;
    if (refusal === null) next();
    else next(Object.assign(new Error(refusal.code), { data: { message: 'Not now.', ...refusal } }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterAll(() => io.close());

const connect = () =>
  connectPlayer(url, { token: 'a token', pluginVersion: '1.0.0' }, { reconnectionDelay: 10 });
type Event = 'connect' | 'connect_error';
const heard = (socket: Awaited<ReturnType<typeof connect>>, event: Event) =>
  new Promise<void>((resolve) => socket.once(event, () => resolve()));

test('a first handshake that is refused is an error with its code', async () => {
  refusal = { code: 'PLUGIN_OUTDATED', retryAfterMs: null };
  const refused = await connect().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Refused);
  expect(refused).toMatchObject({ code: 'PLUGIN_OUTDATED', retryAfterMs: null });
});

test('a later one comes again as told, as often as it is refused', async () => {
  refusal = null;
  const socket = await connect();
  for (let times = 0; times < 2; times++) {
    refusal = { code: 'DRAINING', retryAfterMs: 20 };
    socket.io.engine.close();
    await heard(socket, 'connect_error');
    await heard(socket, 'connect_error');
    const back = heard(socket, 'connect');
    refusal = null;
    await back;
  }
  socket.disconnect();
});

test.each([
  ['that says no time', { code: 'PLUGIN_OUTDATED', retryAfterMs: null }, false],
  ['that the player gives up', { code: 'DRAINING', retryAfterMs: 20 }, true],
])('one %s is the last', async (_which, given, givesUp) => {
  refusal = null;
  const socket = await connect();
  refusal = given;
  socket.io.engine.close();
  await heard(socket, 'connect_error');
  if (givesUp) socket.disconnect();
  const before = handshakes;
  refusal = null;
  // Longer than the player would wait.
  await new Promise((resolve) => setTimeout(resolve, 100));
  (await connect()).disconnect();
  expect(handshakes).toBe(before + 1);
  expect(socket.connected).toBe(false);
  socket.disconnect();
});
