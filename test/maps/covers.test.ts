import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Maps, MapsOptions } from '../../src/domains/maps/index.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { BOUNDS } from '../../src/platform/limits.ts';
import { repeat } from '../../src/platform/loop.ts';
import { type ManualClock, manualClock } from '../harness/clock.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { temporaryStorage } from '../harness/storage.ts';
import { openMaps } from './many-maps.ts';

/** How covers are fetched from a file host that answers whatever a test wants, and how long they are kept. */

const storage = await temporaryStorage();
let database: TestDatabase;
let clock: ManualClock;
let maps: Maps;
let nodes: Maps[] = [];
let url: string;
let asked: string[];
let respond: (request: IncomingMessage, response: ServerResponse) => void;

const host = createServer((request, response) => {
  asked.push(request.url ?? '');
  respond(request, response);
});

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)]);
const JPEG = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(100)]);
const WEBP = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'), Buffer.alloc(100)]);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const node = (options: Partial<MapsOptions> = {}): Maps => {
  const made = openMaps({
    database,
    storage,
    clock,
    mapHostUrl: url,
    mapHostFileHosts: [new URL(url).host],
    ...options,
  });
  nodes.push(made);
  return made;
};

beforeAll(async () => {
  database = await cloneDatabase();
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  await database.prisma.mapCover.deleteMany();
  clock = manualClock();
  asked = [];
  respond = (_request, response) => response.end(PNG);
  maps = node();
});
// A node that goes on would fetch the covers of the next test.
afterEach(async () => {
  await Promise.all(nodes.map(({ covers }) => covers.stop()));
  nodes = [];
});
afterAll(async () => {
  host.close();
  await database.drop();
});

const staff = {
  playerGuid: '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11',
  subject: 'staff',
  roles: new Set(['role:pooler']),
  tokenType: 'access',
  platformId: null,
  username: 'staff',
  avatarUrl: null,
  expiresAt: Number.MAX_SAFE_INTEGER,
};
const HASH = 'A'.repeat(40);
const cover = (hash = HASH) => maps.covers.read(hash, staff);
/** Looks a map up and waits until its cover was fetched, or could not be. */
const fetched = async (source: { hash?: string; coverUrl?: string | null } = {}) => {
  await maps.covers.lookedUp({ hash: HASH, coverUrl: `${url}/cover`, ...source });
  await maps.covers.run();
};
/** The cover, which has a picture now, is requested again after this time and not before. */
const expectRequestAfter = async (afterMs: number) => {
  const times = asked.length;
  clock.advance(afterMs - 1000);
  await fetched();
  expect(asked).toHaveLength(times);
  clock.advance(2000);
  await fetched();
  expect(asked).toHaveLength(times + 1);
  expect(await cover()).toMatchObject({ type: 'image/png' });
};
const refused = (code: string) => ({ code, status: 404 });

test.each([
  ['image/png', PNG],
  ['image/jpeg', JPEG],
  ['image/webp', WEBP],
])('%s is recognised by its bytes, whatever type the host gives', async (type, bytes) => {
  respond = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(bytes);
  };
  await fetched();
  expect(await cover()).toMatchObject({ type, bytes, isPublic: false });
});

