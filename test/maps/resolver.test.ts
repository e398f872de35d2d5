import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Maps, MapsOptions } from '../../src/domains/maps/index.ts';
import type { MapVersion } from '../../src/domains/maps/schemas.ts';
import { loadCatalogue } from '../../src/local/map-host/catalogue.ts';
import { type MapHost, startMapHost } from '../../src/local/map-host/server.ts';
import { type ManualClock, manualClock } from '../harness/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { temporaryStorage } from '../harness/storage.ts';
import { codeOf, forgetAnswers, openMaps, resolveOne } from './many-maps.ts';

const storage = await temporaryStorage();

let database: TestDatabase;
let clock: ManualClock;
let mapHost: MapHost;
let maps: Maps;

const mapsOn = (mapHostUrl: string, mapHostFileHosts: string[], options: Partial<MapsOptions> = {}): Maps =>
  openMaps({ storage, database, clock, mapHostUrl, mapHostFileHosts, ...options });

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await forgetAnswers(database);
  clock = manualClock();
  mapHost = await startMapHost({ port: 0 });
  maps = mapsOn(mapHost.url, [mapHost.fileHost]);
});
afterEach(() => mapHost.stop());

/** A map host that gives answers that the stand-in never gives. */
async function hostThat(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(respond);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    maps: mapsOn(`http://127.0.0.1:${port}`, [`127.0.0.1:${port}`]),
    port,
    stop: () => server.close(),
  };
}
const answering = (body: unknown) =>
  hostThat((_request, response) => response.end(typeof body === 'string' ? body : JSON.stringify(body)));

const HASH = '60542bd5bf9b17459631edb1643352dd7ed5c6ec';
const answer = {
  id: '1a',
  name: 'Song - Mapper',
  metadata: { duration: 180, songName: 'Song', levelAuthorName: 'Mapper' },
  versions: [
    {
      hash: HASH,
      state: 'Published',
      diffs: [{ characteristic: 'Standard', difficulty: 'Expert', notes: 430, maxScore: 388_355 }],
    },
  ],
};

test('a key resolves to the published upload with an upper-case hash, and the request names the service', async () => {
  const [first] = loadCatalogue();
  const version = await resolveOne(maps, first?.key ?? '');
  expect(version).toMatchObject({
    key: first?.key,
    hash: first?.hash.toUpperCase(),
    name: first?.name,
    songName: first?.songName,
    durationSeconds: first?.durationSeconds,
    downloadUrl: `${mapHost.url}/cdn/${first?.hash}.zip`,
    coverUrl: `${mapHost.url}/cdn/${first?.hash}.jpg`,
  });
  expect(version.difficulties).toEqual(
    first?.difficulties.map(({ characteristic, difficulty, maxScore }) => ({
      characteristic,
      difficulty,
      maxScore,
    })),
  );
  expect(mapHost.requests).toMatchObject([
    {
      url: `/maps/id/${first?.key}`,
      userAgent: 'CompetitiveMatchService/1.2.3 (+https://matches.example.org)',
    },
  ]);
});

test('the published version is found at any position', async () => {
  const withEarlier = loadCatalogue().find((map) => map.earlierVersion !== undefined);
  const { hash } = await resolveOne(maps, withEarlier?.key ?? '');
  expect(hash).toBe(withEarlier?.hash.toUpperCase());
});

test('a map in the form of 2021 is accepted: a numeric id, no maximum score, no addresses', async () => {
  const old = loadCatalogue().find((map) => map.shape === '2021');
  const version = await resolveOne(maps, old?.key ?? '');
  expect(version.difficulties.length).toBeGreaterThan(0);
  expect(version.difficulties.filter(({ maxScore }) => maxScore <= 0)).toEqual([]);
  expect(version.coverUrl).toBeNull();
  expect(version.downloadUrl).toBe(`http://${mapHost.fileHost}/${old?.hash}.zip`);
});

