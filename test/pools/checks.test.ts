import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMaps, type Maps } from '../../src/domains/maps/index.ts';
import { createMapChecks } from '../../src/domains/pools/index.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { BASE_URL, type Curation, done, refusal, startCuration, startDraft } from '../harness/curation.ts';
import { temporaryStorage } from '../harness/storage.ts';
import { hashOf, type ManyMaps, mapOf, startManyMaps, wellBehaved } from '../maps/many-maps.ts';

const storage = await temporaryStorage();

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

let host: ManyMaps;
let curation: Curation;
let poolGuid: string;
let categoryGuid: string;
/** The maps of a second process, beside the one that serves requests. */
let maps: Maps;
const logger = pino({ level: 'silent' });
let checks: ReturnType<typeof createMapChecks>;

beforeAll(async () => {
  host = await startManyMaps();
  const where = { mapHostUrl: host.url, mapHostFileHosts: [`127.0.0.1:${host.port}`] };
  curation = await startCuration(where);
  const { database, clock } = curation;
  const own = { baseUrl: BASE_URL, version: '0.0.0', metrics: createMetrics(), ...where };
  maps = createMaps({ storage, database, clock, logger, ...own });
});
afterAll(async () => {
  await curation.stop();
  host.stop();
});
beforeEach(async () => {
  const { database, clock } = curation;
  await curation.clear();
  await database.prisma.hostMapKey.deleteMany();
  await database.prisma.hostMapCheck.deleteMany();
  host.asked.length = 0;
  host.respond = wellBehaved;
  uploads.clear();
  checks = createMapChecks({ database, clock, maps, logger });
  ({ poolGuid, categoryGuid } = await startDraft(curation));
});

/** The newest hash of each key whose upload the host has replaced; null: it publishes nothing. */
const uploads = new Map<string, string | null>();
const republished: ManyMaps['respond'] = ({ names, lookup }, response) => {
  const answer = (key: string) => {
    const hash = uploads.get(key);
    if (hash === null) return undefined;
    const [version] = mapOf(key).versions;
    return hash === undefined ? mapOf(key) : mapOf(key, { versions: [{ ...version, hash }] });
  };
  const [one = ''] = names;
  if (lookup === 'id' && answer(one) === undefined) return response.writeHead(404).end();
  return response.end(
    JSON.stringify(
      lookup === 'id' ? answer(one) : Object.fromEntries(names.map((name) => [name, answer(name)])),
    ),
  );
};

/** A pool of maps with the keys 1 to `count`, in hexadecimal, that was published more than a day ago. */
async function publish(count: number): Promise<string[]> {
  const { admin, pooler, reviewer, clock } = curation;
  const keys = Array.from({ length: count }, (_, at) => (at + 1).toString(16));
  const rows = keys.map((key) => ({
    key,
    characteristic: 'Standard',
    difficulty: 'Expert',
    categoryGuid,
    modifiers: [],
  }));
  done(await pooler.post(`/pools/${poolGuid}/maps/batch`, { maps: rows }));
  done(await pooler.post(`/pools/${poolGuid}/submit`));
  done(await reviewer.post(`/pools/${poolGuid}/reviews`, { verdict: 'approve' }));
  done(await admin.post(`/pools/${poolGuid}/publish`));
  host.asked.length = 0;
  host.respond = republished;
  clock.advance(DAY_MS + 1);
  return keys;
}
const read = () => curation.nobody.get(`/pools/${poolGuid}/maps`);
const staleKeys = async (): Promise<string[]> =>
  done(await read())
    .maps.filter(({ stale }: { stale: boolean }) => stale)
    .map(({ key }: { key: string }) => key);

test('a map with a new upload is marked as stale and keeps its place and hash; the return of its old upload removes the mark', async () => {
  await publish(3);
  const before = await read();
  uploads.set('2', 'f'.repeat(40));
  await checks.run();
  const after = await read();
  const marked = before.body.maps.map((map: { key: string }) => ({ ...map, stale: map.key === '2' }));
  expect(after.body).toEqual({ ...before.body, maps: marked });
  expect(after.headers.etag).not.toBe(before.headers.etag);

  uploads.set('2', hashOf('2'));
  curation.clock.advance(DAY_MS + 1);
  await checks.run();
  expect((await read()).headers.etag).toBe(before.headers.etag);
});

test('cached responses are made again only after a mark', async () => {
  const { changes } = curation.database;
  await publish(3);
  const before = changes.mark(['PoolMap']);
  await checks.run();
  expect(changes.mark(['PoolMap'])).toBe(before);
  uploads.set('2', 'f'.repeat(40));
  curation.clock.advance(DAY_MS + 1);
  await checks.run();
  expect(changes.mark(['PoolMap'])).not.toBe(before);
});

test('a map whose new upload was looked up since the last check is marked in the next run', async () => {
  const { pooler } = curation;
  await publish(3);
  uploads.set('2', 'f'.repeat(40));
  for (const key of ['1', '2', '3']) done(await pooler.get(`/maps/lookup?key=${key}`));
  expect(await staleKeys()).toEqual([]);
  host.asked.length = 0;
  await checks.run();
  expect(await staleKeys()).toEqual(['2']);
  await checks.run();
  expect(host.asked.map(({ names }) => names)).toEqual([['2']]);
  uploads.set('2', hashOf('2'));
  curation.clock.advance(DAY_MS + 1);
  done(await pooler.get('/maps/lookup?key=2'));
  await checks.run();
  expect(await staleKeys()).toEqual([]);
});

