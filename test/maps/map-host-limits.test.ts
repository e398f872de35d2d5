import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Maps, MapsOptions } from '../../src/domains/maps/index.ts';
import type { Resolved } from '../../src/domains/maps/resolver.ts';
import type { ServiceError } from '../../src/platform/errors.ts';
import { type ManualClock, manualClock } from '../harness/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { temporaryStorage } from '../harness/storage.ts';
import {
  codeOf,
  type ManyMaps,
  mapOf,
  openMaps,
  resolveOne,
  startManyMaps,
  wellBehaved,
} from './many-maps.ts';

const storage = await temporaryStorage();

/** How several nodes together treat a map host that is slow, strict, down, or knows only some lookups. */

let database: TestDatabase;
let clock: ManualClock;
let host: ManyMaps;
let maps: Maps;

const node = (options: Partial<MapsOptions> = {}): Maps =>
  openMaps({
    storage,
    database,
    clock,
    mapHostUrl: host.url,
    mapHostFileHosts: [`127.0.0.1:${host.port}`],
    ...options,
  });

beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { prisma } = database;
  await prisma.hostMapKey.deleteMany();
  await prisma.hostMapQuestion.deleteMany();
  clock = manualClock();
  host = await startManyMaps();
  maps = node();
});
afterEach(() => host.stop());

const keysFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => (first + at).toString(16));
const codes = (resolved: ReadonlyMap<string, Resolved>) =>
  [...resolved.values()].map((one) => ('code' in one ? one.code : 'resolved'));
const refusalOf = (asking: Promise<unknown>): Promise<ServiceError> =>
  asking.then(
    () => Promise.reject(new Error('it was answered')),
    (error: ServiceError) => error,
  );
const answerWith =
  (status: number, headers: Record<string, string> = {}): ManyMaps['respond'] =>
  (_asked, response) => {
    response.writeHead(status, headers).end();
  };

test('two hundred new maps take four requests, and none the second time', async () => {
  const keys = keysFrom(0x1000, 200);
  expect(codes(await maps.resolveAll(keys))).toEqual(Array(200).fill('resolved'));
  expect(host.asked.map(({ lookup, names }) => [lookup, names.length])).toEqual(Array(4).fill(['ids', 50]));
  expect(codes(await node().resolveAll(keys))).toEqual(Array(200).fill('resolved'));
  expect(host.asked).toHaveLength(4);
});

test('many hashes take one request, and a replaced hash resolves to the published upload', async () => {
  const old = 'B'.repeat(40);
  host.respond = ({ names, lookup }, response) =>
    response.end(
      lookup === 'hashes'
        ? JSON.stringify({
            [names[0] ?? '']: mapOf('1f'),
            [names[1] ?? '']: mapOf('2f'),
            [names[2] ?? '']: null,
          })
        : '{}',
    );
  const hashes = ['1f'.padStart(40, 'A').toUpperCase(), old, 'C'.repeat(40)];
  const resolved = await maps.resolveAll(hashes);
  expect(resolved.get(hashes[0] ?? '')).toMatchObject({ key: '1f', hash: hashes[0] });
  expect(resolved.get(old)).toMatchObject({ key: '2f', hash: '2f'.padStart(40, 'a').toUpperCase() });
  expect(resolved.get('C'.repeat(40))).toMatchObject({ code: 'MAP_NOT_FOUND' });
  expect(host.asked.map(({ url }) => url)).toEqual([`/maps/hash/${hashes.join(',').toLowerCase()}`]);
  expect(await node().resolveAll(hashes)).toEqual(resolved);
  expect(host.asked).toHaveLength(1);
});

