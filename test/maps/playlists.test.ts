import { afterAll, beforeAll, expect, test } from 'vitest';
import { coverSvg, drawCover } from '../../src/domains/maps/cover.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { readPlaylist } from './playlist-reader.ts';

/** Every playlist, read by a strict client. */

let service: TestService;
let pools: { poolGuid: string; seasonGuid: string }[];
beforeAll(async () => {
  service = await startTestService();
  pools = [await service.openQueue({ maps: 12 }), await service.openQueue({ maps: 15 })];
  // Each pool has maps of two categories.
  const { categoryGuid } = (await service.request('admin', 'POST', '/map-categories', { name: 'Second' }))
    .body;
  const { poolMap } = service.database.prisma;
  for (const { poolGuid } of pools) {
    const some = await poolMap.findMany({ where: { poolGuid }, select: { mapGuid: true }, take: 5 });
    await poolMap.updateMany({
      where: { mapGuid: { in: some.map(({ mapGuid }) => mapGuid) } },
      data: { categoryGuid },
    });
  }
});
afterAll(() => service.stop());

const mapsOf = async (poolGuid: string) =>
  (await service.request(null, 'GET', `/pools/${poolGuid}/maps`)).body;
const asSongs = (maps: { hash: string; characteristic: string; difficulty: string }[]) =>
  maps.map(({ hash, characteristic, difficulty }) => ({ hash, characteristic, difficulty }));

test('the season, each pool and each category have a complete, synced playlist with its own title and cover', async () => {
  const season = await readPlaylist(`${service.url}/maps/playlist.bplist`);
  const titles = [season.title];
  const covers = [season.cover.toString('base64')];
  const songs: unknown[] = [];
  for (const { poolGuid } of pools) {
    const { maps, categories } = await mapsOf(poolGuid);
    expect(categories).toHaveLength(2);
    const list = await readPlaylist(`${service.url}/pools/${poolGuid}/playlist.bplist`);
    expect(list.songs).toEqual(asSongs(maps));
    songs.push(...list.songs);
    titles.push(list.title);
    covers.push(list.cover.toString('base64'));
    const picture = await fetch(`${service.url}/pools/${poolGuid}/cover.png`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await picture.arrayBuffer()).equals(list.cover)).toBe(true);
    for (const { categoryGuid } of categories) {
      const part = await readPlaylist(
        `${service.url}/pools/${poolGuid}/categories/${categoryGuid}/playlist.bplist`,
      );
      expect(part.songs).toEqual(
        asSongs(maps.filter((map: { categoryGuid: string }) => map.categoryGuid === categoryGuid)),
      );
      titles.push(part.title);
      covers.push(part.cover.toString('base64'));
    }
  }
  // A map that is in both pools is listed twice.
  expect(season.songs).toEqual(songs);
  expect(new Set(titles).size).toBe(titles.length);
  expect(new Set(covers).size).toBe(covers.length);
});

test('the one-click link of a pool leads to its playlist', async () => {
  const { items } = (await service.request(null, 'GET', '/pools')).body;
  expect(items).toHaveLength(pools.length);
  for (const { playlistUrl, oneClickUrl } of items) {
    expect(oneClickUrl).toBe(`bsplaylist://playlist/${playlistUrl}`);
    await readPlaylist(playlistUrl);
  }
});

test('a playlist has no characters that change the direction of its title or of the name of its file', async () => {
  const name = 'gnp\u202e.exe\u2066\u200f evil';
  const [{ poolGuid = '', seasonGuid = '' } = {}] = pools;
  const { prisma } = service.database;
  const [pool, season] = [
    await prisma.pool.findUniqueOrThrow({ where: { poolGuid } }),
    await prisma.season.findUniqueOrThrow({ where: { seasonGuid } }),
  ];
  await prisma.pool.update({ where: { poolGuid }, data: { name } });
  // A change over the service drops the kept answers.
  const { status } = await service.request('admin', 'PATCH', `/seasons/${seasonGuid}`, { name: `a ${name}` });
  expect(status).toBe(200);
  for (const path of ['maps', `pools/${poolGuid}`]) {
    const answer = await fetch(`${service.url}/${path}/playlist.bplist`);
    const { playlistTitle, playlistDescription } = (await answer.json()) as Record<string, string>;
    const header = answer.headers.get('content-disposition') ?? '';
    const file = decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(header)?.[1] ?? '');
    expect(file).toMatch(/gnp\.exe evil\.bplist$/);
    expect(playlistTitle).toBe(file.replace(/\.bplist$/, ''));
    expect(playlistDescription).not.toMatch(/[\u200f\u202e\u2066]/);
  }
  await prisma.pool.update({ where: { poolGuid }, data: { name: pool.name } });
  await service.request('admin', 'PATCH', `/seasons/${seasonGuid}`, { name: season.name });
});

test('drafts, unknown categories and unknown pools have no playlist', async () => {
  const [{ seasonGuid = '' } = {}, { poolGuid = '' } = {}] = pools;
  const draft = (await service.request('admin', 'POST', '/pools', { seasonGuid, name: 'Draft' })).body;
  const nobody = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';
  const refusal = async (path: string) => {
    const { status, body } = await service.request(null, 'GET', path);
    return `${status} ${body.error?.code}`;
  };
  for (const guid of [draft.poolGuid, nobody])
    for (const path of ['playlist.bplist', 'cover.png', `categories/${nobody}/playlist.bplist`])
      expect(await refusal(`/pools/${guid}/${path}`)).toBe('404 POOL_NOT_FOUND');
  expect(await refusal(`/pools/${poolGuid}/categories/${nobody}/playlist.bplist`)).toBe(
    '404 CATEGORY_NOT_FOUND',
  );
});

test('a cover is always the same, shows the colours of the categories and needs no font', async () => {
  const of = { guid: 'a pool', colors: ['#AB12CD'] };
  const [one, again] = [await drawCover(of), await drawCover(of)];
  expect(one.equals(again)).toBe(true);
  expect(coverSvg(of)).toContain('#AB12CD');
  expect(coverSvg(of)).not.toContain('<text');
  expect((await drawCover({ ...of, guid: 'another' })).equals(one)).toBe(false);
});