test.each([
  ['a page', (response: ServerResponse) => response.end('<!doctype html><script>alert(1)</script>')],
  ['an SVG', (response: ServerResponse) => response.end('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['nothing', (response: ServerResponse) => response.end()],
  [
    'a picture that is too large',
    (response: ServerResponse) => response.end(Buffer.concat([PNG, Buffer.alloc(BOUNDS.mapCover.value)])),
  ],
  ['a missing file', (response: ServerResponse) => response.writeHead(404).end(PNG)],
  [
    'a redirect to a host that is not allowed',
    (response: ServerResponse) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  ],
  [
    'a redirect to a file of this machine',
    (response: ServerResponse) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  ],
  [
    'a redirect with user info',
    (response: ServerResponse) =>
      response.writeHead(302, { location: `http://a:b@${new URL(url).host}/cover` }).end(),
  ],
  [
    'an endless redirect',
    (response: ServerResponse) => response.writeHead(302, { location: '/again' }).end(),
  ],
])('%s is no cover, and is requested again after a day', async (_what, answer) => {
  respond = (_request, response) => answer(response);
  await fetched();
  await expect(cover()).rejects.toMatchObject(refused('COVER_NOT_FOUND'));
  expect(asked.length).toBeGreaterThan(0);
  respond = (_request, response) => response.end(PNG);
  await expectRequestAfter(DAY_MS);
});

test.each([
  [
    'a head and nothing more',
    (response: ServerResponse) => {
      response.writeHead(200);
      response.flushHeaders();
    },
  ],
  ['an error', (response: ServerResponse) => response.writeHead(500).end(PNG)],
])('%s is no cover, and is requested again after an hour', async (_what, answer) => {
  respond = (_request, response) => answer(response);
  maps = node({ mapHostTimeoutMs: 300 });
  await fetched();
  await expect(cover()).rejects.toMatchObject(refused('COVER_NOT_FOUND'));
  maps = node();
  respond = (_request, response) => response.end(PNG);
  await expectRequestAfter(HOUR_MS);
});

test('a cover that cannot be stored is requested again after an hour', async () => {
  maps = node({ storage: { ...storage, put: () => Promise.reject(new Error('no room')) } });
  await fetched();
  await expect(cover()).rejects.toMatchObject(refused('COVER_NOT_FOUND'));
  maps = node();
  await expectRequestAfter(HOUR_MS);
  // Of the file that could not be stored.
  await database.prisma.coverUpload.deleteMany();
});

test('a picture of the largest allowed size is stored, and a redirect within the allowed hosts is followed', async () => {
  const largest = Buffer.concat([PNG, Buffer.alloc(BOUNDS.mapCover.value - PNG.length)]);
  respond = ({ url: path }, response) => {
    if (path === '/moved') response.end(largest);
    else response.writeHead(301, { location: '/moved' }).end();
  };
  await fetched();
  expect((await cover()).bytes).toHaveLength(BOUNDS.mapCover.value);
});

test('an address that is not allowed any more is not requested', async () => {
  maps = node({ mapHostFileHosts: ['elsewhere.example'] });
  await fetched();
  await expect(cover()).rejects.toMatchObject(refused('COVER_NOT_FOUND'));
  expect(asked).toEqual([]);
});

test('look-ups of maps work while the file host is down, and covers that were not requested follow later', async () => {
  respond = ({ url: path = '' }, response) => {
    if (path.startsWith('/maps/')) response.writeHead(404).end();
    else response.destroy();
  };
  for (let times = 0; times < 8; times++)
    await maps.covers.lookedUp({ hash: `${times}`.repeat(40), coverUrl: `${url}/${times}` });
  await maps.covers.run();
  expect(maps.hostStatus()).toBe(null);
  await expect(maps.lookUp({ key: 'abc' })).rejects.toMatchObject({ code: 'MAP_NOT_FOUND' });
  // Covers whose request was not sent, because the host was down, are tried again soon.
  const tried = asked.filter((path) => !path.startsWith('/maps/')).length;
  expect(tried).toBeLessThan(8);
  respond = (_request, response) => response.end(PNG);
  clock.advance(15 * 60_000);
  await maps.covers.run();
  expect(await database.prisma.mapCover.count({ where: { fileGuid: { not: null } } })).toBe(8 - tried);
});

test('no cover is requested while the map host has asked for a pause, and the same node requests it afterwards', async () => {
  respond = (_request, response) => response.writeHead(503, { 'retry-after': '3' }).end();
  await expect(maps.lookUp({ key: 'abd' })).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  asked = [];
  await fetched();
  expect(asked).toEqual([]);
  respond = (_request, response) => response.end(PNG);
  await vi.waitFor(
    async () => {
      await maps.covers.run();
      expect(await cover()).toMatchObject({ type: 'image/png' });
    },
    { timeout: 20_000 },
  );
});

test('a look-up is over before the cover is fetched', async () => {
  const waiting = Promise.withResolvers<void>();
  respond = async (_request, response) => {
    await waiting.promise;
    response.end(PNG);
  };
  await maps.covers.lookedUp({ hash: HASH, coverUrl: `${url}/slow` });
  await expect(cover()).rejects.toMatchObject(refused('COVER_NOT_FOUND'));
  waiting.resolve();
  await vi.waitFor(async () => expect(await cover()).toMatchObject({ type: 'image/png' }), {
    timeout: 20_000,
  });
});

test('two nodes that need a cover at once request it once', async () => {
  const other = node();
  const source = { hash: HASH, coverUrl: `${url}/once` };
  await Promise.all([maps, other, maps, other].map(({ covers }) => covers.lookedUp(source)));
  await Promise.all([maps.covers.run(), other.covers.run()]);
  expect(asked).toEqual(['/once']);
  expect(await database.prisma.coverUpload.count()).toBe(0);
});

test('the cover of a look-up is shown for an hour, and its file is removed a day later', async () => {
  await fetched();
  clock.advance(HOUR_MS - 1);
  expect(await cover()).toMatchObject({ type: 'image/png' });
  clock.advance(2);
  await expect(cover()).rejects.toMatchObject(refused('MAP_NOT_FOUND'));
  await fetched();
  expect(await cover()).toMatchObject({ type: 'image/png' });
  expect(asked).toHaveLength(1);
  const { fileGuid } = await database.prisma.mapCover.findFirstOrThrow();
  clock.advance(DAY_MS + 1);
  await maps.covers.run();
  expect(await database.prisma.mapCover.count()).toBe(0);
  expect(await database.prisma.coverUpload.count()).toBe(0);
  expect(await storage.has(`covers/${fileGuid}`)).toBe(false);
});

test('a file that the storage has lost is fetched again', async () => {
  await fetched();
  const { fileGuid } = await database.prisma.mapCover.findFirstOrThrow();
  await storage.delete(`covers/${fileGuid}`);
  await expect(cover()).rejects.toMatchObject(refused('COVER_NOT_FOUND'));
  await maps.covers.run();
  expect(await cover()).toMatchObject({ type: 'image/png' });
});

test('a file whose node died before the cover was stored is removed a day later', async () => {
  const fileGuid = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b12';
  await database.prisma.coverUpload.create({ data: { fileGuid, startedAt: new Date(clock.now()) } });
  await maps.covers.run();
  expect(await database.prisma.coverUpload.count()).toBe(1);
  clock.advance(DAY_MS + 1);
  await maps.covers.run();
  expect(await database.prisma.coverUpload.count()).toBe(0);
});

test('a stop does not wait for files that are being removed', async () => {
  const [first, second] = ['01981f6a-7c3e-7a10-9f43-2f1a6f0c9b13', '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b14'];
  const startedAt = new Date(clock.now() - DAY_MS - 1);
  await database.prisma.coverUpload.createMany({
    data: [first, second].map((fileGuid) => ({ fileGuid, startedAt })),
  });
  const begun = Promise.withResolvers<void>();
  const deletion = vi.fn(() => {
    begun.resolve();
    return new Promise<void>(() => {});
  });
  const { covers } = node({ storage: { ...storage, delete: deletion } });
  const loop = repeat('map covers', DAY_MS, covers.run, pino({ level: 'silent' }), 0);
  await begun.promise;
  await loop.stop();
  expect(deletion).toHaveBeenCalledTimes(2);
  expect(await database.prisma.coverUpload.count()).toBe(2);
  await maps.covers.run();
  expect(await database.prisma.coverUpload.count()).toBe(0);
});

test('the file of a stored cover is kept when the node died before it noted that the cover is stored', async () => {
  const { pool, prisma } = database;
  // As if the node died when the file was written.
  await pool.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER test BEFORE DELETE ON "CoverUpload" FOR EACH ROW EXECUTE FUNCTION refuse()`);
  await fetched();
  await pool.query('DROP TRIGGER test ON "CoverUpload"');
  clock.advance(DAY_MS + 1);
  await fetched();
  expect(await cover()).toMatchObject({ type: 'image/png', bytes: PNG });
  const { fileGuid } = await prisma.mapCover.findUniqueOrThrow({ where: { hash: HASH } });
  expect(await prisma.coverUpload.count({ where: { fileGuid: fileGuid ?? '' } })).toBe(0);
});

test('the task requests the cover of each map in a pool once', async () => {
  const { prisma } = database;
  const at = new Date(clock.now());
  const [seasonGuid, categoryGuid, poolGuid] = [newGuid(), newGuid(), newGuid()];
  await prisma.season.create({
    data: { seasonGuid, name: 'Season', startsAt: at, endsAt: new Date(clock.now() + 1) },
  });
  await prisma.mapCategory.create({ data: { categoryGuid, name: 'tech', position: 0 } });
  await prisma.pool.create({
    data: {
      poolGuid,
      seasonGuid,
      name: 'Pool',
      status: 'published',
      revision: 1,
      createdAt: at,
      publishedAt: at,
    },
  });
  const hashes = Array.from({ length: 30 }, (_, nth) => nth.toString(16).toUpperCase().padStart(40, 'B'));
  await prisma.poolMap.createMany({
    data: hashes.map((hash, nth) => ({
      mapGuid: newGuid(),
      poolGuid,
      categoryGuid,
      key: nth.toString(16),
      hash,
      name: 'Map',
      songName: 'Map',
      levelAuthorName: 'Mapper',
      characteristic: 'Standard',
      difficulty: 'Expert',
      modifiers: [],
      durationSeconds: 100,
      maxScore: 1000,
      coverUrl: nth === 0 ? null : `${url}/${hash}`,
      downloadUrl: `${url}/${hash}.zip`,
      stale: false,
      addedAt: at,
      addedByGuid: newGuid(),
    })),
  });
  for (let times = 0; times < 3; times++) await maps.covers.run();
  expect(new Set(asked)).toEqual(new Set(hashes.slice(1).map((hash) => `/${hash}`)));
  expect(asked).toHaveLength(hashes.length - 1);
  expect(await maps.covers.read(hashes[1] ?? '', null)).toMatchObject({ isPublic: true });
  await expect(maps.covers.read(hashes[0] ?? '', null)).rejects.toMatchObject(refused('COVER_NOT_FOUND'));
  // Kept for as long as the pool is there.
  clock.advance(3 * DAY_MS);
  await maps.covers.run();
  expect(await prisma.mapCover.count()).toBe(hashes.length - 1);
});

test('a map without an address has no cover until the host names one', async () => {
  await fetched({ coverUrl: null });
  await expect(cover()).rejects.toMatchObject(refused('COVER_NOT_FOUND'));
  await fetched();
  expect(await cover()).toMatchObject({ type: 'image/png' });
});

test('a stop does not wait for a storage that does not answer', async () => {
  const begun = Promise.withResolvers<void>();
  const put = () => {
    begun.resolve();
    return new Promise<never>(() => undefined);
  };
  maps = node({ storage: { ...storage, put } });
  await maps.covers.lookedUp({ hash: HASH, coverUrl: `${url}/cover` });
  await begun.promise;
  await expect(maps.covers.stop()).resolves.toBeUndefined();
});

test('a page that the storage gives in place of a stored cover is neither shown nor cached', async () => {
  await fetched();
  let isAway = true;
  const get: typeof storage.get = async (...about) =>
    isAway ? Readable.from([Buffer.from('<html>back soon</html>')]) : storage.get(...about);
  maps = node({ storage: { ...storage, get } });
  await expect(cover()).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', status: 503 });
  isAway = false;
  expect((await cover()).bytes).toEqual(PNG);
});