test('a map that a look-up found deleted since the last check is marked in the next run', async () => {
  const { pooler } = curation;
  await publish(2);
  await checks.run();
  uploads.set('2', null);
  curation.clock.advance(60_000);
  expect(refusal(await pooler.get('/maps/lookup?key=2'))).toBe('404 MAP_NOT_FOUND');
  await checks.run();
  expect(await staleKeys()).toEqual(['2']);
  host.asked.length = 0;
  await checks.run();
  expect(host.asked).toEqual([]);
});

test('a map that was deleted at the host is marked as stale', async () => {
  await publish(3);
  uploads.set('3', null);
  await checks.run();
  expect(await staleKeys()).toEqual(['3']);
});

test('fifty keys are checked in one request, and no key twice within a day, also after a restart', async () => {
  const keys = await publish(120);
  await checks.run();
  expect(host.asked.map(({ names }) => names.length)).toEqual([50]);
  const { database, clock } = curation;
  const restarted = createMapChecks({ database, clock, maps, logger });
  for (let run = 0; run < 4; run++) await restarted.run();
  expect(host.asked.map(({ names }) => names.length)).toEqual([50, 50, 20]);
  expect(host.asked.flatMap(({ names }) => names).toSorted()).toEqual(keys.toSorted());
  clock.advance(DAY_MS / 2);
  await restarted.run();
  expect(host.asked).toHaveLength(3);
});

test('drafts and retired pools are not checked', async () => {
  await publish(2);
  done(await curation.admin.post(`/pools/${poolGuid}/copy`, { name: 'Copy' }));
  done(await curation.admin.post(`/pools/${poolGuid}/retire`));
  await checks.run();
  expect(host.asked).toEqual([]);
});

test('while the host is down nothing is marked, and the next run checks the same keys', async () => {
  await publish(16);
  uploads.set('1', 'f'.repeat(40));
  host.respond = (_asked, response) => response.destroy();
  await checks.run();
  expect(host.asked.length).toBeLessThan(10);
  expect(await staleKeys()).toEqual([]);
  host.respond = republished;
  await checks.run();
  expect(await staleKeys()).toEqual(['1']);
});

test.each<[string, (response: ServerResponse) => void]>([
  ['an unusable answer', (response) => response.end('{}')],
  ['500', (response) => response.writeHead(500).end()],
  ['403', (response) => response.writeHead(403).end()],
  ['no answer', (response) => response.destroy()],
])('maps for which the host gives %s do not block the checks of the others', async (_what, fail) => {
  const keys = await publish(16);
  const failing = new Set(['1', '2', '3', '4', 'c']);
  const changed = keys.filter((key) => !failing.has(key));
  for (const key of changed) uploads.set(key, 'f'.repeat(40));
  host.respond = (asked, response, request) =>
    asked.names.some((name) => failing.has(name)) ? fail(response) : republished(asked, response, request);
  for (let run = 0; run < 3; run++) await checks.run();
  expect((await staleKeys()).toSorted()).toEqual(changed.toSorted());

  host.asked.length = 0;
  await checks.run();
  expect(host.asked).toEqual([]);
  curation.clock.advance(HOUR_MS + 1);
  host.respond = republished;
  await checks.run();
  expect(host.asked.flatMap(({ names }) => names).toSorted()).toEqual([...failing].toSorted());
});

test('more failing maps than a run asks for do not block the checks of the others', async () => {
  const keys = await publish(30);
  const failing = new Set(keys.slice(0, -1));
  const [last = ''] = keys.slice(-1);
  uploads.set(last, 'f'.repeat(40));
  host.respond = (asked, response, request) =>
    asked.names.some((name) => failing.has(name))
      ? response.end('{}')
      : republished(asked, response, request);
  for (let run = 0; run < 4; run++) await checks.run();
  expect(await staleKeys()).toEqual([last]);
});

test('nothing is marked when the host finds no map at all', async () => {
  const keys = await publish(10);
  for (const key of keys) uploads.set(key, null);
  await checks.run();
  expect(await staleKeys()).toEqual([]);
});

test('no more than nine maps are marked when the host finds none any more and few are due in each run', async () => {
  const { pooler, clock, database } = curation;
  const keys = await publish(18);
  for (const key of keys.slice(9)) done(await pooler.get(`/maps/lookup?key=${key}`));
  for (const key of keys) uploads.set(key, null);
  clock.advance(HOUR_MS);
  await checks.run();
  expect((await staleKeys()).toSorted()).toEqual(keys.slice(0, 9).toSorted());
  clock.advance(DAY_MS - HOUR_MS + 1);
  host.asked.length = 0;
  await createMapChecks({ database, clock, maps, logger }).run();
  expect(host.asked[0]?.names.toSorted()).toEqual(keys.slice(9).toSorted());
  expect((await staleKeys()).toSorted()).toEqual(keys.slice(0, 9).toSorted());
});

test('a stop aborts the requests under way', async () => {
  await publish(2);
  uploads.set('1', 'f'.repeat(40));
  host.respond = (asked, response, request) => {
    checks.stop();
    republished(asked, response, request);
  };
  await checks.run();
  expect(await staleKeys()).toEqual([]);
});
