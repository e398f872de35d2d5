import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import type { Http } from '../../src/platform/http/server.ts';
import { createQuietHttp } from '../harness/http.ts';

/** More than the system takes of a reader that waits. */
const FILE = Buffer.alloc(24 * 1024 * 1024, 'x');

let http: Http;
let answer: () => void;
let isAsked: Promise<void>;
beforeEach(async () => {
  http = await createQuietHttp();
  http.get('/file', async (_request, reply) => reply.type('application/octet-stream').send(FILE));
  let asked: () => void;
  isAsked = new Promise((resolve) => {
    asked = resolve;
  });
  http.get('/slow', async () => {
    asked();
    await new Promise<void>((resolve) => {
      answer = resolve;
    });
    return { ok: true };
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
});

/** A connection that stays open after its answers, as those of browsers and proxies do. */
function ask(path: string): { socket: Socket; received: Promise<string> } {
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  const received = once(socket, 'close').then(() => Buffer.concat(chunks).toString('latin1'));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return { socket, received };
}

/** Begins to close, and waits until nobody new is let in. @returns what resolves when all is closed */
async function close(): Promise<{ closed: Promise<unknown> }> {
  const closed = http.close();
  await expect.poll(() => http.server.listening).toBe(false);
  return { closed };
}

test('a running download is finished to its last byte', async () => {
  const { socket, received } = ask('/file');
  await once(socket, 'data');
  socket.pause();
  const { closed } = await close();
  socket.resume();
  const [, body] = (await received).split('\r\n\r\n');
  expect(body).toHaveLength(FILE.length);
  await closed;
});

test('a connection ends after the answer to its running request', async () => {
  const { received } = ask('/slow');
  await isAsked;
  const { closed } = await close();
  answer();
  expect(await received).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\{"ok":true\}$/s);
  await closed;
});

test('a connection that was opened and never used keeps no server open', async () => {
  const accepted = once(http.server, 'connection');
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  await accepted;
  const begun = performance.now();
  await http.close();
  // Node would wait for more than a minute.
  expect(performance.now() - begun).toBeLessThan(20_000);
  socket.destroy();
});

test('a connection without a request ends at once', async () => {
  const { socket, received } = ask('/nothing');
  await once(socket, 'data');
  await http.close();
  expect(await received).toMatch(/^HTTP\/1\.1 404 /);
});
