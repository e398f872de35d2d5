import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerFile } from '../../src/platform/http/files.ts';
import type { Http } from '../../src/platform/http/server.ts';
import { createQuietHttp } from '../harness/http.ts';

const SIZE = 8 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024);

let http: Http;
let file: Readable;
let bytesRead = 0;
beforeAll(async () => {
  http = await createQuietHttp();
  http.get('/file', (request, reply) =>
    answerFile(request, reply, {
      tag: '"one"',
      size: SIZE,
      headers: { 'content-disposition': 'attachment' },
      read: async () => {
        bytesRead = 0;
        file = new Readable({
          read() {
            this.push(bytesRead < SIZE ? PIECE : null);
            bytesRead += PIECE.length;
          },
        });
        return file;
      },
    }),
  );
});
afterAll(() => http.close());

test('HEAD answers the headers of the whole file, reads nothing of it, and closes it', async () => {
  const whole = await http.inject('/file');
  expect(whole.rawPayload).toHaveLength(SIZE);
  const head = await http.inject({ method: 'HEAD', url: '/file' });
  if (!file.closed) await once(file, 'close');
  expect(bytesRead).toBe(0);
  expect(head.statusCode).toBe(200);
  expect(head.rawPayload).toHaveLength(0);
  for (const name of ['content-length', 'content-type', 'content-disposition', 'etag', 'accept-ranges'])
    expect(head.headers[name], name).toBe(whole.headers[name]);
});

test('a 304 states no length, to HEAD as well', async () => {
  for (const method of ['GET', 'HEAD'] as const) {
    const known = await http.inject({ method, url: '/file', headers: { 'if-none-match': '"one"' } });
    expect([method, known.statusCode, known.headers.etag]).toEqual([method, 304, '"one"']);
    expect([method, known.headers['content-length']]).toEqual([method, undefined]);
  }
});
