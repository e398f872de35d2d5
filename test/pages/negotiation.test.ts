import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strings } from '../../src/pages/strings.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** Clients that get a page, clients that get JSON, and the headers of both. */

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const GUID = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service?.stop());

async function ask(path: string, { method = 'GET', ...headers }: Record<string, string> = {}) {
  const answer = await fetch(`${service.url}${path}`, { method, headers });
  const text = await answer.text();
  const type = answer.headers.get('content-type') ?? '';
  const code = type.startsWith('application/json') && text !== '' ? JSON.parse(text).error?.code : null;
  return { status: answer.status, type, code, text, headers: answer.headers };
}

describe('a page', () => {
  test.each(['text/html', 'TEXT/HTML', 'text/html;q=0.1, */*', 'application/json, text/html'])(
    'is for clients that accept %s',
    async (accept) => {
      const { status, type, text, headers } = await ask('/', { accept });
      expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
      expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(headers.get('vary')).toContain('Accept');
      expect(headers.get('cache-control')).toBe('no-cache');
    },
  );

  test.each([
    undefined,
    '*/*',
    'application/json',
    'text/*',
    'text/html;q=0',
    'application/x-text/html-like',
  ])('is not for clients that accept %s', async (accept) => {
    const { status, code, headers } = await ask('/', accept === undefined ? {} : { accept });
    expect([status, code]).toEqual([404, 'NOT_FOUND']);
    expect(headers.get('vary')).toContain('Accept');
  });

  test('finds nobody for a search that no name can match', async () => {
    const { queueGuid } = await service.openQueue();
    for (const query of ['%00', 'a%00b', 'a%0Ab', 'x'.repeat(101)]) {
      const { status, text } = await ask(`/ladder/${queueGuid}?query=${query}`, HTML);
      expect(status, query).toBe(200);
      expect(text, query).toContain(strings.ladder.foundNobody);
    }
  });

  test('is the same for everybody, has a tag, and is 304 for a client that has the tag', async () => {
    const first = await ask('/', HTML);
    const again = await ask('/?from=somewhere', { ...HTML, authorization: 'Bearer nonsense', cookie: 'a=b' });
    expect([again.status, again.text]).toEqual([200, first.text]);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"/);
    const unchanged = await ask('/', { ...HTML, 'if-none-match': etag });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    const head = await ask('/', { ...HTML, method: 'HEAD' });
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
  });

  test('has the headers of a page, the same when the answer comes from memory', async () => {
    const own = ({ headers }: Awaited<ReturnType<typeof ask>>) =>
      [...headers].filter(([name]) => !['x-request-id', 'date', 'keep-alive'].includes(name)).sort();
    const made = await ask('/', HTML);
    expect(own(await ask('/', HTML))).toEqual(own(made));
    const policy = made.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
    expect(made.headers.get('x-content-type-options')).toBe('nosniff');
    expect(made.headers.get('x-frame-options')).toBe('DENY');
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('does not take %s', async (method) => {
    const { status, code, headers } = await ask('/', { ...HTML, method });
    expect([status, code, headers.get('allow')]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, HEAD']);
  });
});

test('the home page still offers the playlist when its pool is retired', async () => {
  const offer = 'bsplaylist://playlist/';
  await service.openQueue();
  expect((await ask('/', HTML)).text).toContain(offer);
  for (const { poolGuid } of (await service.request('admin', 'GET', '/pools?status=published')).body.items)
    expect((await service.request('admin', 'POST', `/pools/${poolGuid}/retire`)).status).toBe(200);
  expect((await ask('/maps/playlist')).status).toBe(200);
  expect((await ask('/', HTML)).text).toContain(offer);
});

describe('an address without a page', () => {
  test.each([
    '/nowhere',
    '/nowhere/',
    '/player',
    '/matches/x/y',
    `/player/${'x'.repeat(300)}`,
    '/player/%',
    '/staff/%FF',
  ])('shows a browser a page of the refusal: %s', async (path) => {
    const { status, type, text, headers } = await ask(path, HTML);
    expect([status, type]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('<h1>Nothing here</h1>');
    expect(headers.get('content-security-policy')).toContain("style-src 'self'");
    expect((await ask(path)).code).toMatch(/NOT_FOUND|VALIDATION_FAILED/);
  });

  test('shows a link to sign in that leads back to it, with its query', async () => {
    const back = encodeURIComponent(`${service.url}/nowhere?one=1`);
    expect((await ask('/nowhere?one=1', HTML)).text).toContain(
      `href="auth/login?returnTo=${back}" id="sign-in"`,
    );
  });

  test.each([
    ['/queue', 404, 'NOT_IMPLEMENTED'],
    ['/queue/anything', 404, 'NOT_IMPLEMENTED'],
    ['/queue/%zz', 404, 'NOT_IMPLEMENTED'],
    ['/pools/nonsense', 400, 'VALIDATION_FAILED'],
    [`/pools/${GUID}`, 404, 'POOL_NOT_FOUND'],
    [`/pools/${'x'.repeat(300)}`, 400, 'VALIDATION_FAILED'],
    ['/pools/%E0%A4%A', 400, 'VALIDATION_FAILED'],
    ['/auth/me', 401, 'UNAUTHENTICATED'],
    ['/auth/logout', 405, 'METHOD_NOT_ALLOWED'],
  ])(
    'answers as JSON where only programs have an address, also to a browser: %s',
    async (path, status, code) => {
      const answer = await ask(path, HTML);
      expect([answer.status, answer.code]).toEqual([status, code]);
    },
  );
});

test('files of pages have a hash in their name, do not change, and are sent compressed', async () => {
  const { text } = await ask('/', HTML);
  const files = [...text.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThanOrEqual(2);
  for (const file of files) {
    expect(file).toMatch(/-[\w-]{8}\.(js|css)$/);
    const answer = await ask(`/${file}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    // The headers for other origins differ, and caches keep the file for a year.
    expect(answer.headers.get('vary')?.split(', ').sort()).toEqual(['Accept-Encoding', 'Origin']);
    const plain = readFileSync(new URL(`../../src/pages/bundle/${file.slice(7)}`, import.meta.url), 'utf8');
    expect(answer.text).toBe(plain);
    expect((await ask(`/${file}`, { 'accept-encoding': 'identity' })).text).toBe(plain);
  }
  // While nodes of two builds run, the other one may have it: no cache keeps this.
  const other = await ask('/assets/style-00000000.css');
  expect([other.status, other.headers.get('cache-control')]).toEqual([404, 'no-store']);
  for (const name of ['/favicon.svg', '/robots.txt', '/preview.png'])
    expect((await ask(name)).status).toBe(200);
});
