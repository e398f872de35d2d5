import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { MapAnswer } from '../../src/local/map-host/answer.ts';
import { type CatalogueMap, loadCatalogue } from '../../src/local/map-host/catalogue.ts';
import { type MapHost, startMapHost } from '../../src/local/map-host/server.ts';

const AGENT = { 'User-Agent': 'MapHostTest/1.0 (+https://example.invalid)' };
const FOCUS = '4b6f1';
const FOCUS_HASH = 'e5c654bfaf385feda0df68a406dfadda471df62e';
const UNKNOWN_HASH = '0'.repeat(40);

let host: MapHost;
let catalogue: CatalogueMap[];

const get = (path: string, base = host) => fetch(`${base.url}${path}`, { headers: AGENT });
const getJson = async <T = MapAnswer>(path: string, base = host): Promise<T> =>
  (await get(path, base)).json();
const published = (map: MapAnswer) => {
  const version = map.versions.find(({ state }) => state === 'Published');
  if (version === undefined) throw new Error('Nothing is published.');
  return version;
};

beforeAll(async () => {
  catalogue = loadCatalogue();
  host = await startMapHost({ port: 0 });
});
afterAll(() => host.stop());

describe('a look-up by key', () => {
  test('answers the map, whatever the case of the key', async () => {
    const map = await getJson('/maps/id/4B6F1');
    expect(map).toMatchObject({ id: FOCUS, metadata: { songName: 'FOCUS', duration: 179, bpm: 130 } });
    expect(published(map).hash).toBe(FOCUS_HASH);
  });

  test('gives the length of a difficulty in beats, beside its seconds', async () => {
    const [easy] = published(await getJson(`/maps/id/${FOCUS}`)).diffs;
    expect(easy).toMatchObject({
      difficulty: 'Easy',
      length: 376,
      seconds: 173.538,
      nps: 1.222,
      maxScore: 187795,
    });
  });

  test('answers 404 with an error for an unknown or invalid key', async () => {
    for (const key of ['fffff', 'not-a-key', '%20']) {
      const response = await get(`/maps/id/${key}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: 'Not Found' });
    }
  });

  test('answers the form of 2021 with a numeric id, a key in the version, no addresses and no maximum score', async () => {
    const map = await getJson('/maps/id/1ab93');
    expect(map.id).toBe(0x1ab93);
    const version = published(map);
    expect(version).toMatchObject({ key: '1ade0', hash: 'e2512e6fbf85059d9fd9b429f62b2e618dd4d7e9' });
    expect(version).not.toHaveProperty('downloadURL');
    expect(version.diffs[0]).not.toHaveProperty('maxScore');
    expect(map).not.toHaveProperty('lastPublishedAt');
  });

  test('lists an unpublished version first for some maps', async () => {
    const tested = catalogue.filter((map) => map.earlierVersion !== undefined);
    expect(tested.length).toBeGreaterThan(3);
    for (const { key, hash } of tested) {
      const map = await getJson(`/maps/id/${key}`);
      expect(map.versions[0]?.state).toMatch(/^(Feedback|Testplay)$/);
      expect(map.versions[0]?.hash).not.toBe(hash);
      expect(published(map).hash).toBe(hash);
    }
  });

  test('leaves empty lists out', async () => {
    const untagged = catalogue.find((map) => map.tags === undefined && map.shape === undefined);
    expect(await getJson(`/maps/id/${untagged?.key}`)).not.toHaveProperty('tags');
    expect(await getJson(`/maps/id/${FOCUS}`)).toHaveProperty('tags');
  });
});

describe('a look-up of several', () => {
  test('answers keys with an object of those that are there', async () => {
    const maps = await getJson<Record<string, MapAnswer>>(`/maps/ids/${FOCUS},fffff,1ab93`);
    expect(Object.keys(maps).sort()).toEqual(['1ab93', FOCUS]);
  });

  test('answers hashes with an object by lower-case hash, null for the unknown', async () => {
    const maps = await getJson<Record<string, MapAnswer | null>>(
      `/maps/hash/${FOCUS_HASH.toUpperCase()},${UNKNOWN_HASH}`,
    );
    expect(maps[FOCUS_HASH]?.id).toBe(FOCUS);
    expect(maps[UNKNOWN_HASH]).toBeNull();
  });

  test('answers the first fifty hashes only', async () => {
    const hashes = catalogue.slice(0, 60).map((map) => map.hash);
    const maps = await getJson<Record<string, MapAnswer>>(`/maps/hash/${hashes.join(',')}`);
    expect(Object.keys(maps)).toEqual(hashes.slice(0, 50));
  });
});

describe('a look-up of one hash', () => {
  test('answers the map in any case of the hash, and 404 for an unknown one', async () => {
    expect((await getJson(`/maps/hash/${FOCUS_HASH.toUpperCase()}`)).id).toBe(FOCUS);
    expect((await get(`/maps/hash/${UNKNOWN_HASH}`)).status).toBe(404);
  });
});

describe('the file host', () => {
  test('serves an archive at the address in the answer, to everybody', async () => {
    const { downloadURL = '' } = published(await getJson(`/maps/id/${FOCUS}`));
    expect(new URL(downloadURL).host).toBe(host.fileHost);
    const response = await fetch(downloadURL);
    expect(response.headers.get('Content-Type')).toBe('application/zip');
    const bytes = Buffer.from(await response.arrayBuffer());
    // The signatures of a local header at the beginning, and of the record at the end.
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\x03\x04');
    expect(bytes.subarray(-22, -18).toString('latin1')).toBe('PK\x05\x06');
  });

  test('serves a picture', async () => {
    const { coverURL = '' } = published(await getJson(`/maps/id/${FOCUS}`));
    const response = await fetch(coverURL);
    expect(response.headers.get('Content-Type')).toBe('image/jpeg');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(bytes.subarray(-2).toString('hex')).toBe('ffd9');
  });

  test('has no other files', async () => {
    for (const name of [`${UNKNOWN_HASH}.zip`, `${FOCUS_HASH}.mp3`, '..%2fserver.ts']) {
      expect((await get(`/cdn/${name}`)).status).toBe(404);
    }
  });
});

describe('a request', () => {
  test('is refused when the client does not name itself', async () => {
    for (const agent of ['node', '', 'axios']) {
      const response = await fetch(`${host.url}/maps/id/${FOCUS}`, { headers: { 'User-Agent': agent } });
      expect(response.status).toBe(403);
    }
  });

  test('is refused when its method is not GET', async () => {
    const response = await fetch(`${host.url}/maps/id/${FOCUS}`, {
      method: 'POST',
      headers: AGENT,
      body: 'x',
    });
    expect(response.status).toBe(405);
  });
});

describe('a change by a mapper:', () => {
  let own: MapHost;
  beforeAll(async () => {
    own = await startMapHost({ port: 0 });
  });
  afterAll(() => own.stop());

  test('a re-upload replaces the version: the old hash leads to the new one, the old file stays', async () => {
    const newHash = own.republish(FOCUS, { durationSeconds: 181 });
    expect(newHash).toMatch(/^[0-9a-f]{40}$/);
    expect(newHash).not.toBe(FOCUS_HASH);

    const map = await getJson(`/maps/hash/${FOCUS_HASH}`, own);
    expect(map.versions.map(({ hash }) => hash)).toEqual([newHash]);
    expect(map.metadata.duration).toBe(181);
    const several = await getJson<Record<string, MapAnswer>>(`/maps/hash/${FOCUS_HASH},${newHash}`, own);
    expect(several[FOCUS_HASH]).toEqual(several[newHash]);
    for (const hash of [FOCUS_HASH, newHash])
      expect((await fetch(`${own.url}/cdn/${hash}.zip`)).status).toBe(200);
  });

  test('a re-upload of a re-upload is found by every hash it had', async () => {
    const { key, hash: first } = catalogue[0] as CatalogueMap;
    const second = own.republish(key);
    const third = own.republish(key);
    for (const hash of [first, second, third]) {
      expect(published(await getJson(`/maps/hash/${hash}`, own)).hash).toBe(third);
    }
  });

  test('a re-upload of a map with a test version leaves only the published version', async () => {
    const tested = catalogue.find((map) => map.earlierVersion !== undefined) as CatalogueMap;
    const hash = own.republish(tested.key);
    const map = await getJson(`/maps/id/${tested.key}`, own);
    expect(map.versions.map((version) => version.hash)).toEqual([hash]);
  });

  test('a deleted map is gone with its files, a new one is there at once', async () => {
    const map = { ...(catalogue[1] as CatalogueMap), key: 'abcde', hash: 'ab'.repeat(20) };
    own.addMap(map);
    expect((await getJson('/maps/id/abcde', own)).name).toBe(map.name);
    own.removeMap('abcde');
    for (const path of ['/maps/id/abcde', `/maps/hash/${map.hash}`, `/cdn/${map.hash}.zip`]) {
      expect((await get(path, own)).status).toBe(404);
    }
  });

  test('refuses a change that would merge two maps', () => {
    expect(() => own.addMap(catalogue[2] as CatalogueMap)).toThrow(/already/);
    expect(() => own.republish('4b6f1', { hash: (catalogue[2] as CatalogueMap).hash })).toThrow(
      /belongs to map/,
    );
    expect(() => own.republish('fffff')).toThrow(/no map/);
    expect(() => own.removeMap('fffff')).toThrow(/no map/);
  });
});

describe('a planned failure:', () => {
  const path = `/maps/id/${FOCUS}`;
  afterEach(() => host.fail(null));

  test('down: the connection closes', async () => {
    host.fail('down');
    await expect(get(path)).rejects.toThrow();
  });

  test('slow: the right answer after the given time', async () => {
    host.fail('slow', { delayMs: 120 });
    const before = performance.now();
    expect((await getJson(path)).id).toBe(FOCUS);
    expect(performance.now() - before).toBeGreaterThan(100);
  });

  test('nonsense: a web page with 200', async () => {
    host.fail('nonsense');
    const response = await get(path);
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow();
  });

  test('invalid: JSON of another form with 200', async () => {
    host.fail('invalid');
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.json()).not.toHaveProperty('id');
  });

  test('error and rate_limited: 503, and 429 with the time to wait', async () => {
    host.fail('error');
    expect((await get(path)).status).toBe(503);
    host.fail('rate_limited', { retryAfterSeconds: 7 });
    const limited = await get(path);
    expect(limited.status).toBe(429);
    expect(limited.headers.get('Retry-After')).toBe('7');
  });

  test('redirect: to the same path of another origin', async () => {
    host.fail('redirect', { redirectTo: 'http://elsewhere.test:81' });
    const response = await fetch(`${host.url}${path}?a=1`, { headers: AGENT, redirect: 'manual' });
    expect(response.headers.get('Location')).toBe(`http://elsewhere.test:81${path}?a=1`);
  });

  test('huge: a body without end, which stops when the reader does', async () => {
    host.fail('huge');
    const { body } = await get(path);
    let read = 0;
    for await (const chunk of body as ReadableStream<Uint8Array>) {
      read += chunk.length;
      if (read > 5_000_000) break;
    }
    expect(read).toBeGreaterThan(5_000_000);
  });

  test('wrong_hash: hashes and addresses of another map', async () => {
    host.fail('wrong_hash');
    const version = published(await getJson(`/maps/hash/${FOCUS_HASH}`));
    expect(version.hash).not.toBe(FOCUS_HASH);
    expect(version.downloadURL).toContain(version.hash);
    expect(published(await getJson('/maps/id/1ab93'))).not.toHaveProperty('downloadURL');
  });

  test('foreign_files: addresses on a host that is not allowed', async () => {
    host.fail('foreign_files');
    expect(new URL(published(await getJson(path)).downloadURL ?? '').host).toBe('files.elsewhere.invalid');
  });
});

describe('the stand-in itself', () => {
  test('records requests with their client', async () => {
    const before = Date.now();
    await get('/maps/id/fffff?x=1');
    expect(host.requests.at(-1)).toMatchObject({
      method: 'GET',
      url: '/maps/id/fffff?x=1',
      userAgent: AGENT['User-Agent'],
    });
    expect(host.requests.at(-1)?.at).toBeGreaterThanOrEqual(before);
  });

  test('stops before its slow answers are due, and can be stopped twice', async () => {
    const own = await startMapHost({ port: 0 });
    own.fail('slow', { delayMs: 60_000 });
    const waiting = expect(get(`/maps/id/${FOCUS}`, own)).rejects.toThrow();
    await expect.poll(() => own.requests.length).toBe(1);
    await own.stop();
    await own.stop();
    await waiting;
  });

  test('says so when its port is taken', async () => {
    await expect(startMapHost({ port: Number(new URL(host.url).port) })).rejects.toThrow(/EADDRINUSE/);
  });
});
