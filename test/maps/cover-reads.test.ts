import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadCatalogue } from '../../src/local/map-host/catalogue.ts';
import { RATES } from '../../src/platform/limits.ts';
import { startTestService, type TestService } from '../harness/service.ts';

/** Covers of maps over HTTP: permissions and caches. */

const FACTOR = 0.1;
const UNKNOWN = '0'.repeat(40);
const IMMUTABLE = 'public, max-age=31536000, immutable';
let service: TestService;
let poolGuid: string;
let published: { hash: string; key: string; characteristic: string; difficulty: string };

beforeAll(async () => {
  service = await startTestService({ environment: { RATE_LIMIT_FACTOR: String(FACTOR) } });
  ({ poolGuid } = await service.openQueue({ maps: 12 }));
  [published] = (await service.request('admin', 'GET', `/pools/${poolGuid}/maps`)).body.maps;
});
afterAll(() => service.stop());

const cover = async (hash: string, account: string | null = null, headers: Record<string, string> = {}) => {
  const token = account && (await service.identityProvider.accountToken(account as never));
  const answer = await fetch(`${service.url}/maps/${hash}/cover`, {
    headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
  });
  const isRefused = answer.status >= 400;
  return {
    status: answer.status,
    cache: answer.headers.get('cache-control'),
    etag: answer.headers.get('etag') ?? '',
    type: answer.headers.get('content-type'),
    code: isRefused ? ((await answer.json()) as { error: { code: string } }).error.code : null,
    bytes: isRefused ? null : Buffer.from(await answer.arrayBuffer()),
  };
};
/** Waits until the cover was fetched. */
const shown = (hash: string, account: string | null = null) =>
  vi.waitFor(
    async () => {
      const answer = await cover(hash, account);
      expect(answer.code).toBe(null);
      return answer;
    },
    { timeout: 20_000, interval: 200 },
  );
/** A map that is in no pool. */
const unpooled = (nth: number) => {
  const [map] = loadCatalogue()
    .filter(({ shape }) => shape !== '2021')
    .slice(-nth);
  if (map === undefined) throw new Error('The catalogue is too short.');
  return { ...map, hash: map.hash.toUpperCase() };
};

test('everybody gets the map host’s picture of a published map, and may cache it without end', async () => {
  const answer = await shown(published.hash);
  expect(answer).toMatchObject({ status: 200, cache: IMMUTABLE, type: 'image/jpeg' });
  const original = await fetch(`${service.mapHost.url}/cdn/${published.hash.toLowerCase()}.jpg`);
  expect(answer.bytes).toEqual(Buffer.from(await original.arrayBuffer()));
  // With credentials it is the same answer, which caches may keep.
  expect(await cover(published.hash.toLowerCase(), 'pooler-one')).toEqual(answer);
  const again = await cover(published.hash, null, { 'if-none-match': answer.etag });
  expect(again).toMatchObject({ status: 304, cache: IMMUTABLE, etag: answer.etag });
});

test('the cover of a map is shown only to staff while no published pool has the map', async () => {
  const map = unpooled(1);
  const { body: season } = await service.request('admin', 'GET', '/seasons');
  const { body: categories } = await service.request('admin', 'GET', '/map-categories');
  const { seasonGuid } = season.items[0];
  const draft = await service.request('admin', 'POST', '/pools', { seasonGuid, name: 'Draft' });
  const rows = [map, { key: published.key, difficulties: [published] }].map(
    ({ key, difficulties: [one] }) => ({
      key,
      characteristic: one?.characteristic,
      difficulty: one?.difficulty,
      categoryGuid: categories.items[0].categoryGuid,
      modifiers: [],
    }),
  );
  const added = await service.request('pooler-one', 'POST', `/pools/${draft.body.poolGuid}/maps/batch`, {
    maps: rows,
  });
  expect(added.status).toBe(201);
  expect(await shown(map.hash, 'pooler-two')).toMatchObject({
    cache: 'private, no-store',
    type: 'image/jpeg',
  });
  expect(await cover(map.hash)).toMatchObject({ status: 404, code: 'MAP_NOT_FOUND', cache: 'no-store' });
  // The draft has this map too, and a published pool has it.
  expect(await cover(published.hash, 'pooler-one')).toMatchObject({ cache: IMMUTABLE });
});

test('the cover of a map that was looked up is shown only to staff', async () => {
  const map = unpooled(3);
  expect(await cover(map.hash, 'admin')).toMatchObject({ code: 'MAP_NOT_FOUND' });
  const found = await service.request('admin', 'GET', `/maps/lookup?key=${map.key}`);
  expect(found.body.hash).toBe(map.hash);
  expect(await shown(map.hash, 'pooler-one')).toMatchObject({ cache: 'private, no-store' });
  expect(await cover(map.hash)).toMatchObject({ status: 404, code: 'MAP_NOT_FOUND' });
  const game = await service.identityProvider.gameToken({ platformId: '7654321', username: 'Player' });
  expect(await cover(map.hash, null, { authorization: `Bearer ${game}` })).toMatchObject({
    code: 'MAP_NOT_FOUND',
  });
});

test('a map without a picture has another answer than a map that the reader may not see', async () => {
  const map = loadCatalogue().find(({ shape }) => shape === '2021');
  const found = await service.request('admin', 'GET', `/maps/lookup?key=${map?.key}`);
  expect(found.body).toMatchObject({ hash: map?.hash.toUpperCase(), coverUrl: null });
  expect(await cover(found.body.hash, 'admin')).toMatchObject({ status: 404, code: 'COVER_NOT_FOUND' });
  expect(await cover(UNKNOWN, 'admin')).toMatchObject({ status: 404, code: 'MAP_NOT_FOUND' });
  expect(await cover('xyz')).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
});

test('reading covers sends no request to the map host', async () => {
  const { requests } = service.mapHost;
  const asked = requests.length;
  expect((await shown(published.hash)).status).toBe(200);
  for (let times = 0; times < 3; times++) await cover(UNKNOWN);
  expect(requests).toHaveLength(asked);
});

test('covers have their own rate limit', async () => {
  const most = RATES.pages.most * FACTOR;
  const answers: number[] = [];
  for (let times = 0; times <= most; times++) answers.push((await cover(published.hash)).status);
  expect(answers.filter((status) => status === 200).length).toBeGreaterThan(RATES.reads.most * FACTOR);
  expect(answers.at(-1)).toBe(429);
  // Other reads are counted apart.
  expect((await fetch(`${service.url}/maps/hashes`)).status).toBe(200);
});
