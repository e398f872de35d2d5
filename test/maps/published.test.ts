import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadCatalogue } from '../../src/local/map-host/catalogue.ts';
import {
  BASE_URL,
  type Curation,
  done,
  publishPool,
  refusal,
  someMaps,
  startCuration,
  startDraft,
} from '../harness/curation.ts';
import { valuesIn } from '../harness/values.ts';

let curation: Curation;
let seasonGuid: string;
let poolGuid: string;
let categoryGuid: string;

beforeAll(async () => {
  curation = await startCuration();
});
afterAll(() => curation.stop());
beforeEach(async () => {
  await curation.clear();
  ({ seasonGuid, poolGuid, categoryGuid } = await startDraft(curation));
});

const hashOf = (key: string) => loadCatalogue().find((map) => map.key === key)?.hash ?? '';
const publish = (count: number) => publishPool(curation, poolGuid, categoryGuid, count);

test('the hashes of published maps are upper case, sorted, each once', async () => {
  const { nobody } = curation;
  expect(done(await nobody.get('/maps/hashes'))).toEqual([]);
  await publish(5);
  const { poolGuid: second } = done(await curation.admin.post('/pools', { seasonGuid, name: 'Second' }));
  await publishPool(curation, second, categoryGuid, 3);
  const hashes = someMaps(5, categoryGuid).map(({ key }) => hashOf(key).toUpperCase());
  const answer = await nobody.get('/maps/hashes');
  expect(answer.body).toEqual(hashes.sort());
  expect(answer.headers['cache-control']).toMatch(/^public/);
  const { etag = '' } = answer.headers;
  expect((await nobody.get('/maps/hashes', { 'if-none-match': etag })).status).toBe(304);
});

test('the hashes of maps in drafts and in retired pools are not listed', async () => {
  const { admin, nobody, pooler } = curation;
  done(await pooler.post(`/pools/${poolGuid}/maps`, someMaps(1, categoryGuid)[0]));
  expect(done(await nobody.get('/maps/hashes'))).toEqual([]);
  const { poolGuid: second } = done(await admin.post('/pools', { seasonGuid, name: 'Second' }));
  await publishPool(curation, second, categoryGuid, 2);
  done(await admin.post(`/pools/${second}/retire`));
  expect(done(await nobody.get('/maps/hashes'))).toEqual([]);
});

test('a map can be downloaded from its first publication on, also after its pool is retired', async () => {
  const { admin, nobody, pooler } = curation;
  const { hash } = done(await pooler.post(`/pools/${poolGuid}/maps`, someMaps(1, categoryGuid)[0]));
  const download = () => nobody.get(`/maps/download/${hash}`);
  expect(refusal(await download())).toBe('404 MAP_NOT_FOUND');
  await publish(0);
  expect((await download()).status).toBe(302);
  done(await admin.post(`/pools/${poolGuid}/retire`));
  expect((await download()).status).toBe(302);
});

test('a pool’s playlist holds one song per map and can be synced', async () => {
  const { nobody } = curation;
  await publish(3);
  const answer = await nobody.get(`/pools/${poolGuid}/playlist.bplist`);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.headers['content-disposition']).toMatch(
    /^attachment; filename="Season _ Pool\.bplist"; .*\.bplist$/,
  );
  const { image, ...playlist } = answer.body;
  const [map] = someMaps(1, categoryGuid);
  const entry = loadCatalogue().find(({ key }) => key === map?.key);
  expect(playlist).toEqual({
    playlistTitle: 'Season – Pool',
    playlistAuthor: 'Competitive Match Service',
    playlistDescription: expect.any(String),
    customData: {
      syncURL: `${BASE_URL}/pools/${poolGuid}/playlist.bplist`,
      AllowDuplicates: true,
      ReadOnly: true,
    },
    songs: expect.arrayContaining([
      {
        hash: entry?.hash.toUpperCase(),
        key: entry?.key,
        songName: entry?.songName,
        levelAuthorName: entry?.levelAuthorName,
        levelid: `custom_level_${entry?.hash.toUpperCase()}`,
        difficulties: [{ characteristic: map?.characteristic, name: map?.difficulty }],
      },
    ]),
  });
  expect(playlist.songs).toHaveLength(3);
  expect(valuesIn(answer.body)).not.toContain(null);
  const png = Buffer.from(image.replace(/^data:image\/png;base64,/, ''), 'base64');
  expect([...png.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
});

test('playlists of pools of the same name have different titles', async () => {
  const { admin, nobody, clock } = curation;
  await publish(1);
  clock.advance(1000);
  const { poolGuid: second } = done(await admin.post('/pools', { seasonGuid, name: 'Pool' }));
  await publishPool(curation, second, categoryGuid, 1);
  const titles = await Promise.all(
    [poolGuid, second].map(
      async (guid) => done(await nobody.get(`/pools/${guid}/playlist.bplist`)).playlistTitle,
    ),
  );
  expect(titles).toEqual(['Season – Pool', 'Season – Pool (2)']);
});

test('the playlist of the season has two addresses, and is not found before the first publication', async () => {
  const { nobody } = curation;
  for (const path of ['/maps/playlist', '/maps/playlist.bplist'])
    expect(refusal(await nobody.get(path))).toBe('404 PLAYLIST_NOT_AVAILABLE');
  await publish(4);
  const [plain, alias] = await Promise.all([
    nobody.get('/maps/playlist'),
    nobody.get('/maps/playlist.bplist'),
  ]);
  expect(plain.body).toEqual(alias.body);
  expect(plain.body.songs).toHaveLength(4);
  expect(plain.body.playlistTitle).toBe('Season');
  expect(plain.body.customData.syncURL).toBe(`${BASE_URL}/maps/playlist.bplist`);
});

test('the playlist of the season is that of the running season, and between seasons that of the last one', async () => {
  const { admin, nobody, clock } = curation;
  await publish(2);
  const day = 86_400_000;
  const next = done(
    await admin.post('/seasons', {
      name: 'Next',
      startsAt: new Date(clock.now() + 2 * day).toISOString(),
      endsAt: new Date(clock.now() + 3 * day).toISOString(),
    }),
  );
  const { poolGuid: second } = done(await admin.post('/pools', { seasonGuid: next.seasonGuid, name: 'P' }));
  await publishPool(curation, second, categoryGuid, 3);
  const title = async () => done(await nobody.get('/maps/playlist')).playlistTitle;
  expect(await title()).toBe('Season');
  clock.advance(1.5 * day);
  expect(await title()).toBe('Season');
  clock.advance(day);
  expect(await title()).toBe('Next');
  clock.advance(100 * day);
  expect(await title()).toBe('Next');
});

test('a season keeps its playlist when all its pools are retired, because an empty one would empty the lists of all clients', async () => {
  const { admin, nobody } = curation;
  await publish(2);
  done(await admin.post(`/pools/${poolGuid}/retire`));
  expect(done(await nobody.get('/maps/playlist')).songs).toHaveLength(2);
});
