import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Http } from '../../src/platform/http/server.ts';
import { piecesOf, takeUploads, uploadOf } from '../../src/platform/http/uploads.ts';
import { createQuietHttp } from '../harness/http.ts';

const IDLE_MS = 1000;
/** A byte adds twice as much as passes between two bytes of an upload that gets on, and of one that trickles a tenth. */
const PACE = { allowanceMs: IDLE_MS, mostMs: IDLE_MS, bytesPerSecond: 2 };
const TRICKLE = { ...PACE, bytesPerSecond: 100 };

let http: Http;
let broken: unknown[];
const arrived = new EventEmitter();
beforeAll(async () => {
  http = await createQuietHttp();
  broken = [];
  http.register(async (scope) => {
    takeUploads(scope);
    scope.put('/files', { config: { upload: true } }, async (request) => {
      let size = 0;
      try {
        const body = uploadOf(request, { maxBytes: 1000, ...PACE });
        arrived.emit('reading');
        for await (const piece of piecesOf(body)) size += piece.length;
      } catch (error) {
        broken.push(error);
        throw error;
      }
      return { size };
    });
    scope.put<{ Params: { blockBytes: string } }>(
      '/hashes/:blockBytes',
      { config: { upload: true } },
      async (request) => {
        const body = uploadOf(request, { maxBytes: 10_000_000 });
        const hash = createHash('sha256');
        const block = Buffer.alloc(Number(request.params.blockBytes));
        for (let length = block.length; length === block.length; ) {
          length = await body.fill(block);
          hash.update(block.subarray(0, length));
        }
        return { sha256: hash.digest('hex'), behindTheEnd: await body.fill(block) };
      },
    );
    scope.put('/shortened', { config: { upload: true } }, async (request) => {
      const body = uploadOf(request, { maxBytes: 1000 });
      const filled = body.fill(Buffer.alloc(10));
      body.shortenSilence(IDLE_MS);
      return { read: await filled };
    });
    scope.put('/tricklers', { config: { upload: true } }, async (request) => {
      const body = uploadOf(request, { maxBytes: 1000, ...TRICKLE });
      return { read: await body.fill(Buffer.alloc(1000)) };
    });
    scope.put('/arrivals', { config: { upload: true } }, async (request) => {
      const body = uploadOf(request, { maxBytes: 1000 });
      const block = Buffer.alloc(1000);
      const pieces: string[] = [];
      for (let length = 1; length > 0; ) {
        length = await body.fill(block, 2);
        pieces.push(block.toString('latin1', 0, length));
        arrived.emit('piece');
      }
      return { pieces };
    });
    scope.put('/beginnings', { config: { upload: true } }, async (request, reply) => {
      const body = uploadOf(request, { maxBytes: 10_000_000 });
      await body.fill(Buffer.alloc(10));
      body.close();
      reply.raw.once('finish', () => setImmediate(() => body.close()));
      return { read: 10 };
    });
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => http.close());

const head = (length: number, type = 'application/octet-stream', url = '/files') =>
  `PUT ${url} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

/** Sends parts with pauses, and reads until an answer matches, or the connection is closed. */
async function send(parts: string[], pauseMs: number, until?: RegExp): Promise<string> {
  const { port } = http.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let received = '';
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += chunk;
      if (until?.test(received)) resolve();
    });
    socket.on('close', () => resolve());
  });
  for (const part of parts) {
    socket.write(part);
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, pauseMs))]);
  }
  await answered;
  socket.destroy();
  return received;
}

test('an upload that stands still is refused, and its connection closed', async () => {
  expect(await send([head(100), 'abc'], 0)).toMatch(
    /^HTTP\/1\.1 408 .*connection: close\r\n.*"REQUEST_TIMEOUT".*}$/s,
  );
});

test('a reader may end an upload that stands still', async () => {
  expect(await send([head(10, undefined, '/shortened'), 'abc'], 0, /}$/)).toMatch(/^HTTP\/1\.1 408 /);
});

test('an upload that makes progress may take longer than one that stands still', async () => {
  const parts = [head(8), ...'abcdefgh'];
  expect(await send(parts, IDLE_MS / 4, /}$/)).toMatch(/^HTTP\/1\.1 200 OK.*{"size":8}$/s);
});

test('an upload that is too slow is refused, although it never stands still for that long', async () => {
  const parts = [head(100, undefined, '/tricklers'), ...'x'.repeat(99)];
  expect(await send(parts, IDLE_MS / 10, /}$/)).toMatch(/^HTTP\/1\.1 408 .*"REQUEST_TIMEOUT"/s);
});

test('bytes that arrived while the process was suspended are in time', async () => {
  const { port } = http.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const answered = once(socket, 'data');
  const asked = once(http.server, 'request');
  socket.write(`${head(4)}ab`);
  await asked;
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS / 4));
  await new Promise((resolve) => socket.write('cd', resolve));
  for (const until = performance.now() + 2 * IDLE_MS; performance.now() < until; );
  expect(String(await answered)).toMatch(/^HTTP\/1\.1 200 .*{"size":4}$/s);
  socket.destroy();
});

test('a reader may wait for less than a block: it gets what has come', async () => {
  const { port } = http.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const answered = once(socket, 'data');
  const first = once(arrived, 'piece');
  socket.write(`${head(6, undefined, '/arrivals')}abc`);
  await first;
  const second = once(arrived, 'piece');
  socket.write('de');
  await second;
  socket.write('f');
  expect(String(await answered)).toMatch(/{"pieces":\["abc","de","f"(,"")?\]}$/);
  socket.destroy();
});

test('a length beyond the limit is refused before anything is sent', async () => {
  expect(await send([head(1001)], 0, /}$/)).toMatch(/^HTTP\/1\.1 413 .*"PAYLOAD_TOO_LARGE"/s);
});

test('a refused upload may be sent to its end, and the connection goes on', async () => {
  const answers = await send([head(2000), 'x'.repeat(2000), head(3), 'abc'], 20, /"size":3}$/);
  expect(answers).toMatch(/^HTTP\/1\.1 413 .*HTTP\/1\.1 200 /s);
});

test('a body that is not read further may be sent to its end, and the connection goes on', async () => {
  const half = 'x'.repeat(1_000_000);
  const parts = [`${head(2_000_000, undefined, '/beginnings')}${half}`, half, `${head(3)}abc`];
  expect(await send(parts, 50, /"size":3}$/)).toMatch(/^HTTP\/1\.1 200 .*"read":10}.*HTTP\/1\.1 200 /s);
});

test.each([97, 1000, 65_536, 300_000, 700_001, 2_000_000])(
  'a body is read completely in blocks of %i bytes',
  async (blockBytes) => {
    const { port } = http.server.address() as AddressInfo;
    const body = randomBytes(700_001);
    const answer = await fetch(`http://127.0.0.1:${port}/hashes/${blockBytes}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body,
    });
    const sha256 = createHash('sha256').update(body).digest('hex');
    expect(await answer.json()).toEqual({ sha256, behindTheEnd: 0 });
  },
);

