import { createHash } from 'node:crypto';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { registerDocuments } from '../../src/platform/documents/routes.ts';
import { errorBody } from '../../src/platform/http/schemas.ts';
import type { Http } from '../../src/platform/http/server.ts';
import { createQuietHttp } from '../harness/http.ts';
import { options } from './contract.ts';

let app: Http;

beforeAll(async () => {
  app = await createQuietHttp({ clock: { now: () => 0 } });
  await registerDocuments(app, options);
  const thing = z.object({ thingGuid: z.guid(), size: z.int() }).meta({ id: 'TestThing' });
  const params = z.strictObject({ thingGuid: z.guid() });
  const size = z.object({ height: z.int().default(1) }).meta({ id: 'TestSize' });
  const colour = z.enum(['red', 'blue']).meta({ id: 'TestColour' });
  app.get(
    '/things/:thingGuid',
    {
      schema: {
        tags: ['things'],
        operationId: 'getThing',
        sends: ['ETag'],
        params,
        response: { 200: thing, 404: errorBody.describe('Nothing there.') },
      },
    },
    async () => ({ thingGuid: '', size: 0 }),
  );
  app.delete('/things/:thingGuid', { schema: { params, response: { 204: z.null() } } }, async () => null);
  app.post(
    '/things',
    {
      schema: {
        operationId: 'orderThing',
        body: z.strictObject({ colour, size }).meta({ id: 'TestOrder' }),
        response: { 201: z.object({ colour, size }) },
      },
    },
    async () => ({ colour: 'red' as const, size: { height: 1 } }),
  );
  app.get(
    '/enter',
    {
      config: { refusalPage: () => ({ headers: {}, body: '' }) },
      schema: {
        response: { 302: z.null().describe('Onwards.'), 400: errorBody.describe('`CONFLICT`: no.') },
      },
    },
    async (_request, reply) => reply.redirect('/'),
  );
  app.put('/internal/things/:thingGuid', { schema: { params } }, async () => 'internal');
  app.get('/hidden', { schema: { hide: true } }, async () => 'hidden');
});
afterAll(() => app.close());

describe('the HTTP document', () => {
  const read = async () => (await app.inject('/openapi.json')).json();

  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(await read());
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
    expect((await read()).openapi).toBe('3.1.0');
  });

  test('leaves out internal and hidden routes', async () => {
    expect(Object.keys((await read()).paths)).toEqual([
      '/docs',
      '/openapi.json',
      '/socket-docs.json',
      '/docs/ws',
      '/things/{thingGuid}',
      '/things',
      '/enter',
    ]);
  });

  test('names the page that a browser gets instead of a refusal, where there is one', async () => {
    const { paths, components } = await read();
    const typesOf = ({ responses }: any) =>
      Object.entries<any>(responses).map(([status, { $ref, content = {} }]) => [
        status,
        ...Object.keys(components.responses[$ref?.split('/').at(-1)]?.content ?? content),
      ]);
    const both = ['application/json', 'text/html'];
    expect(typesOf(paths['/enter'].get)).toEqual([
      ['302'],
      ['400', ...both],
      ['429', ...both],
      ['default', ...both],
    ]);
    for (const status of ['404', 'default'])
      expect(typesOf(paths['/things/{thingGuid}'].get)).toContainEqual([status, 'application/json']);
  });

  test('says which credentials a route takes, and that a public one takes none', async () => {
    const { get, delete: remove } = (await read()).paths['/things/{thingGuid}'];
    expect(get.security).toEqual([]);
    expect(remove.security).toEqual([{ bearer: [] }, { loginCookie: [] }]);
  });

  test('gives every operation a name, a tag and the refusals', async () => {
    const { get, delete: remove } = (await read()).paths['/things/{thingGuid}'];
    expect(get.operationId).toBe('getThing');
    expect(remove.tags).toEqual(['Things']);
    expect(get.responses['200'].description).toBe('OK');
    expect(get.responses['404']).toEqual({
      description: 'Nothing there.',
      headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
    });
    expect(Object.keys(remove.responses)).toEqual(['204', '401', '403', '429', 'default']);
    expect(remove.responses['204']).toEqual({
      description: 'No Content',
      headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
    });
  });

  test('names the refusals of a body where there is one', async () => {
    const { post } = (await read()).paths['/things'];
    expect(Object.keys(post.responses)).toEqual(['201', '401', '403', '413', '415', '429', 'default']);
    for (const [status, code] of [
      ['413', 'PAYLOAD_TOO_LARGE'],
      ['415', 'UNSUPPORTED_MEDIA_TYPE'],
    ] as const)
      expect(Object.keys(post.responses[status].content['application/json'].examples)).toEqual([code]);
  });

  test('says which roles a route needs, in words and for programs', async () => {
    const { get, delete: remove } = (await read()).paths['/things/{thingGuid}'];
    expect([remove.description, remove['x-roles']]).toEqual(['Needs `role:keeper`.', ['role:keeper']]);
    expect([get.description, get['x-roles']]).toEqual([undefined, undefined]);
  });

  test('names the headers of responses, and what answers `If-None-Match`', async () => {
    const { responses } = (await read()).paths['/things/{thingGuid}'].get;
    expect(Object.keys(responses['200'].headers)).toEqual(['X-Request-Id', 'ETag']);
    expect(Object.keys(responses['304'].headers)).toEqual(['X-Request-Id', 'ETag']);
    expect(Object.keys(responses['429'].headers)).toEqual(['X-Request-Id', 'Retry-After']);
  });

  test('has real requests and answers as examples', async () => {
    const { requestBody } = (await read()).paths['/things'].post;
    expect(requestBody.content['application/json'].example).toEqual({ colour: 'red', size: {} });
  });

  test('allows new members in responses and not in requests', async () => {
    const { TestThing, TestOrder } = (await read()).components.schemas;
    expect(TestThing.additionalProperties).toBeUndefined();
    expect(TestOrder.additionalProperties).toBe(false);
  });

  test('gives a request its own name where a response has the same shape in another form', async () => {
    const { schemas } = (await read()).components;
    expect(schemas.TestSizeInput).toMatchObject({ properties: { height: { default: 1 } } });
    expect(schemas.TestSizeInput.required).toBeUndefined();
    expect(schemas.TestSize.required).toEqual(['height']);
  });

  test('describes the shapes of its routes and no others', async () => {
    expect(Object.keys((await read()).components.schemas)).toEqual([
      'ChangeProblem',
      'ErrorCode',
      'FieldProblem',
      'HttpError',
      'Refusal',
      'RefusalDetails',
      'RowProblem',
      'TestColour',
      'TestOrder',
      'TestSize',
      'TestSizeInput',
      'TestThing',
    ]);
  });

  test('lists the error catalogue', async () => {
    expect((await read()).info.description).toContain(
      '| `TEST_NOT_HELD` | 409 | You do not hold <this> card. | `status` |',
    );
  });
});