const captured = fileURLToPath(new URL('../../../shared/data/maps/', import.meta.url));
test.skipIf(!existsSync(captured))(
  'every captured answer of the real host is understood (skipped without them)',
  async () => {
    const read = (name: string) => JSON.parse(readFileSync(`${captured}${name}`, 'utf8'));
    const answers = [
      ...read('published-123-maps.json'),
      read('map-4b6f1-2025-10.json'),
      read('map-2021-08-no-maxscore.json'),
    ];
    const byKey = new Map(answers.map((one) => [String(one.versions[0].key ?? one.id), one]));
    const host = await hostThat((request, response) => {
      const keys = request.url?.split('/').at(-1)?.split(',') ?? [];
      response.end(JSON.stringify(Object.fromEntries(keys.map((key) => [key, byKey.get(key)]))));
    });
    const resolved = await host.maps.resolveAll([...byKey.keys()]);
    for (const [key, { versions, metadata }] of byKey) {
      const version = resolved.get(key) as MapVersion;
      expect(version.hash).toBe(versions[0].hash.toUpperCase());
      expect(version.durationSeconds).toBe(metadata.duration);
      expect(version.difficulties).toHaveLength(versions[0].diffs.length);
    }
    host.stop();
  },
);

test('concurrent look-ups of a key send one request', async () => {
  const key = loadCatalogue()[0]?.key ?? '';
  const versions = await Promise.all(Array.from({ length: 20 }, () => resolveOne(maps, key)));
  expect(new Set(versions.map(({ hash }) => hash)).size).toBe(1);
  expect(mapHost.requests).toHaveLength(1);
});

test('an answer of the host is valid for a minute, for other nodes too', async () => {
  const key = loadCatalogue()[0]?.key ?? '';
  const before = await resolveOne(maps, key);
  const after = mapHost.republish(key).toUpperCase();
  clock.advance(60_000 - 1);
  expect(await resolveOne(mapsOn(mapHost.url, [mapHost.fileHost]), key)).toEqual(before);
  clock.advance(1);
  expect((await resolveOne(maps, key)).hash).toBe(after);
  expect(mapHost.requests).toHaveLength(2);
});

test('a cached answer that would expire during the batch is requested again', async () => {
  const [known = '', other = ''] = loadCatalogue().map(({ key }) => key);
  await resolveOne(maps, known);
  const after = mapHost.republish(known).toUpperCase();
  clock.advance(59_000);
  const answers = await maps.resolveAll([known, other]);
  expect((answers.get(known) as { hash: string }).hash).toBe(after);
});

test('a look-up that wants a fresh answer asks the host although there is a cached one', async () => {
  const key = loadCatalogue()[0]?.key ?? '';
  await resolveOne(maps, key);
  const hash = mapHost.republish(key).toUpperCase();
  expect((await resolveOne(maps, key, { isFresh: true })).hash).toBe(hash);
  expect((await resolveOne(maps, key)).hash).toBe(hash);
  mapHost.removeMap(key);
  expect(await codeOf(resolveOne(maps, key, { isFresh: true }))).toBe('MAP_NOT_FOUND');
  expect(await codeOf(resolveOne(maps, key))).toBe('MAP_NOT_FOUND');
});

test('an unknown key is not found', async () => {
  expect(await codeOf(resolveOne(maps, 'fffffff'))).toBe('MAP_NOT_FOUND');
});

test.each(['down', 'slow', 'nonsense', 'invalid', 'error', 'rate_limited', 'redirect', 'huge'] as const)(
  'a host that is %s is unavailable, and works again by itself',
  async (mode) => {
    const key = loadCatalogue()[0]?.key ?? '';
    if (mode === 'slow') maps = mapsOn(mapHost.url, [mapHost.fileHost], { mapHostTimeoutMs: 1_500 });
    mapHost.fail(mode, { retryAfterSeconds: 1 });
    const started = Date.now();
    expect(await codeOf(resolveOne(maps, key))).toBe('UPSTREAM_UNAVAILABLE');
    expect(Date.now() - started).toBeLessThan(8_000);
    expect(await database.prisma.hostMapVersion.count()).toBe(0);
    mapHost.fail(null);
    expect(await codeOf(resolveOne(maps, key))).toBe('resolved');
  },
);

test('a host that cannot be reached at all is unavailable', async () => {
  await mapHost.stop();
  expect(await codeOf(resolveOne(maps, '1a'))).toBe('UPSTREAM_UNAVAILABLE');
});

test.each([
  ['another map', { ...answer, id: '1b' }],
  ['no versions', { ...answer, versions: undefined }],
  ['a hash that is none', { ...answer, versions: [{ ...answer.versions[0], hash: 'abc' }] }],
  [
    'a maximum score beyond all bounds',
    {
      ...answer,
      versions: [
        {
          ...answer.versions[0],
          diffs: [{ characteristic: 'Standard', difficulty: 'Expert', notes: 1, maxScore: 1e12 }],
        },
      ],
    },
  ],
  ['nothing', ''],
  ['half an answer', JSON.stringify(answer).slice(0, 50)],
])('an answer with %s is unusable', async (_what, body) => {
  const host = await answering(body);
  expect(await codeOf(resolveOne(host.maps, '1a'))).toBe('UPSTREAM_UNAVAILABLE');
  host.stop();
});

