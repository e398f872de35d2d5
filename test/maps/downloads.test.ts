import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMaps } from '../../src/domains/maps/index.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import {
  askedOf,
  BASE_URL,
  type Curation,
  done,
  publishPool,
  refusal,
  startCuration,
  startDraft,
} from '../harness/curation.ts';
import { temporaryStorage } from '../harness/storage.ts';

const storage = await temporaryStorage();

const logger = pino({ level: 'silent' });
let curation: Curation;
let key: string;
let hash: string;
/** Where the map host said that the file lies, when the map was added. */
let address: string;

beforeAll(async () => {
  curation = await startCuration();
  const { poolGuid, categoryGuid } = await startDraft(curation);
  await publishPool(curation, poolGuid, categoryGuid, 2);
  [{ key, hash }] = done(await curation.nobody.get(`/pools/${poolGuid}/maps`)).maps;
  address = `${curation.mapHost.url}/cdn/${hash.toLowerCase()}.zip`;
});
afterAll(() => curation.stop());

test('a download is a redirect that may be kept for an hour, to GET and to HEAD, in any case of the hash', async () => {
  const { nobody } = curation;
  for (const written of [hash, hash.toLowerCase(), `${hash.slice(0, 20)}${hash.slice(20).toLowerCase()}`]) {
    for (const answer of [
      await nobody.get(`/maps/download/${written}`),
      await nobody.head(`/maps/download/${written}`),
    ]) {
      expect([answer.status, answer.headers.location, answer.body]).toEqual([302, address, null]);
      expect(answer.headers['cache-control']).toBe('public, max-age=3600');
    }
  }
});

test('a download leads to the upload in the pool without a request to the host, also after a new upload', async () => {
  const { nobody, mapHost } = curation;
  const newer = mapHost.republish(key);
  const asked = askedOf(mapHost).length;
  mapHost.fail('down');
  expect((await nobody.get(`/maps/download/${hash}`)).headers.location).toBe(address);
  expect(refusal(await nobody.get(`/maps/download/${newer}`))).toBe('404 MAP_NOT_FOUND');
  expect(askedOf(mapHost)).toHaveLength(asked);
  mapHost.fail(null);
  const file = await fetch(address);
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/zip']);
  await file.body?.cancel();
});

test('a cached address is served without the database until a pool changes', async () => {
  const { nobody, admin, database } = curation;
  const url = `/maps/download/${hash}`;
  expect((await nobody.get(url)).status).toBe(302);
  const reconnect = await database.cutOff();
  expect((await nobody.get(url)).headers.location).toBe(address);
  await reconnect();
  const move = (downloadUrl: string) =>
    database.changes.writing(['PoolMap'], () =>
      database.prisma.poolMap.updateMany({ where: { hash }, data: { downloadUrl } }),
    );
  await move(`${address}?again`);
  expect((await nobody.get(url)).headers.location).toBe(`${address}?again`);
  await move(address);
  expect((await admin.get(url)).headers.location).toBe(address);
});

test.each([
  ['0'.repeat(40), '404 MAP_NOT_FOUND'],
  ['0'.repeat(39), '400 VALIDATION_FAILED'],
  ['0'.repeat(41), '400 VALIDATION_FAILED'],
  [`${'0'.repeat(39)}g`, '400 VALIDATION_FAILED'],
  ['..%2f..%2fetc%2fpasswd', '400 VALIDATION_FAILED'],
])('a download of %s is refused with %s, and the refusal is not cached', async (written, expected) => {
  const { nobody } = curation;
  const answer = await nobody.get(`/maps/download/${written}`);
  expect(refusal(answer)).toBe(expected);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect((await nobody.head(`/maps/download/${written}`)).status).toBe(answer.status);
});

test('an address that the configuration no longer allows is refused', async () => {
  const { database, clock, mapHost } = curation;
  const withHosts = (mapHostUrl: string, ...mapHostFileHosts: string[]) =>
    createMaps({
      storage,
      database,
      clock,
      logger,
      baseUrl: BASE_URL,
      version: '0.0.0',
      metrics: createMetrics(),
      mapHostUrl,
      mapHostFileHosts,
    });
  expect(await withHosts(mapHost.url, mapHost.fileHost).downloadUrlOf(hash)).toBe(address);
  for (const maps of [
    withHosts(mapHost.url, 'elsewhere.example'),
    // Over https nobody is sent to plain http any more.
    withHosts('https://elsewhere.example', mapHost.fileHost),
  ])
    await expect(maps.downloadUrlOf(hash)).rejects.toMatchObject({ code: 'MAP_NOT_FOUND', status: 404 });
});