test('both references link to the guides, which are served as they are written, with the documents that they name', async () => {
  const pages = [
    (await app.inject('/openapi.json')).json().info.description,
    (await app.inject('/docs/ws')).body,
  ];
  for (const name of ['rules.md', 'protocol.md', 'identity-provider.md', 'refusals.md', 'csharp.md']) {
    const { statusCode, headers, body } = await app.inject(`/docs/${name}`);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(body).toMatch(/^# /);
    for (const page of pages) expect(page).toContain(`/docs/${name}`);
    for (const [, named] of body.matchAll(/\]\(([\w-]+\.(?:md|json))/g))
      expect([named, (await app.inject(`/docs/${named}`)).statusCode]).toEqual([named, 200]);
  }
});

test.each(['/openapi.json', '/socket-docs.json', '/docs/ws'])(
  '%s is cacheable and answers 304',
  async (url) => {
    const first = await app.inject(url);
    expect(first.statusCode).toBe(200);
    expect(first.headers['cache-control']).toBe('public, max-age=300');
    const again = await app.inject({ url, headers: { 'if-none-match': String(first.headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  },
);

describe.each(['/docs', '/docs/', '/docs/ws'])('the page %s', (url) => {
  test('loads nothing from other hosts and cannot be framed', async () => {
    const page = await app.inject(url);
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['x-frame-options']).toBe('DENY');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*/);
    const assets = [...page.body.matchAll(/<(?:script|img|link|iframe)\b[^>]*(?:src|href)="([^"]+)"/g)];
    for (const [, address = ''] of assets) {
      const own = new URL(address, `http://localhost${url}`);
      expect(own.host, address).toBe('localhost');
      expect((await app.inject(own.pathname)).statusCode, address).toBe(200);
    }
  });
});

describe('the socket page', () => {
  const read = async () => (await app.inject('/docs/ws')).body;

  test('has its one style sheet inside and allowed by hash, and no script', async () => {
    const page = await app.inject('/docs/ws');
    const style = /<style>([\s\S]*?)<\/style>/.exec(page.body)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`);
    expect(page.body).not.toMatch(/<script|\son\w+=|style="/);
  });

  test('describes the handshake, every message with its fields and codes, and every error', async () => {
    const page = await read();
    for (const id of ['connect', 'acknowledgement', 'playCard', 'look', 'tableChanged', 'shape-TestTable'])
      expect(page).toContain(`id="${id}"`);
    for (const { code } of options.catalogue) expect(page).toContain(`id="error-${code}"`);
    expect(page).toContain('\n  face?: &quot;up&quot; | &quot;down&quot;\n');
    expect(page).toContain('number 0…1');
  });

  test('shows descriptions as text, whatever they contain', async () => {
    expect(await read()).toContain('Plays a card, not a &lt;script&gt;.');
    expect(await read()).toContain('You do not hold &lt;this&gt; card.');
  });

  test('has a target for each of its links', async () => {
    const page = await read();
    const ids = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const dangling = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id).filter((id) => !ids.has(id));
    expect(dangling).toEqual([]);
  });
});
