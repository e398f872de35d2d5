import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** Properties of all answers. */

const WEBSITE = 'https://www.example.org';
const STRANGER = 'https://elsewhere.example';

let service: TestService;
let admin: Record<string, string>;
beforeAll(async () => {
  service = await startTestService({ environment: { WEBSITE_ORIGINS: WEBSITE } });
  admin = { authorization: `Bearer ${await service.identityProvider.accountToken('admin')}` };
});
afterAll(() => service.stop());

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

const ask = async (method: string, path: string, init: RequestInit = {}): Promise<Answer> => {
  const answer = await fetch(`${service.url}${path}`, { method, redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

/** Sends bytes that no client library would send. */
const send = (request: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on('data', (chunk) => (received += chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', text = ''] = received.split('\r\n\r\n', 2);
      const [line = '', ...fields] = head.split('\r\n');
      const headers = new Headers(
        fields.map((field): [string, string] => [
          field.slice(0, field.indexOf(':')),
          field.slice(field.indexOf(':') + 1).trim(),
        ]),
      );
      resolve({ status: Number(line.split(' ')[1]), headers, text });
    });
  });

function expectCommonHeaders({ headers }: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('server')).toBeNull();
}

/** Checks the form of a refusal. */
function expectRefusal(answer: Answer, status: number, code: string): void {
  expectCommonHeaders(answer);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const body = JSON.parse(answer.text);
  expect([answer.status, body.error?.code]).toEqual([status, code]);
  expect(Object.keys(body)).toEqual(['error']);
  const { message, details, requestId, ...others } = body.error;
  expect(others).toEqual({ code });
  expect(message).toMatch(/\S/);
  if (details !== undefined) expect(details).toBeTypeOf('object');
  expect(requestId).toBe(code === 'INTERNAL_ERROR' ? answer.headers.get('x-request-id') : undefined);
}

const json = { 'content-type': 'application/json' };
const long = 'a'.repeat(17 * 1024);

describe('a refusal has the same form and headers everywhere:', () => {
  test('an unknown address', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'])
      expectRefusal(await ask(method, '/nothing/here'), 404, 'NOT_FOUND');
    expectRefusal(await ask('POST', '/nothing', { headers: json, body: '{"half' }), 404, 'NOT_FOUND');
    expectRefusal(await ask('POST', '/nothing', { body: '<a/>' }), 404, 'NOT_FOUND');
  });

  test('an address with a slash at its end', async () => {
    for (const path of [
      '/seasons/',
      '/seasons/?limit=5',
      '/health/',
      '/pools/x/',
      '/maps/hashes/',
      '/nothing/',
    ])
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']) {
        const answer = await ask(method, path);
        expect([method, path, answer.status]).toEqual([method, path, 404]);
        if (method !== 'HEAD') expectRefusal(answer, 404, 'NOT_FOUND');
      }
    expectRefusal(await ask('POST', '/pools/', { headers: { authorization: 'Bearer x' } }), 404, 'NOT_FOUND');
  });

  test('a request with two hosts', async () => {
    const ports = ['Host: x\r\nHost: x', 'Host: x\r\nhOST: y', 'Host: x\r\nAccept: */*\r\nHost: '];
    for (const path of [
      '/health',
      '/maps/hashes',
      '/nothing',
      '/queue',
      '/socket.io/?EIO=4&transport=polling',
    ])
      for (const hosts of ports) {
        const answer = await send(`GET ${path} HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
        expectRefusal(answer, 400, 'VALIDATION_FAILED');
      }
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
    for (const path of ['/live/u/1', '/socket.io/?EIO=4&transport=websocket'])
      expectRefusal(
        await send(`GET ${path} HTTP/1.1\r\n${ports[1]}\r\n${upgrade}\r\n\r\n`),
        400,
        'VALIDATION_FAILED',
      );
  });

  test('a malformed address', async () => {
    for (const path of ['/pools/%zz', '/pools/%', `/pools/${'a'.repeat(300)}`, '/pools/x/maps'])
      expectRefusal(await ask('GET', path), 400, 'VALIDATION_FAILED');
  });

  test('a malformed address of every group of routes', async () => {
    const { paths } = JSON.parse((await ask('GET', '/openapi.json')).text) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const families = Object.entries(paths)
      .filter(([path]) => path.includes('{'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => [method.toUpperCase(), path.replaceAll(/\{[^}]+\}/g, '%zz')]),
      );
    expect(families.length).toBeGreaterThan(50);
    const hidden = [
      ...['/docs/%zz', '/%zz', '/maps/%c3%28%', '/live/u/%zz'].map((path) => ['GET', path]),
      ...['/internal/plugin-releases/%zz', '/internal/plugin-releases/%'].map((path) => ['PUT', path]),
    ];
    for (const [method, path] of [...families, ...hidden]) {
      const answer = await send(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} 400`);
      expectRefusal(answer, 400, 'VALIDATION_FAILED');
    }
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
    expectRefusal(
      await send(`GET /live/u/%zz HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`),
      400,
      'VALIDATION_FAILED',
    );
  });

  test('a head above 16 KiB, in the address or in a header', async () => {
    expectRefusal(await send(`GET /${long} HTTP/1.1\r\nHost: x\r\n\r\n`), 431, 'HEAD_TOO_LARGE');
    expectRefusal(
      await send(`GET /health HTTP/1.1\r\nHost: x\r\nX-Much: ${long}\r\n\r\n`),
      431,
      'HEAD_TOO_LARGE',
    );
  });

  test('bytes that are not HTTP', async () => {
    expectRefusal(await send('HELLO\r\n\r\n'), 400, 'VALIDATION_FAILED');
    expectRefusal(await send('GET /health HTTP/1.1\r\nno colon\r\n\r\n'), 400, 'VALIDATION_FAILED');
    for (const path of ['/health', '/maps/hashes'])
      expectRefusal(
        await send(`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`),
        400,
        'VALIDATION_FAILED',
      );
  });

  test('a WebSocket of another site, and a malformed one', async () => {
    const upgrade = (query: string, origin: string, key = 'AAAAAAAAAAAAAAAAAAAAAA==', version = 13) =>
      send(
        `GET /socket.io/?${query} HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: ${version}\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
      );
    const channel = 'EIO=4&transport=websocket';
    expectRefusal(await upgrade(channel, 'https://evil.example'), 403, 'FORBIDDEN');
    expectRefusal(await upgrade('EIO=4&transport=pigeon', WEBSITE), 400, 'VALIDATION_FAILED');
    expectRefusal(await upgrade(`${channel}&sid=unknown`, WEBSITE), 400, 'VALIDATION_FAILED');
    for (const query of ['EIO=3&transport=websocket', 'transport=websocket'])
      expectRefusal(await upgrade(query, WEBSITE), 400, 'VALIDATION_FAILED');
    expectRefusal(await upgrade(channel, WEBSITE, 'short'), 400, 'VALIDATION_FAILED');
    // A client learns which version to use instead (RFC 6455, 4.4).
    const old = await upgrade(channel, WEBSITE, undefined, 12);
    expectRefusal(old, 400, 'VALIDATION_FAILED');
    expect(old.headers.get('sec-websocket-version')).toContain('13');
  });

  test('long polling that is malformed, of another site, or too large', async () => {
    const path = '/socket.io/?EIO=4&transport=polling';
    const open = async () => JSON.parse((await ask('GET', path)).text.slice(1)).sid as string;
    const bad = (method: string, query = '', init: RequestInit = {}) => ask(method, path + query, init);
    const site = (origin: string) => ({ headers: { origin } });
    for (const answer of [
      await ask('GET', '/socket.io/'),
      await ask('GET', '/socket.io/?EIO=4&transport=pigeon'),
      await ask('GET', '/socket.io/?EIO=4&transport=websocket'),
      await ask('GET', '/socket.io/?EIO=3&transport=polling'),
      await bad('GET', '&sid=unknown'),
      await bad('POST', '&sid=unknown', { body: '40' }),
      await bad('POST', '', { body: '40' }),
      // Pages of any site could read it as a script.
      await bad('GET', '&j=0'),
      await bad('GET', '&j=%3Calert'),
    ])
      expectRefusal(answer, 400, 'VALIDATION_FAILED');
    expectRefusal(await bad('GET', '', site('https://evil.example')), 403, 'FORBIDDEN');
    for (const method of ['PUT', 'DELETE', 'PROPFIND'])
      for (const query of ['', `&sid=${await open()}`]) {
        const answer = await bad(method, query);
        expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
        expect(answer.headers.get('allow')).toBe('GET, POST');
      }
    const plain = await bad('OPTIONS');
    expect([plain.status, plain.headers.get('allow')]).toEqual([204, 'GET, POST']);
    const binary = { headers: { 'content-type': 'application/octet-stream' }, body: '40' };
    expectRefusal(await bad('POST', `&sid=${await open()}`, binary), 400, 'VALIDATION_FAILED');
    const large = { body: `4${'2'.repeat(33 * 1024)}` };
    expectRefusal(await bad('POST', `&sid=${await open()}`, large), 413, 'PAYLOAD_TOO_LARGE');
    const sid = `&sid=${await open()}`;
    await bad('POST', sid, { body: '40' });
    await bad('GET', sid);
    const overlapping = await Promise.all([bad('GET', sid), bad('GET', sid), bad('GET', sid)]);
    const refused = overlapping.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expectRefusal(answer, 400, 'VALIDATION_FAILED');
  });

  test('a body that is too large, malformed, of another type or missing', async () => {
    const post = (body: string | Buffer<ArrayBuffer> | undefined, type?: string) =>
      ask('POST', '/map-categories', { headers: { ...admin, ...(type && { 'content-type': type }) }, body });
    const large = JSON.stringify({ name: 'a'.repeat(256 * 1024) });
    expectRefusal(await post(large, 'application/json'), 413, 'PAYLOAD_TOO_LARGE');
    for (const body of ['{"name"', '[[[['.repeat(20_000), '{"__proto__":{"a":1},"name":"x"}', 'nul\0'])
      expectRefusal(await post(body, 'application/json'), 400, 'VALIDATION_FAILED');
    for (const wrong of ['ff', 'c3', 'eda080', 'f09f98'])
      expectRefusal(
        await post(Buffer.from(`7b226e616d65223a2261${wrong}227d`, 'hex'), 'application/json'),
        400,
        'VALIDATION_FAILED',
      );
    for (const body of [
      '',
      'null',
      '[]',
      '"name"',
      '{"name":"x","extra":1}',
      '{"name":"a\\u0000b"}',
      '{"name":"a\\ud800b"}',
      '{}',
    ])
      expectRefusal(await post(body, 'application/json'), 400, 'VALIDATION_FAILED');
    for (const type of ['text/plain', 'text/xml', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expectRefusal(await post('{"name":"x"}', type), 415, 'UNSUPPORTED_MEDIA_TYPE');
    for (const charset of ['utf-16', 'UTF-16LE', '"iso-8859-1"', 'utf-7', ''])
      expectRefusal(
        await post('{"name":"x"}', `application/json; charset=${charset}`),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      );
    for (const charset of ['utf-8', 'UTF8', '"utf-8"', 'us-ascii'])
      expectRefusal(await post('{}', `application/json;charset=${charset}`), 400, 'VALIDATION_FAILED');
    expectRefusal(await post(undefined), 400, 'VALIDATION_FAILED');
    const coded = (coding: string) =>
      ask('POST', '/map-categories', {
        headers: { ...admin, 'content-type': 'application/json', 'content-encoding': coding },
        body: '{}',
      });
    for (const coding of ['gzip', 'br', 'pigeon'])
      expectRefusal(await coded(coding), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectRefusal(await coded('identity'), 400, 'VALIDATION_FAILED');
  });

  test('a body of another type or too large, at every operation that takes one', async () => {
    const { paths } = JSON.parse((await ask('GET', '/openapi.json')).text);
    const pooler = `Bearer ${await service.identityProvider.accountToken('pooler-one')}`;
    const operations = Object.entries<any>(paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods)
        // A replay needs a token of the game and its match: `test/replays/publishing.test.ts`.
        .filter(([, { requestBody }]) => requestBody !== undefined && !path.endsWith('/replay'))
        .map(([method, { requestBody, 'x-roles': roles = [] }]) => ({
          target: `${method.toUpperCase()} ${path.replace('{roundNumber}', '1').replaceAll(/\{\w+\}/g, newGuid())}`,
          authorization: roles.includes('role:pooler') ? pooler : admin.authorization,
          types: Object.keys(requestBody.content),
        })),
    );
    expect(operations.length).toBeGreaterThan(20);
    for (const { target, authorization, types } of operations) {
      const announce = (type: string, bytes: number) =>
        send(
          `${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n${'a'.repeat(Math.min(bytes, 4))}`,
        );
      const outcome = async (answer: Promise<Answer>) => {
        const { status, text } = await answer;
        return `${target}: ${status} ${JSON.parse(text).error.code}`;
      };
      expect(await outcome(announce('application/xml', 4))).toBe(`${target}: 415 UNSUPPORTED_MEDIA_TYPE`);
      for (const type of types)
        expect(await outcome(announce(type, 100 * 1024 * 1024))).toBe(`${target}: 413 PAYLOAD_TOO_LARGE`);
    }
  });

  test('wrong credentials, before the body is read', async () => {
    for (const authorization of ['', 'Basic YTpi', 'Bearer', 'Bearer a b', 'Bearer a.b.c']) {
      const answer = await ask('POST', '/pools', { headers: { authorization }, body: '<a/>' });
      expectRefusal(answer, 401, 'UNAUTHENTICATED');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  test('an invalid body; the refusal names the fields', async () => {
    const { text } = await ask('POST', '/seasons', { headers: { ...admin, ...json }, body: '{"name":""}' });
    const { details } = JSON.parse(text).error;
    expect(Object.keys(details)).toEqual(['fields']);
    expect(details.fields.map((field: object) => Object.keys(field).sort())).toEqual(
      Array(3).fill(['message', 'path']),
    );
    expect(details.fields.map(({ path }: { path: string }) => path)).toEqual(['name', 'startsAt', 'endsAt']);
  });
});

test.each([
  ['GET', '/pools?limit=x', '', 'limit must be a whole number from 1 to 100.'],
  ['GET', '/pools?foo=1', '', 'The query has an unknown field: "foo".'],
  ['GET', '/pools/x', '', 'poolGuid must be a UUID.'],
  ['GET', '/pools?cursor=x', '', 'cursor is not a cursor of this list.'],
  ['POST', '/seasons', '{"name":1}', 'name must be text.'],
  ['POST', '/seasons', '{"startsAt":"x","endsAt":"x"}', 'name is missing.'],
  ['POST', '/map-categories', '{"name":"a","color":"red"}', 'color must be #RRGGBB.'],
  ['POST', '/map-categories', '[]', 'The body must be an object.'],
])('%s %s %s is refused with a sentence that says what is wrong', async (method, path, body, sentence) => {
  const init = body === '' ? {} : { body, headers: { ...admin, ...json } };
  const answer = await ask(method, path, init);
  expectRefusal(answer, 400, 'VALIDATION_FAILED');
  const { message, details } = JSON.parse(answer.text).error;
  expect([message, details.fields[0].message]).toEqual([sentence, sentence]);
});

describe('a malformed query of a list', () => {
  const cursor = (key: unknown) => Buffer.from(JSON.stringify(key)).toString('base64url');
  const guid = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';

  test.each([
    ['/map-categories', [99_999_999_999, 'a']],
    ['/map-categories', [1, 'a\0']],
    ['/seasons', ['0000-01-01T00:00:00.000Z']],
    ['/players', ['a\0', guid]],
    ['/audit-log', ['0000-01-01T00:00:00.000Z', guid]],
    ['/pools', ['x']],
    ['/queues', [guid, guid]],
    ['/matches', [1e300, guid]],
    ['/matches', [-9e15, guid]],
    ['/matches', [1, 'x']],
    ['/matches', 'x'],
    ['/matches', null],
  ])('with a made-up cursor is refused by %s: %j', async (path, key) => {
    const answer = await ask('GET', `${path}?cursor=${cursor(key)}`, { headers: admin });
    expectRefusal(answer, 400, 'VALIDATION_FAILED');
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=1.5',
    'limit=x',
    'limit=0x5',
    'limit=1e1',
    'limit=%205',
    'limit=-1',
    'limit=1&limit=2',
    'cursor=',
    'other=1',
  ])('is refused: %s', async (query) => {
    for (const path of ['/pools', '/seasons', '/map-categories', '/queues', '/players', '/matches'])
      expectRefusal(await ask('GET', `${path}?${query}`), 400, 'VALIDATION_FAILED');
  });

  test('with a filter that the database cannot hold is refused', async () => {
    for (const query of ['target=%00', 'action=a%00', 'actorGuid=x'])
      expectRefusal(await ask('GET', `/audit-log?${query}`, { headers: admin }), 400, 'VALIDATION_FAILED');
    expectRefusal(await ask('GET', '/players?query=%00'), 400, 'VALIDATION_FAILED');
  });
});

describe('a request header that the service does not support is ignored:', () => {
  const wish = (path: string, fields: string) => send(`GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n\r\n`);
  const close = 'Connection: close';

  test('another version of HTTP', async () => {
    const answer = await wish('/health', 'Connection: Upgrade, close\r\nUpgrade: h2c');
    expectCommonHeaders(answer);
    expect([answer.status, JSON.parse(answer.text).ok]).toEqual([200, true]);
  });

  test('a WebSocket at an address without one', async () => {
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    const upgrade = `Connection: Upgrade, close\r\nUpgrade: websocket\r\n${key}`;
    expectRefusal(await wish('/nothing', upgrade), 404, 'NOT_FOUND');
  });

  test('an unknown expectation', async () => {
    const answer = await wish('/health', `${close}\r\nExpect: 200-ok`);
    expectCommonHeaders(answer);
    expect(answer.status).toBe(200);
  });
});

describe('the older batch pooling', () => {
  test('is not implemented for any method, path, body or credentials', async () => {
    const notImplemented = async (method: string, path: string, init?: RequestInit) => {
      const answer = await ask(method, path, init);
      expectRefusal(answer, 404, 'NOT_IMPLEMENTED');
      expect(JSON.parse(answer.text).error.message).toBe('Not Implemented');
    };
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'LOCK', 'QUERY'])
      for (const path of ['/queue', '/queue/', '/queue/maps/batch', '/queue?x=1'])
        await notImplemented(method, path);
    for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND'])
      for (const path of [
        '/queue/%zz',
        '/queue/%',
        '/queue/join/%',
        '/queue/a%c3?x=1',
        `/queue/${'x'.repeat(300)}`,
      ])
        await notImplemented(method, path);
    await notImplemented('POST', '/queue/batch', { headers: json, body: '{"half' });
    await notImplemented('POST', '/queue/batch', { body: '<a/>' });
    await notImplemented('POST', '/queue/batch', { headers: { authorization: 'Bearer bad' } });
    const preflight = { origin: WEBSITE, 'access-control-request-method': 'GET' };
    for (const path of ['/queue', '/queue/batch'])
      await notImplemented('OPTIONS', path, { headers: preflight });
    for (const path of ['/queue', '/queue/%zz']) {
      const head = await ask('HEAD', path);
      expect([head.status, head.text]).toEqual([404, '']);
    }
    for (const path of ['/queue%', '/queues/%zz'])
      expectRefusal(await ask('GET', path), 400, 'VALIDATION_FAILED');
  });
});

describe('a method that an address does not have', () => {
  const GUID = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';
  const addresses = async (): Promise<[string, string[]][]> => {
    const { paths } = JSON.parse((await ask('GET', '/openapi.json')).text) as {
      paths: Record<string, Record<string, unknown>>;
    };
    return Object.entries(paths).map(([path, operations]) => {
      const methods = Object.keys(operations).map((method) => method.toUpperCase());
      const withHead =
        methods.includes('GET') && !/^.auth.(login|callback)$/.test(path) ? [...methods, 'HEAD'] : methods;
      return [path.replaceAll(/\{[^}]+\}/g, GUID), withHead];
    });
  };
  const allowed = ({ headers }: Answer) => (headers.get('allow') ?? '').split(', ').sort();

  test('is 405 with the allowed methods, before credentials and bodies are checked', async () => {
    const all = await addresses();
    expect(all.length).toBeGreaterThan(50);
    for (const [path, methods] of all) {
      const wrong = ['PATCH', 'PROPFIND', 'POST', 'DELETE'].find((method) => !methods.includes(method)) ?? '';
      const headers = { authorization: 'Bearer nobody', 'content-type': 'text/xml' };
      const answer = await ask(wrong, path, { headers, body: '{"half' });
      expect(`${wrong} ${path} ${answer.status}`).toBe(`${wrong} ${path} 405`);
      expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
      expect([path, ...allowed(answer)]).toEqual([path, ...methods.sort()]);
    }
    const health = await ask('DELETE', '/health');
    expect(health.headers.get('allow')).toBe('GET, HEAD');
    expect((await ask('POST', '/internal/plugin-releases/1.40.8')).headers.get('allow')).toBe('PUT, DELETE');
    // Without the token the address of the metrics looks like an unknown one.
    expectRefusal(await ask('POST', '/metrics'), 404, 'NOT_FOUND');
  });

  test('is listed in the answer to OPTIONS, for every origin', async () => {
    for (const [path, methods] of await addresses())
      for (const headers of [
        {},
        { origin: WEBSITE },
        { origin: STRANGER },
        { 'access-control-request-method': 'GET' },
      ] as Record<string, string>[]) {
        const answer = await ask('OPTIONS', path, { headers });
        expectCommonHeaders(answer);
        expect([path, answer.status, answer.text]).toEqual([path, 204, '']);
        expect([path, ...allowed(answer)]).toEqual([path, ...methods.sort()]);
      }
    expectRefusal(await ask('OPTIONS', '/nothing', { headers: { origin: WEBSITE } }), 404, 'NOT_FOUND');
  });
});

describe('HEAD', () => {
  test('answers as GET does, without the body', async () => {
    for (const path of ['/health', '/server/status', '/pools', '/maps/hashes', '/openapi.json', '/docs']) {
      const [get, head] = [await ask('GET', path), await ask('HEAD', path)];
      expectCommonHeaders(head);
      expect(head.text).toBe('');
      expect(head.status).toBe(get.status);
      for (const name of ['etag', 'cache-control', 'content-type', 'vary'])
        expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
  });
});

describe('pages of other origins', () => {
  const list = (answer: Answer, name: string) =>
    (answer.headers.get(name) ?? '').split(',').map((one) => one.trim().toLowerCase());
  const preflight = (origin: string, method: string, headers = '') =>
    ask('OPTIONS', '/pools/x', {
      headers: {
        origin,
        'access-control-request-method': method,
        ...(headers && { 'access-control-request-headers': headers }),
      },
    });

  test('the website may send every request, with credentials', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await preflight(WEBSITE, method, 'authorization,content-type,if-match');
      expect(answer.status).toBe(204);
      expectCommonHeaders(answer);
      expect(answer.headers.get('access-control-allow-origin')).toBe(WEBSITE);
      expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
      expect(list(answer, 'access-control-allow-methods')).toContain(method.toLowerCase());
      expect(list(answer, 'access-control-allow-headers')).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'if-match']),
      );
      expect(list(answer, 'vary')).toContain('origin');
    }
    for (const [method, path] of [
      ['GET', '/pools'],
      ['GET', '/nothing'],
      ['POST', '/pools'],
    ] as const) {
      const answer = await ask(method, path, { headers: { origin: WEBSITE } });
      expect(answer.headers.get('access-control-allow-origin')).toBe(WEBSITE);
      expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
      expect(list(answer, 'access-control-expose-headers')).toEqual(
        expect.arrayContaining([
          'etag',
          'x-request-id',
          'retry-after',
          'x-service-plugin-version',
          'x-checksum-sha256',
        ]),
      );
      expect(list(answer, 'vary')).toContain('origin');
    }
  });

  test('only the website may read private data', async () => {
    for (const path of ['/auth/me', '/audit-log', `/players/${crypto.randomUUID()}/roles`]) {
      const own = await ask('GET', path, { headers: { origin: WEBSITE } });
      expect(own.headers.get('access-control-allow-origin'), path).toBe(WEBSITE);
      const other = await ask('GET', path, { headers: { origin: STRANGER } });
      expect(other.headers.get('access-control-allow-origin'), path).toBeNull();
      expect(list(other, 'vary')).toContain('origin');
    }
  });

  test('other origins may read public data and not write', async () => {
    for (const answer of [
      await ask('GET', '/pools', { headers: { origin: STRANGER } }),
      await preflight(STRANGER, 'GET', 'if-none-match'),
    ]) {
      expect([200, 204]).toContain(answer.status);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(list(answer, 'vary')).toContain('origin');
    }
    for (const origin of [STRANGER, 'null', `${WEBSITE}.evil.example`, 'http://www.example.org'])
      for (const answer of [
        await preflight(origin, 'PATCH'),
        await preflight(origin, 'POST', 'authorization'),
        await ask('POST', '/pools', { headers: { origin } }),
      ]) {
        expect(answer.headers.get('access-control-allow-origin')).toBeNull();
        expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      }
  });
});