test('Content-Range is refused: a part would be taken for the whole file', async () => {
  const part = head(3).replace('\r\n\r\n', '\r\nContent-Range: bytes 0-2/9\r\n\r\n');
  expect(await send([part, 'abc'], 0, /}$/)).toMatch(/^HTTP\/1\.1 400 .*"VALIDATION_FAILED"/s);
});

test('another type is refused, with or without a body', async () => {
  for (const body of ['{}', ''])
    expect(await send([head(body.length, 'application/json'), body], 0, /}$/)).toMatch(
      /^HTTP\/1\.1 415 .*"UNSUPPORTED_MEDIA_TYPE"/s,
    );
});

test('a reader gets an error when the client disconnects', async () => {
  const { port } = http.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  broken = [];
  const reading = once(arrived, 'reading');
  socket.write(`${head(100)}abc`);
  await reading;
  socket.destroy();
  await expect.poll(() => broken).toHaveLength(1);
  expect(broken[0]).toMatchObject({ code: 'VALIDATION_FAILED' });
});

test('the connection stays for the rest of a refused body, even where the client asked to close it', async () => {
  const asked = head(2000).replace('\r\n', '\r\nConnection: close\r\n');
  expect(await send([asked], 0, /}$/)).toMatch(/^HTTP\/1\.1 413 .*\r\nConnection: keep-alive\r\n/s);
});
