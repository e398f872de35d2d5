import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../harness/service.ts';

/**
 * A map host that is not BeatSaver. It serves the API under a path, knows nothing but `/maps/id/{key}`, and
 * answers what each test wants.
 */

interface Upload {
  hash: string;
  state: string;
  diffs: object[];
  [member: string]: unknown;
}

const hashOf = (number: number) => number.toString(16).padStart(40, 'a');
const upload = (number: number, changes: Partial<Upload> = {}): Upload => ({
  hash: hashOf(number),
  state: 'Published',
  diffs: [{ characteristic: 'Standard', difficulty: 'Expert', notes: 430, maxScore: 388_355 }],
  downloadURL: `${origin}/files/${hashOf(number)}.zip`,
  coverURL: `${origin}/files/${hashOf(number)}.jpg`,
  ...changes,
});
const map = (number: number, changes: object = {}) => ({
  id: number.toString(16),
  name: `Map ${number}`,
  metadata: { duration: 100, songName: `Song ${number}`, levelAuthorName: 'Somebody' },
  versions: [upload(number)],
  ...changes,
});

let server: Server;
let origin: string;
let answer: (number: number) => { status: number; body?: unknown; headers?: Record<string, string> };
let asked: string[];
let service: TestService;
let tokens: { pooler: string; admin: string };
let pool: { path: string; categoryGuid: string };

beforeAll(async () => {
  server = createServer((request, response) => {
    // Covers are fetched a moment later, by requests of their own.
    if (!request.url?.endsWith('.jpg')) asked.push(request.url ?? '');
    const key = /^\/some\/api\/maps\/id\/([0-9a-f]+)$/.exec(request.url ?? '')?.[1];
    const { status, body, headers } = key === undefined ? { status: 404 } : answer(Number.parseInt(key, 16));
    response.writeHead(status, headers);
    response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  service = await startTestService({
    environment: { MAP_HOST_URL: `${origin}/some/api`, MAP_HOST_FILE_HOSTS: `127.0.0.1:${port}` },
  });
  const { identityProvider } = service;
  tokens = {
    admin: await identityProvider.accountToken('admin'),
    pooler: await identityProvider.accountToken('pooler-one'),
  };
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const season = await send('admin', '/seasons', { name: 'Season', startsAt: at(-1), endsAt: at(1) });
  const category = await send('admin', '/map-categories', { name: 'tech' });
  const { seasonGuid } = season.body;
  const created = await send('admin', '/pools', { seasonGuid, name: 'Pool' });
  pool = { path: `/pools/${created.body.poolGuid}/maps`, categoryGuid: category.body.categoryGuid };
});
beforeEach(() => {
  asked = [];
  answer = (number) => ({ status: 200, body: map(number) });
});
afterAll(async () => {
  await service.stop();
  server.close();
});

const send = async (who: keyof typeof tokens, path: string, body: object) => {
  const sent = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens[who]}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: sent.status, body: (await sent.json()) as any };
};
const row = (number: number) => ({
  key: number.toString(16),
  characteristic: 'Standard',
  difficulty: 'Expert',
  categoryGuid: pool.categoryGuid,
  modifiers: [],
});
const add = (number: number) => send('pooler', pool.path, row(number));
const mapCount = async (): Promise<number> => {
  const read = await fetch(`${service.url}${pool.path}`, {
    headers: { authorization: `Bearer ${tokens.pooler}` },
  });
  return ((await read.json()) as any).maps.length;
};
let last = 0x1000;
const unused = () => ++last;

test('a batch is added when the host looks up only one map at a time', async () => {
  const rows = Array.from({ length: 40 }, () => row(unused()));
  const { status, body } = await send('pooler', `${pool.path}/batch`, { maps: rows });
  expect(status).toBe(201);
  expect(Object.keys(body)).toEqual(['maps']);
  expect(body.maps.map(({ key }: { key: string }) => key)).toEqual(rows.map(({ key }) => key));
  const together = `/some/api/maps/ids/${rows.map(({ key }) => key).join(',')}`;
  const alone = rows.map(({ key }) => `/some/api/maps/id/${key}`);
  expect(asked.toSorted()).toEqual([together, ...alone].toSorted());

  // The service remembers that this host does not answer questions for many maps.
  asked = [];
  const others = Array.from({ length: 3 }, () => row(unused()));
  expect((await send('pooler', `${pool.path}/batch`, { maps: others })).status).toBe(201);
  expect(asked.toSorted()).toEqual(others.map(({ key }) => `/some/api/maps/id/${key}`));
});

test('the published upload is used, at any place in the list, and no other one', async () => {
  const [number, never] = [unused(), unused()];
  answer = (one) => ({
    status: 200,
    body: map(one, {
      versions:
        one === never
          ? [upload(one, { state: 'Uploaded' })]
          : [upload(1, { state: 'Testplay' }), upload(one), upload(2, { state: 'Feedback' })],
    }),
  });
  expect((await add(number)).body.hash).toBe(hashOf(number).toUpperCase());
  const { status, body } = await add(never);
  expect([status, body.error.code]).toEqual([404, 'MAP_NOT_FOUND']);
});