test('a map that was never published or was deleted is not found', async () => {
  for (const body of [
    { ...answer, versions: [] },
    { ...answer, versions: [{ ...answer.versions[0], state: 'Testplay' }] },
    { ...answer, deletedAt: '2026-01-01T00:00:00Z' },
  ]) {
    const host = await answering(body);
    expect(await codeOf(resolveOne(host.maps, '1a'))).toBe('MAP_NOT_FOUND');
    host.stop();
  }
});

test('a missing or null value has its default', async () => {
  const host = await answering({
    id: '1a',
    name: null,
    metadata: null,
    versions: [
      {
        hash: HASH,
        state: 'Published',
        diffs: [
          { characteristic: 'Standard', difficulty: 'Easy', notes: 14 },
          { characteristic: 'Lightshow', difficulty: 'Easy' },
        ],
        coverURL: null,
      },
    ],
  });
  expect(await resolveOne(host.maps, '1a')).toEqual({
    key: '1a',
    hash: HASH.toUpperCase(),
    name: '1a',
    songName: '1a',
    levelAuthorName: '',
    durationSeconds: 0,
    difficulties: [
      { characteristic: 'Standard', difficulty: 'Easy', maxScore: 5635 },
      { characteristic: 'Lightshow', difficulty: 'Easy', maxScore: 0 },
    ],
    coverUrl: null,
    downloadUrl: `http://127.0.0.1:${host.port}/${HASH}.zip`,
  });
  host.stop();
});

test('difficulties with unknown names are left out', async () => {
  const known = { characteristic: 'OneSaber', difficulty: 'Hard', maxScore: 5635 };
  const others = [
    { ...known, characteristic: 'TwoPlayers' },
    { ...known, difficulty: 'Brutal' },
  ];
  const host = await answering({
    id: '1a',
    versions: [{ hash: HASH, state: 'Published', diffs: [...others, known] }],
  });
  expect((await resolveOne(host.maps, '1a')).difficulties).toEqual([known]);
  host.stop();
});

test('addresses on another host are never stored', async () => {
  mapHost.fail('foreign_files');
  const [first] = loadCatalogue();
  const foreign = await resolveOne(maps, first?.key ?? '');
  expect(foreign.coverUrl).toBeNull();
  expect(foreign.downloadUrl).toBe(`${mapHost.url}/${first?.hash}.zip`);
});

test('redirects are followed within the host’s own origin, three at most', async () => {
  const hops = (count: number) =>
    hostThat((request, response) => {
      const hop = Number(new URL(request.url ?? '', 'http://x').searchParams.get('hop') ?? 0);
      if (hop === count) return response.end(JSON.stringify(answer));
      return response.writeHead(302, { location: `/elsewhere?hop=${hop + 1}` }).end();
    });
  for (const [count, outcome] of [
    [3, 'resolved'],
    [4, 'UPSTREAM_UNAVAILABLE'],
  ] as const) {
    const host = await hops(count);
    expect(await codeOf(resolveOne(host.maps, '1a'))).toBe(outcome);
    host.stop();
    await database.prisma.hostMapKey.deleteMany();
  }
});

test('many keys take one request, and each key without an answer in it takes one more', async () => {
  const keys = loadCatalogue().map(({ key }) => key);
  const some = await maps.resolveAll([...keys.slice(0, 5), 'fffffff', ...keys.slice(0, 5)]);
  expect([...some.values()].filter((one) => 'hash' in one)).toHaveLength(5);
  expect(some.get('fffffff')).toMatchObject({ code: 'MAP_NOT_FOUND' });
  expect(mapHost.requests.map(({ url }) => url)).toEqual([
    `/maps/ids/${[...keys.slice(0, 5), 'fffffff'].sort().join(',')}`,
    '/maps/id/fffffff',
  ]);

  mapHost.fail('down');
  const none = await maps.resolveAll(keys.slice(10, 70));
  expect([...none.values()].map((one) => 'code' in one && one.code)).toEqual(
    Array(60).fill('UPSTREAM_UNAVAILABLE'),
  );
  // One for many maps, and two for single ones, which show that the host is down.
  expect(mapHost.requests).toHaveLength(2 + 3);
});