test.each<[string, ManyMaps['respond']]>([
  ['404', answerWith(404)],
  ['400', answerWith(400)],
  ['405', answerWith(405)],
  ['500 without more', answerWith(500)],
  ['a web page', (_asked, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
  ['an empty object', (_asked, response) => response.end('{}')],
  ['an empty list', (_asked, response) => response.end('[]')],
  ['text', (_asked, response) => response.end('"none"')],
  ['maps that were not asked for', (_asked, response) => response.end(JSON.stringify({ '1': mapOf('1') }))],
  [
    'each map under the key of another',
    ({ names }, response) =>
      response.end(
        JSON.stringify(Object.fromEntries(names.map((name, at) => [names.at(at - 1), mapOf(name)]))),
      ),
  ],
])(
  'when a request for many maps is answered with %s, maps are requested one by one for a while',
  async (_what, many) => {
    host.respond = (asked, response, request) =>
      asked.lookup === 'ids' ? many(asked, response, request) : wellBehaved(asked, response);
    expect(codes(await maps.resolveAll(keysFrom(0x100, 2)))).toEqual(Array(2).fill('resolved'));
    expect(host.asked.map(({ lookup }) => lookup)).toEqual(['ids', 'id', 'id']);
    await maps.resolveAll(keysFrom(0x200, 2));
    expect(host.asked.slice(3).map(({ lookup }) => lookup)).toEqual(['id', 'id']);
  },
);

test('an answer for many maps may be a list, and maps that are not in the list are requested one by one', async () => {
  host.respond = (asked, response) =>
    asked.lookup === 'ids'
      ? response.end(JSON.stringify(asked.names.slice(0, 3).map((name) => mapOf(name))))
      : wellBehaved(asked, response);
  expect(codes(await maps.resolveAll(keysFrom(0x100, 5)))).toEqual(Array(5).fill('resolved'));
  expect(host.asked.map(({ lookup }) => lookup)).toEqual(['ids', 'id', 'id']);
});

test('the host is asked although its next turn is from before the clock of the database was set back', async () => {
  await resolveOne(maps, '100');
  await database.pool.query(`UPDATE "MapHostTurn" SET "nextAt" = "nextAt" + interval '1 hour'`);
  expect(await codeOf(resolveOne(node(), '200'))).toBe('resolved');
});

test('an answer is valid for a minute from its request', async () => {
  host.respond = (asked, response) => {
    clock.advance(20_000);
    wellBehaved(asked, response);
  };
  await resolveOne(maps, '100');
  clock.advance(39_000);
  await resolveOne(maps, '100');
  expect(host.asked).toHaveLength(1);
  clock.advance(1_000);
  await resolveOne(maps, '100');
  expect(host.asked).toHaveLength(2);
});

test('a request for many maps is tried again after ten minutes', async () => {
  host.respond = (asked, response, request) =>
    asked.lookup === 'ids' ? answerWith(404)(asked, response, request) : wellBehaved(asked, response);
  await maps.resolveAll(keysFrom(0x100, 2));
  host.respond = wellBehaved;
  clock.advance(10 * 60_000);
  await maps.resolveAll(keysFrom(0x200, 2));
  expect(host.asked.map(({ lookup }) => lookup)).toEqual(['ids', 'id', 'id', 'ids']);
});

test('an unusable answer for one map does not affect the others and names the map', async () => {
  host.respond = (asked, response) =>
    asked.names.length === 1 && asked.names[0] === '102'
      ? response.end('{}')
      : response.end(
          JSON.stringify(
            asked.lookup === 'ids'
              ? Object.fromEntries(asked.names.map((name) => [name, name === '102' ? {} : mapOf(name)]))
              : mapOf(asked.names[0] ?? ''),
          ),
        );
  const resolved = await maps.resolveAll(keysFrom(0x100, 5));
  expect(codes(resolved)).toEqual(['resolved', 'resolved', 'UPSTREAM_UNAVAILABLE', 'resolved', 'resolved']);
  expect((resolved.get('102') as ServiceError).message).toContain('map 102');
});

test('a failure of one map does not affect the others, names the map, and leaves requests for many maps in use', async () => {
  host.respond = (asked, response, request) =>
    asked.names.includes('102') ? answerWith(500)(asked, response, request) : wellBehaved(asked, response);
  const resolved = await maps.resolveAll(keysFrom(0x100, 5));
  expect(codes(resolved)).toEqual(['resolved', 'resolved', 'UPSTREAM_UNAVAILABLE', 'resolved', 'resolved']);
  expect((resolved.get('102') as ServiceError).message).toContain('map 102');
  host.asked.length = 0;
  await maps.resolveAll(keysFrom(0x200, 2));
  expect(host.asked.map(({ lookup }) => lookup)).toEqual(['ids']);
});

test('a batch with maps that fail may be repeated without stopping the requests for others', async () => {
  const failing = ['100', '101', '104'];
  host.respond = (asked, response, request) =>
    asked.names.some((name) => failing.includes(name))
      ? answerWith(500)(asked, response, request)
      : wellBehaved(asked, response);
  const keys = keysFrom(0x100, 12);
  for (let attempt = 0; attempt < 5; attempt++) {
    const resolved = await maps.resolveAll(keys);
    if (attempt === 0) continue;
    const named = [...resolved].filter(([key, one]) => 'code' in one && one.message.includes(`map ${key}`));
    expect(named.map(([key]) => key)).toEqual(failing);
    expect(codes(resolved).filter((code) => code === 'resolved')).toHaveLength(9);
    clock.advance(60_000);
  }
  expect(maps.hostStatus()).toBeNull();
  expect(await codeOf(resolveOne(maps, '200'))).toBe('resolved');
});

test('a batch stops early when all answers are unusable, also when it is repeated', async () => {
  host.respond = (_asked, response) => response.end('{"id":1}');
  for (let attempt = 0; attempt < 3; attempt++) {
    host.asked.length = 0;
    expect(codes(await maps.resolveAll(keysFrom(0x100, 24)))).toEqual(Array(24).fill('UPSTREAM_UNAVAILABLE'));
    expect(host.asked.length).toBeLessThan(20);
  }
});

test('only one of several nodes requests a map, alone or in a batch', async () => {
  const nodes = [maps, node(), node()];
  const keys = keysFrom(0x100, 30);
  const versions = await Promise.all(nodes.map((one) => resolveOne(one, 'abc')));
  expect(new Set(versions.map(({ hash }) => hash)).size).toBe(1);
  expect(host.asked).toHaveLength(1);
  const batches = await Promise.all(nodes.map((one) => one.resolveAll(keys)));
  for (const batch of batches) expect(codes(batch)).toEqual(Array(30).fill('resolved'));
  const named = host.asked.slice(1).flatMap(({ names }) => names);
  expect(named.toSorted()).toEqual(keys);
});

test('a map that a dead node has claimed is requested by another node when the claim expires', async () => {
  const until = new Date(Date.now() + 600);
  await database.prisma.hostMapQuestion.create({
    data: { key: 'abc', claimGuid: '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11', until },
  });
  expect((await resolveOne(maps, 'abc')).key).toBe('abc');
  expect(host.asked).toHaveLength(1);
  expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
  expect(await database.prisma.hostMapQuestion.count()).toBe(0);
});

test('all nodes together send less than ten requests a second', async () => {
  const nodes = [maps, node(), node()];
  const ask = (keys: readonly string[]) =>
    Promise.all(keys.map((key, at) => resolveOne(nodes[at % 3] ?? maps, key)));
  // The first request of a node takes longer, because it connects.
  await ask(keysFrom(0x100, 3));
  const begun = performance.now();
  await ask(keysFrom(0x200, 24));
  expect(host.asked).toHaveLength(3 + 24);
  // Counted from before the first one is sent, because it may arrive late on a busy machine.
  expect((host.asked.at(-1)?.at ?? 0) - begun).toBeGreaterThan(23 * 100);
});

test('a batch that takes too long fails, and the same batch requests only the rest when it is sent again', async () => {
  host.respond = (asked, response, request) =>
    asked.lookup === 'ids' ? answerWith(404)(asked, response, request) : wellBehaved(asked, response);
  const keys = keysFrom(0x100, 16);
  const first = codes(await node({ mapBatchPatienceMs: 800 }).resolveAll(keys));
  expect(new Set(first)).toEqual(new Set(['resolved', 'UPSTREAM_UNAVAILABLE']));
  expect(codes(await maps.resolveAll(keys))).toEqual(Array(16).fill('resolved'));
  const alone = host.asked.filter(({ lookup }) => lookup === 'id').flatMap(({ names }) => names);
  expect(alone.toSorted()).toEqual(keys);
});

test('a single map is resolved before the rest of a batch', async () => {
  host.respond = (asked, response, request) =>
    asked.lookup === 'ids' ? answerWith(404)(asked, response, request) : wellBehaved(asked, response);
  const batch = maps.resolveAll(keysFrom(0x100, 16));
  await expect.poll(() => host.asked.length, { interval: 5 }).toBeGreaterThanOrEqual(4);
  await resolveOne(maps, 'abc');
  const before = host.asked.findIndex(({ names }) => names.includes('abc'));
  expect(before).toBeLessThan(12);
  expect(codes(await batch)).toEqual(Array(16).fill('resolved'));
});

test.each<[string, number, () => Record<string, string>]>([
  ['Retry-After', 429, () => ({ 'retry-after': '1' })],
  [
    'a used-up window',
    200,
    () => ({ 'rate-limit-remaining': '0', 'rate-limit-reset': String(Math.ceil(Date.now() / 1000) + 1) }),
  ],
])('after %s no node sends a request until the end of the pause', async (_what, status, headers) => {
  host.respond = (asked, response) => {
    host.respond = wellBehaved;
    for (const [name, value] of Object.entries(headers())) response.setHeader(name, value);
    if (status === 200) wellBehaved(asked, response);
    else response.writeHead(status).end();
  };
  await resolveOne(maps, '100');
  await resolveOne(node(), '200');
  const [first, second] = host.asked.map(({ at }) => at);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(950);
});

test('during a long pause look-ups are refused at once with the end of the pause, without a request', async () => {
  host.respond = answerWith(429, { 'retry-after': '60' });
  const other = node();
  for (const ask of [
    () => resolveOne(maps, '100'),
    () => resolveOne(maps, '200'),
    () => resolveOne(other, '300'),
  ]) {
    const refusal = await refusalOf(ask());
    expect(refusal.code).toBe('UPSTREAM_UNAVAILABLE');
    expect(Number(refusal.headers['retry-after'])).toBeGreaterThan(50);
    expect(refusal.message).toMatch(/in \d\d seconds/);
  }
  expect(host.asked).toHaveLength(1);
  expect(maps.hostStatus()).toBe('asked us to wait');
});

test('a batch waits for a host with a small limit and resolves everything', async () => {
  let used = 0;
  host.respond = (asked, response, request) => {
    if (asked.lookup === 'ids') return answerWith(404)(asked, response, request);
    used += 1;
    if (used % 4 !== 0) return wellBehaved(asked, response);
    return answerWith(429, { 'retry-after': '0.3' })(asked, response, request);
  };
  expect(codes(await maps.resolveAll(keysFrom(0x100, 12)))).toEqual(Array(12).fill('resolved'));
});

test('after five failures requests pause, then a probe is sent', async () => {
  host.respond = (_asked, response) => response.destroy();
  for (const key of keysFrom(0x100, 5)) await refusalOf(resolveOne(maps, key));
  expect(host.asked).toHaveLength(5);
  expect(maps.hostStatus()).toMatch(/does not answer/);
  const refusal = await refusalOf(resolveOne(maps, '200'));
  expect([refusal.code, refusal.headers['retry-after']]).toEqual(['UPSTREAM_UNAVAILABLE', '5']);
  expect(host.asked).toHaveLength(5);

  clock.advance(5_000);
  await refusalOf(resolveOne(maps, '200'));
  expect(host.asked).toHaveLength(6);
  expect((await refusalOf(resolveOne(maps, '200'))).headers['retry-after']).toBe('10');

  host.respond = wellBehaved;
  clock.advance(10_000);
  // One of them is the probe; the others wait for its result and are not refused.
  await Promise.all(keysFrom(0x300, 4).map((key) => resolveOne(maps, key)));
  expect(maps.hostStatus()).toBeNull();
});

test('cached answers are served while the host is down', async () => {
  await maps.resolveAll(keysFrom(0x100, 3));
  host.respond = (_asked, response) => response.destroy();
  expect(codes(await node().resolveAll(keysFrom(0x100, 3)))).toEqual(Array(3).fill('resolved'));
});

test('the answer "no such map" is valid for seconds only', async () => {
  host.respond = answerWith(404);
  expect((await refusalOf(resolveOne(maps, 'abc'))).code).toBe('MAP_NOT_FOUND');
  host.respond = wellBehaved;
  expect((await refusalOf(resolveOne(node(), 'abc'))).code).toBe('MAP_NOT_FOUND');
  expect(host.asked).toHaveLength(1);
  clock.advance(3_000);
  expect((await resolveOne(maps, 'abc')).key).toBe('abc');
});
