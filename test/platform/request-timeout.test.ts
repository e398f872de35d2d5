import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Http } from '../../src/platform/http/server.ts';
import { createQuietHttp } from '../harness/http.ts';

const TIMEOUT_MS = 300;

let http: Http;
/** The same with so much time that a busy machine is never late. */
let patient: Http;
beforeAll(async () => {
  http = await open(TIMEOUT_MS);
  patient = await open(20_000);
});
afterAll(() => Promise.all([http.close(), patient.close()]));

async function open(requestTimeoutMs: number): Promise<Http> {
  const http = await createQuietHttp({ rateLimitFactor: 1, requestTimeoutMs });
  http.post('/things', async (request) => request.body);
  http.register(async (uploads) => {
    uploads.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body));
    uploads.post('/files', { config: { upload: true } }, async (request) => {
      let size = 0;
      for await (const chunk of request.body as AsyncIterable<Buffer>) size += chunk.length;
      return { size };
    });
  });
  await http.listen({ host: '127.0.0.1', port: 0 });
  return http;
}

/** Sends the parts with this long in between, and reads until the connection ends. */
async function slowly(parts: string[], pauseMs: number, to = http): Promise<string> {
  const { port } = to.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk));
  const closed = once(socket, 'close');
  for (const part of parts) {
    socket.write(part);
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, pauseMs))]);
  }
  await closed;
  return received;
}

const head = (path: string, type: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
const late = /^HTTP\/1\.1 408 Request Timeout\r\n.*x-request-id: .*"REQUEST_TIMEOUT"/s;

test('headers that do not end are refused in time', async () => {
  expect(await slowly(['GET /things HTTP/1.1\r\nHost: x\r\n'], 0)).toMatch(late);
});

test('a body that does not end is refused in time', async () => {
  expect(await slowly([head('/things', 'application/json', 100), '{"a"'], 0)).toMatch(late);
});

test('a body that is not read does not block the connection', async () => {
  expect(await slowly([head('/nothing', 'application/json', 100), '{"a"'], 0)).toMatch(
    /^HTTP\/1\.1 404 .*"NOT_FOUND"/s,
  );
});

describe('the rest of a body whose request was answered', () => {
  const begun = 'POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n';
  const notFound = /HTTP\/1\.1 404 /g;

  test('is not read for as long as a body that is needed', async () => {
    const endless = await open(80_000);
    onTestFinished(() => endless.close());
    const sentAt = performance.now();
    expect((await slowly([begun, 'x'], 0, endless)).match(notFound)).toHaveLength(1);
    expect(performance.now() - sentAt).toBeLessThan(60_000);
  });

  test('is read in that time, and the connection takes further requests', async () => {
    const rest = ['x', 'x'.repeat(999_999), head('/nothing', 'application/json', 0)];
    expect((await slowly([begun, ...rest], 50, patient)).match(notFound)).toHaveLength(2);
  });
});

test('after an empty body the connection takes further requests', async () => {
  const empty = 'POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';
  const answers = await slowly(
    [empty, empty, empty, head('/nothing', 'application/json', 0)],
    2 * TIMEOUT_MS,
  );
  expect(answers.match(/HTTP\/1\.1 404/g)).toHaveLength(4);
});

test('a body in time is read', async () => {
  const parts = [head('/things', 'application/json', 7), '{"a"', ':1}'];
  expect(await slowly(parts, 50, patient)).toMatch(/^HTTP\/1\.1 200 OK.*{"a":1}$/s);
});

test('an upload takes as long as it needs', async () => {
  const parts = [head('/files', 'application/octet-stream', 8), 'ab', 'cd', 'ef', 'gh'];
  expect(await slowly(parts, TIMEOUT_MS / 2)).toMatch(/^HTTP\/1\.1 200 OK.*{"size":8}$/s);
});
