import { request as get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Asks without unpacking: `fetch` would unpack the answer. */
const sent = (path: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
    get(`${service.url}${path}`, { method, headers }, (answer) => {
      buffer(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes }),
        reject,
      );
    })
      .on('error', reject)
      .end();
  });

/** The page, what it loads, and the documents. */
async function pathsOfReference(): Promise<string[]> {
  const page = (await sent('/docs', {})).bytes.toString();
  const files = [...page.matchAll(/(?:src|href)="\.?(\/[^"]+\.(?:js|css))"/g)].map(([, file = '']) =>
    file.startsWith('/docs') ? file : `/docs${file}`,
  );
  expect(files.length).toBeGreaterThan(5);
  return ['/docs', '/docs/json', '/docs/ws', '/openapi.json', '/docs/rules.md', ...files];
}

test('clients that take gzip get the references in less than a third of the bytes, and the same content as others', async () => {
  let [whole, packed] = [0, 0];
  for (const path of await pathsOfReference()) {
    const plain = await sent(path, {});
    const zipped = await sent(path, { 'accept-encoding': 'br, gzip' });
    expect([path, plain.status, zipped.status]).toEqual([path, 200, 200]);
    for (const { headers } of [plain, zipped]) expect(headers.vary, path).toMatch(/\bAccept-Encoding\b/);
    expect(plain.headers['content-encoding']).toBeUndefined();
    const isZipped = zipped.headers['content-encoding'] === 'gzip';
    expect(isZipped, path).toBe(plain.bytes.byteLength >= 1024);
    expect((isZipped ? gunzipSync(zipped.bytes) : zipped.bytes).equals(plain.bytes), path).toBe(true);
    expect(Number(zipped.headers['content-length'] ?? zipped.bytes.byteLength)).toBe(zipped.bytes.byteLength);
    whole += plain.bytes.byteLength;
    packed += zipped.bytes.byteLength;
  }
  expect(packed * 3).toBeLessThan(whole);
});

test('the compressed form and the plain one have different tags, and a client with the tag gets 304', async () => {
  const forms = [{ 'accept-encoding': 'gzip;q=0' }, { 'accept-encoding': 'gzip' }];
  const tags = [];
  for (const form of forms) {
    const { headers } = await sent('/openapi.json', form);
    tags.push(headers.etag);
    const again = await sent('/openapi.json', { ...form, 'if-none-match': headers.etag ?? '' });
    expect([again.status, again.bytes.byteLength]).toEqual([304, 0]);
  }
  expect(new Set(tags).size).toBe(2);
});

test('HEAD and 304 have the headers of GET', async () => {
  const gzip = { 'accept-encoding': 'gzip' };
  for (const path of await pathsOfReference()) {
    const whole = await sent(path, gzip);
    const head = await sent(path, gzip, 'HEAD');
    expect([path, head.status, head.headers.vary]).toEqual([path, 200, whole.headers.vary]);
    const length = head.headers['content-length'];
    if (length !== undefined) {
      expect([path, head.headers['content-encoding']]).toEqual([path, whole.headers['content-encoding']]);
      expect([path, Number(length)]).toEqual([path, whole.bytes.byteLength]);
    }
    const again = await sent(path, { ...gzip, 'if-none-match': whole.headers.etag ?? '' });
    expect([path, again.status, again.headers.vary]).toEqual([path, 304, whole.headers.vary]);
    const known = await sent(path, { ...gzip, 'if-none-match': whole.headers.etag ?? '' }, 'HEAD');
    expect([path, known.status, known.headers.vary]).toEqual([path, 304, whole.headers.vary]);
    expect([path, known.headers['content-length']]).toEqual([path, undefined]);
  }
});