test('addresses that are not on the list, and files of another hash, are never given to clients', async () => {
  for (const [changes, location] of [
    [{ downloadURL: 'https://evil.example/x.zip', coverURL: 'https://evil.example/x.jpg' }, null],
    [{ downloadURL: `${origin}/files/${hashOf(7)}.zip` }, null],
    [{ downloadURL: undefined, coverURL: null }, null],
    [{ downloadURL: 'javascript:alert(1)', coverURL: 'data:image/png;base64,AAAA' }, null],
    [{}, 'as given'],
  ] as const) {
    const number = unused();
    answer = (one) => ({ status: 200, body: map(one, { versions: [upload(one, changes)] }) });
    const { status, body } = await add(number);
    expect(status).toBe(201);
    expect(body.coverUrl === null || body.coverUrl.startsWith(`${origin}/files/`)).toBe(true);
    const stored = await service.database.prisma.poolMap.findUniqueOrThrow({
      where: { mapGuid: body.mapGuid },
    });
    expect(stored.downloadUrl.startsWith(`${origin}/`)).toBe(true);
    expect(stored.downloadUrl).toContain(hashOf(number));
    expect(stored.downloadUrl.includes('/files/')).toBe(location !== null);
  }
});

test('a host that is down, over its limit or sends wrong answers is unavailable, and nothing is stored', async () => {
  const before = await mapCount();
  const answers: ReturnType<typeof answer>[] = [
    { status: 500 },
    { status: 429, headers: { 'retry-after': '1' } },
    { status: 403, body: 'Forbidden' },
    { status: 200, body: '<html>' },
    { status: 200, body: 'null' },
    { status: 200, body: {} },
    { status: 204 },
    { status: 200, body: map(0x999) },
    { status: 302, headers: { location: 'http://169.254.169.254/latest' } },
    { status: 302, headers: { location: '/some/api/maps/id/1' } },
    { status: 200, body: map(1, { versions: [upload(1, { hash: 'short' })] }) },
  ];
  for (const one of answers) {
    answer = () => one;
    const { status, body } = await add(unused());
    expect([one, status, body.error?.code]).toEqual([one, 502, 'UPSTREAM_UNAVAILABLE']);
    expect(JSON.stringify(body)).not.toContain(origin);
  }
  expect(await mapCount()).toBe(before);
});

test('unplayable and unknown maps have different codes', async () => {
  const difficulty = { characteristic: 'Standard', difficulty: 'Expert' };
  const cases: [object, string][] = [
    [
      { versions: [upload(1, { diffs: [{ ...difficulty, notes: 0, maxScore: 0 }] })] },
      '422 MAP_NOT_PLAYABLE',
    ],
    [{ metadata: { duration: 0 } }, '422 MAP_NOT_PLAYABLE'],
    [{ versions: [upload(1, { diffs: [] })] }, '422 DIFFICULTY_NOT_FOUND'],
    [
      { versions: [upload(1, { diffs: [{ ...difficulty, characteristic: 'Lawless' }] })] },
      '422 DIFFICULTY_NOT_FOUND',
    ],
  ];
  for (const [changes, expected] of cases) {
    answer = (number) => ({ status: 200, body: map(number, changes) });
    const { status, body } = await add(unused());
    expect(`${status} ${body.error?.code}`).toBe(expected);
  }
  answer = () => ({ status: 404 });
  expect((await add(unused())).body.error.code).toBe('MAP_NOT_FOUND');
});

test('a maximum score that the host does not give is computed from the notes', async () => {
  answer = (number) => ({
    status: 200,
    body: map(number, {
      versions: [
        upload(number, { diffs: [{ characteristic: 'Standard', difficulty: 'Expert', notes: 430 }] }),
      ],
    }),
  });
  expect((await add(unused())).body.maxScore).toBe(388_355);
});

test('the service stops asking a host that asks for a pause, answers with the time to wait, and works otherwise', async () => {
  answer = () => ({ status: 503, headers: { 'retry-after': '60' } });
  for (const number of [unused(), unused()]) {
    const refused = await fetch(`${service.url}${pool.path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.pooler}`, 'content-type': 'application/json' },
      body: JSON.stringify(row(number)),
    });
    expect(refused.status).toBe(502);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
  }
  expect(asked).toHaveLength(1);
  const ready = await fetch(`${service.url}/health/ready`);
  expect(ready.status).toBe(200);
  expect(((await ready.json()) as any).checks.mapHost).toEqual({ ok: true, message: 'asked us to wait' });
  expect((await add(last - 2)).status).toBe(409);
});
