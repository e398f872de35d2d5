import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import {
  canSendPrepared,
  prepareAnswer,
  sendPrepared,
  takesPrepared,
} from '../../src/platform/http/prepared.ts';
import { quickAnswers } from '../../src/platform/http/quick.ts';
import type { CachedResponse } from '../../src/platform/http/reads.ts';
import { BOUNDS } from '../../src/platform/limits.ts';

/** Kept answers that are sent as bytes: to the client they are what Node itself would have written. */

const ETAG = '"as it is"';
const bodies: Record<string, Buffer> = {
  '/small': Buffer.from('{"name":"Großvater 🎵"}'),
  '/large': Buffer.alloc(1024 * 1024, 'large '),
};

/** A server with these answers and nothing else. */
async function serve(canSendPrepared: boolean): Promise<Server> {
  const answers = new Map<string, CachedResponse>(
    Object.entries(bodies).map(([route, body]) => [
      route,
      {
        route,
        body,
        etag: ETAG,
        headers: {
          etag: ETAG,
          'content-type': 'application/json; charset=utf-8',
          'content-disposition': 'attachment; filename="x-request-id: date: .bplist"',
        },
      },
    ]),
  );
  const quick = quickAnswers({
    logger: pino({ level: 'silent' }),
    reads: { find: (url) => answers.get(url) ?? null, cache: () => undefined },
    credentialOrigins: [],
    addressOf: () => '203.0.113.1',
    admits: () => true,
    onResponse: () => undefined,
    canSendPrepared,
  });
  const server = createServer({ keepAliveTimeout: BOUNDS.keepAlive.value }, (request, response) => {
    quick(request, response, () => response.writeHead(429).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

let prepared: Server;
let written: Server;
beforeAll(async () => {
  prepared = await serve(true);
  written = await serve(false);
});
afterAll(() => {
  for (const server of [prepared, written]) {
    server.closeAllConnections();
    server.close();
  }
});

const open = (server: Server): Socket => connect((server.address() as AddressInfo).port, '127.0.0.1');

async function readToEnd(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).resume();
  await once(socket, 'close');
  return Buffer.concat(chunks);
}

/** Sends these bytes, closes this side, and reads to the end. */
function ask(server: Server, request: string): Promise<Buffer> {
  const socket = open(server);
  socket.end(request);
  return readToEnd(socket);
}

const idsIn = (answers: Buffer): string[] =>
  [...answers.toString('latin1').matchAll(/\r\nx-request-id: ([0-9a-f-]{36})\r\n/g)].map(([, id = '']) => id);
/** The answers without the parts that differ from answer to answer. */
const sameIn = (answers: Buffer): string =>
  answers
    .toString('latin1')
    .replaceAll(/\r\nx-request-id: [0-9a-f-]{36}\r\n/g, '\r\nx-request-id: …\r\n')
    .replaceAll(
      /\r\nDate: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT\r\n/g,
      '\r\nDate: …\r\n',
    );

const head = (method: string, path: string, headers: string[] = [], version = '1.1'): string =>
  [`${method} ${path} HTTP/${version}`, 'Host: here', ...headers, '', ''].join('\r\n');
const KNOWN = `If-None-Match: ${ETAG}`;

test('this version of Node supports prepared responses', async () => {
  expect(await canSendPrepared()).toBe(true);
});

describe('a prepared answer is byte for byte what Node writes', () => {
  test.each([
    ['with its body', head('GET', '/small')],
    ['with a large body', head('GET', '/large')],
    ['not changed', head('GET', '/small', [KNOWN])],
    ['not changed, of a large one', head('GET', '/large', [KNOWN])],
    ['without its body', head('HEAD', '/small')],
    ['on a connection to be closed', head('GET', '/small', ['Connection: close'])],
    ['not changed, on a connection to be closed', head('GET', '/small', [KNOWN, 'Connection: close'])],
    ['over HTTP/1.0', head('GET', '/small', [], '1.0')],
    ['over HTTP/1.0 on a connection to be kept', head('GET', '/small', ['Connection: keep-alive'], '1.0')],
    ['to who asks whether to go on', head('GET', '/small', ['Expect: 100-continue'])],
    [
      'several asked for at once',
      [
        head('GET', '/small'),
        head('GET', '/large'),
        head('GET', '/small', [KNOWN]),
        head('HEAD', '/large'),
        head('GET', '/small'),
      ].join(''),
    ],
  ])('%s', async (_name, request) => {
    const [ready, usual] = [await ask(prepared, request), await ask(written, request)];
    expect(sameIn(ready) === sameIn(usual), sameIn(ready).slice(0, 1000)).toBe(true);
    expect(idsIn(ready)).toHaveLength(request.split('HTTP/1').length - 1);
  });

  test('one after the other on the same connection', async () => {
    const requests = [head('GET', '/small'), head('GET', '/small', [KNOWN]), head('GET', '/large')];
    const answers = await Promise.all(
      [prepared, written].map(async (server) => {
        const socket = open(server);
        let received = Buffer.alloc(0);
        for (const request of [...requests, ...requests]) {
          const before = received.length;
          socket.write(request);
          const complete = () => {
            const text = received.toString('latin1', before);
            const end = text.indexOf('\r\n\r\n');
            const length = Number(/content-length: (\d+)/.exec(text.slice(0, end))?.[1] ?? 0);
            return end >= 0 && text.length === end + 4 + length;
          };
          while (!complete()) {
            const [chunk] = await once(socket, 'data');
            received = Buffer.concat([received, chunk]);
          }
        }
        socket.destroy();
        return received;
      }),
    );
    const [ready = Buffer.alloc(0), usual = Buffer.alloc(0)] = answers;
    expect(sameIn(ready) === sameIn(usual)).toBe(true);
    expect(new Set(idsIn(ready)).size).toBe(2 * requests.length);
  });
});

test('many answers at once reach a client that reads late', async () => {
  // Only the server closes: whether Node's last answer says that the connection closes depends on when it learns it.
  const request = [
    ...Array.from({ length: 11 }, (_, nth) => head('GET', nth % 2 === 0 ? '/large' : '/small')),
    head('GET', '/small', ['Connection: close']),
  ].join('');
  const usual = open(written);
  usual.write(request);
  const expected = sameIn(await readToEnd(usual));
  // More than the system takes while nobody reads.
  const slow = open(prepared).pause();
  slow.write(request);
  for (let times = 0; times < 20; times++) await ask(prepared, head('GET', '/small'));
  const received = await readToEnd(slow);
  expect(sameIn(received) === expected).toBe(true);
  expect(new Set(idsIn(received)).size).toBe(12);
});

test('bytes that are not sent yet are not overwritten', async () => {
  const answer = prepareAnswer({
    status: 200,
    headers: ['content-length', '4'],
    body: Buffer.from('body'),
  });
  /** @returns what a client gets that takes nothing before it is told to */
  const sendTo = (requestId: string) => {
    const taken: string[] = [];
    const waiting: { chunk: Buffer; done: () => void }[] = [];
    const connection = new Writable({
      write: (chunk, _encoding, done) => void waiting.push({ chunk, done }),
    }) as Socket;
    const request = Object.assign(new IncomingMessage(connection), {
      method: 'GET',
      httpVersion: '1.1',
      httpVersionMajor: 1,
      httpVersionMinor: 1,
    });
    const response = new ServerResponse(request);
    response.assignSocket(connection);
    expect(takesPrepared(request, response)).toBe(true);
    sendPrepared(response, answer, requestId, Date.now());
    expect(takesPrepared(request, response)).toBe(false);
    return () => {
      for (const { chunk, done } of waiting.splice(0)) {
        taken.push(chunk.toString('latin1'));
        done();
      }
      return taken.join('');
    };
  };
  const ids = Array.from({ length: 3 }, newGuid);
  const clients = ids.map(sendTo);
  expect(clients.map((take) => idsIn(Buffer.from(take())))).toEqual(ids.map((id) => [id]));
});
