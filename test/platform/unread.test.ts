import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Http } from '../../src/platform/http/server.ts';
import { createQuietHttp } from '../harness/http.ts';

/** More than the system takes of a reader that waits. */
const FILE = Buffer.alloc(48 * 1024 * 1024, 'x');
const LOOK_MS = 5_000;
const MINUTE_MS = 60_000;

let http: Http;
let isSourceClosed = false;
let events: PassThrough;
beforeEach(async () => {
  // The looks at connections are the only timer that is advanced by hand; everything else really happens.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  isSourceClosed = false;
  events = new PassThrough();
  http = await createQuietHttp();
  const octets = 'application/octet-stream';
  http.get('/bytes', async (_request, reply) => reply.type(octets).send(FILE));
  http.get('/stream', async (_request, reply) => {
    const pieces = Readable.from(
      (function* () {
        for (let at = 0; at < FILE.length; at += 65_536) yield FILE.subarray(at, at + 65_536);
      })(),
    );
    pieces.once('close', () => {
      isSourceClosed = true;
    });
    return reply.type(octets).header('content-length', FILE.length).send(pieces);
  });
  http.get('/events', async (_request, reply) => reply.type('text/event-stream').send(events));
  await http.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  vi.useRealTimers();
  events.destroy();
  http.server.closeAllConnections();
  await http.close();
});

/** Asks, and reads nothing by itself. @returns both ends of the connection */
async function ask(request: string): Promise<{ client: Socket; server: Socket }> {
  const accepted = once(http.server, 'connection') as Promise<[Socket]>;
  const client = connect((http.server.address() as AddressInfo).port, '127.0.0.1');
  client.pause().on('error', () => {});
  client.write(request);
  const [server] = await accepted;
  return { client, server };
}
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const queued = (server: Socket) =>
  (server as Socket & { _handle?: { writeQueueSize: number } })._handle?.writeQueueSize ?? 0;

/** Until the system takes nothing more: twice the same, with real time in between. */
async function settle(server: Socket): Promise<void> {
  let before: string | undefined;
  await vi.waitUntil(
    () => {
      const now = `${server.writableLength} ${queued(server)}`;
      const isSettled = server.writableLength > 0 && now === before;
      before = now;
      return isSettled;
    },
    { timeout: 20_000, interval: 100 },
  );
}

const stateOf = (server: Socket) => [server.bytesWritten, queued(server), server.writableLength].join(' ');

/** Reads as little as makes more go out. @returns how many bytes */
async function readALittle({ client, server }: { client: Socket; server: Socket }): Promise<number> {
  const before = stateOf(server);
  let bytes = 0;
  while (stateOf(server) === before) {
    const chunk: Buffer | null = client.read();
    if (chunk === null) await once(client, 'readable');
    else bytes += chunk.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return bytes;
}

describe('an answer that is not read', () => {
  test.each([
    ['in memory', get('/bytes')],
    ['from a file', get('/stream')],
    ['to one of many requests sent at once', get('/bytes').repeat(20)],
    ['before its connection is closed', get('/bytes').replace('Host: x', 'Host: x\r\nConnection: close')],
  ])('is cancelled after a minute without progress: %s', async (_what, request) => {
    const { client, server } = await ask(request);
    await settle(server);
    const closed = once(server, 'close');
    vi.advanceTimersByTime(MINUTE_MS - LOOK_MS);
    expect(server.destroyed).toBe(false);
    vi.advanceTimersByTime(3 * LOOK_MS);
    await closed;
    if (request.includes('/stream')) await expect.poll(() => isSourceClosed).toBe(true);
    client.destroy();
  });

  test('is cancelled for each connection separately', async () => {
    const silent = await ask(get('/bytes'));
    const reading = await ask(get('/stream'));
    await Promise.all([settle(silent.server), settle(reading.server)]);
    const closed = once(silent.server, 'close');
    for (let look = 0; look < 14; look++) {
      vi.advanceTimersByTime(LOOK_MS);
      await readALittle(reading);
    }
    await closed;
    expect(reading.server.destroyed).toBe(false);
    reading.client.destroy();
  });
});

test.each(['/bytes', '/stream'])(
  'an answer is not cancelled while its reader makes progress, however slow: %s',
  async (path) => {
    const { client, server } = await ask(get(path).replace('Host: x', 'Host: x\r\nConnection: close'));
    await settle(server);
    let received = 0;
    const ended = once(client, 'end');
    for (let round = 0; round < 8; round++) {
      vi.advanceTimersByTime(11 * LOOK_MS);
      received += await readALittle({ client, server });
    }
    expect(server.destroyed).toBe(false);
    client.on('data', (chunk) => {
      received += chunk.length;
    });
    client.resume();
    await ended;
    expect(received).toBeGreaterThan(FILE.length);
  },
);

test('a stream without waiting bytes may be silent', async () => {
  const { client, server } = await ask(get('/events'));
  const received = once(client, 'data');
  client.resume();
  events.write(': here\n\n');
  await received;
  vi.advanceTimersByTime(10 * MINUTE_MS);
  expect(server.destroyed).toBe(false);
  const more = once(client, 'data');
  events.write('data: 1\n\n');
  expect(String((await more)[0])).toContain('data: 1');
  client.destroy();
});
