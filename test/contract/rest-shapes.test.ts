import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { askedOf } from '../harness/curation.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { meet, toFirstPick, toPlaying } from '../harness/socket-player.ts';
import { valuesIn } from '../harness/values.ts';
import { poolMap } from './shapes.ts';

/**
 * The public reads as the contract writes them down, member for member, on purpose not made from `src`: an
 * unknown or a missing member fails, and so does a fraction where an integer is promised.
 */

const guid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const hash = z.string().regex(/^[0-9A-F]{40}$/);
const count = z.int().min(0);
const listOf = (item: z.ZodType) =>
  z.strictObject({ items: z.array(item).min(1), nextCursor: z.string().nullable() });

const season = z.strictObject({ seasonGuid: guid, name: z.string(), startsAt: time, endsAt: time });
const category = z.strictObject({
  categoryGuid: guid,
  name: z.string(),
  color: z.string().nullable(),
  position: z.int(),
});
const pool = z.strictObject({
  poolGuid: guid,
  seasonGuid: guid,
  name: z.string(),
  status: z.enum(['draft', 'in_review', 'published', 'retired']),
  revision: z.int(),
  mapCount: count,
  submittedBy: guid.nullable(),
  publishedAt: time.nullable(),
  playlistUrl: z.url().nullable(),
  oneClickUrl: z.string().nullable(),
});
const poolWithMaps = z.strictObject({
  poolGuid: guid,
  name: z.string(),
  status: z.enum(['draft', 'in_review', 'published', 'retired']),
  revision: z.int(),
  season: z.strictObject({ seasonGuid: guid, name: z.string() }),
  categories: z.array(category).min(1),
  maps: z.array(poolMap).min(1),
});
const queue = z.strictObject({
  queueGuid: guid,
  name: z.string(),
  poolGuid: guid,
  seasonGuid: guid,
  status: z.enum(['closed', 'open', 'draining']),
  rules: z.strictObject({
    maxDiscards: z.int().min(0).max(5),
    pairing: z.strictObject({
      initialGap: z.number(),
      gapPerSecond: z.number(),
      maxGap: z.number().nullable(),
    }),
    replaysRequired: z.boolean(),
  }),
  waiting: count,
  playing: count,
});
const liveSeat = z.strictObject({
  playerGuid: guid,
  rating: z.int(),
  provisional: z.boolean(),
  health: z.number(),
  presence: z.enum(['present', 'away', 'absent']),
  awayDeadlineAt: time.nullable(),
  handSize: count,
  discarded: z.boolean(),
  ready: z.enum(['downloading', 'ready', 'failed']).nullable(),
  progress: z.number().nullable(),
  scoreSubmitted: z.boolean(),
});
const match = z.strictObject({
  matchGuid: guid,
  queueGuid: guid,
  queueName: z.string().min(1),
  seasonGuid: guid,
  seasonName: z.string().min(1),
  poolGuid: guid,
  poolName: z.string().min(1),
  rated: z.boolean(),
  version: z.int().positive(),
  status: z.string(),
  players: z.array(
    z.strictObject({
      playerGuid: guid,
      platformId: z.string(),
      username: z.string(),
      avatarUrl: z.string().nullable(),
    }),
  ),
  rounds: z.array(z.unknown()),
  result: z.unknown(),
  seedHash: z.string(),
  seed: z.string().nullable(),
  startedAt: time,
  endedAt: time.nullable(),
  live: z
    .strictObject({
      status: z.string(),
      roundNumber: count,
      pickerGuid: guid.nullable(),
      currentMap: poolMap.nullable(),
      deadlineAt: time.nullable(),
      startsAt: time.nullable(),
      seats: z.array(liveSeat).length(2),
    })
    .nullable(),
});
const standing = { rating: z.int(), provisional: z.boolean(), wins: count, losses: count, draws: count };
const person = {
  playerGuid: guid,
  platformId: z.string().regex(/^\d+$/).nullable(),
  username: z.string(),
  avatarUrl: z.string().nullable(),
};
const ladder = z.strictObject({
  queueGuid: guid,
  queueName: z.string(),
  queueStatus: z.enum(['closed', 'open', 'draining']),
  seasonGuid: guid,
  seasonName: z.string(),
  players: count,
  running: z.boolean(),
});
const leaderboard = z.strictObject({
  entries: z
    .array(
      z.strictObject({
        rank: z.int().positive(),
        player: z.strictObject(person),
        ...standing,
        winStreak: count,
      }),
    )
    .min(1),
  nextCursor: z.string().nullable(),
});
const ratedMatch = z.strictObject({
  matchGuid: guid,
  queueGuid: guid,
  seasonGuid: guid,
  endedAt: time,
  opponent: z.strictObject({ playerGuid: guid, username: z.string() }),
  outcome: z.enum(['win', 'loss', 'draw']),
  before: z.int(),
  after: z.int(),
});
const statistics = z.strictObject({
  poolGuid: guid,
  maps: z
    .array(
      z.strictObject({
        mapGuid: guid,
        key: z.string(),
        name: z.string(),
        characteristic: z.string(),
        difficulty: z.string(),
        dealt: count,
        kept: count,
        discarded: count,
        picked: count,
        played: count,
        medianGap: z.number().nullable(),
        wonByPicker: count,
        expectedWonByPicker: z.number(),
        averageAccuracy: z.number().nullable(),
      }),
    )
    .min(10),
});
const profile = z.strictObject({
  playerGuid: guid,
  username: z.string(),
  avatarUrl: z.string().nullable(),
  joinedAt: time,
  ratings: z
    .array(
      z.strictObject({
        queueGuid: guid,
        seasonGuid: guid,
        ...standing,
        rank: z.int().positive().nullable(),
      }),
    )
    .min(1),
});
const playlist = z.strictObject({
  playlistTitle: z.string().min(1),
  playlistAuthor: z.string().min(1),
  playlistDescription: z.string(),
  image: z.string().regex(/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/),
  customData: z.strictObject({
    syncURL: z.url(),
    AllowDuplicates: z.literal(true),
    ReadOnly: z.literal(true),
  }),
  songs: z
    .array(
      z.strictObject({
        hash,
        key: z.string().regex(/^[0-9a-f]+$/),
        songName: z.string().min(1),
        levelAuthorName: z.string(),
        levelid: z.string().regex(/^custom_level_[0-9A-F]{40}$/),
        difficulties: z.array(z.strictObject({ characteristic: z.string(), name: z.string() })).length(1),
      }),
    )
    .min(1),
});
const status = z.strictObject({
  online: z.literal(true),
  status: z.enum(['online', 'draining', 'maintenance']),
  allowedGameVersions: z.array(z.string()),
  acceptedPluginVersions: z.array(z.string()),
  servedPluginVersion: z.string().nullable(),
  time,
});

let service: TestService;
let guids: { queueGuid: string; poolGuid: string; seasonGuid: string };
let playerGuid: string;
let runningGuid: string;
beforeAll(async () => {
  service = await startTestService();
  guids = await service.openQueue({ maps: 12 });
  const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
  const matchGuid = await meet(anna, bert, guids.queueGuid);
  const [picker, waiter] = await toFirstPick(anna, bert, matchGuid);
  await toPlaying(picker, waiter, matchGuid);
  playerGuid = anna.match.you.player.playerGuid;
  await bert.do('forfeit', { matchGuid });
  await anna.status('completed');
  const [cara, dirk] = [await service.connect('Cara'), await service.connect('Dirk')];
  runningGuid = await meet(cara, dirk, guids.queueGuid);
  await toFirstPick(cara, dirk, runningGuid);
});
afterAll(() => service.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers, redirect: 'manual' });
const read = async (path: string) => (await get(path)).json();

test('every public read has exactly the members of the contract', async () => {
  const { queueGuid, poolGuid } = guids;
  z.array(hash)
    .min(1)
    .parse(await read('/maps/hashes'));
  const shapes: Record<string, z.ZodType> = {
    '/health': z.strictObject({ ok: z.literal(true), time }),
    '/health/ready': z.strictObject({
      ok: z.literal(true),
      time,
      checks: z.record(z.string(), z.strictObject({ ok: z.literal(true), message: z.null() })),
    }),
    '/server/status': status,
    '/plugin-releases': z.strictObject({ servedPluginVersion: z.null(), releases: z.array(z.never()) }),
    '/seasons': listOf(season),
    [`/seasons/${guids.seasonGuid}`]: season,
    '/map-categories': listOf(category),
    '/pools': listOf(pool),
    [`/pools/${poolGuid}`]: pool,
    [`/pools/${poolGuid}/maps`]: poolWithMaps,
    '/queues': listOf(queue),
    [`/queues/${queueGuid}`]: queue,
    '/leaderboards': listOf(ladder),
    [`/leaderboards/${queueGuid}`]: leaderboard,
    [`/leaderboards/${queueGuid}?seasonGuid=${guids.seasonGuid}`]: leaderboard,
    [`/leaderboards/${queueGuid}?around=${playerGuid}`]: leaderboard,
    '/players?query=ann': listOf(z.strictObject({ ...person, joinedAt: time })),
    [`/players?query=${platformIdOf('Bert')}`]: listOf(z.strictObject({ ...person, joinedAt: time })),
    [`/players/${playerGuid}`]: profile,
    [`/players/${playerGuid}/ratings`]: listOf(ratedMatch),
    [`/pools/${poolGuid}/statistics`]: statistics,
    '/matches': listOf(match),
    '/matches?state=running': listOf(match),
    [`/matches/${runningGuid}`]: match.extend({ spectators: count }),
  };
  for (const [path, shape] of Object.entries(shapes)) {
    const answer = await get(path);
    expect(answer.status, path).toBe(200);
    const fits = shape.safeParse(await answer.json());
    expect(fits.error?.message, path).toBeUndefined();
  }
});

test('a queue shows how many players play; a change of that number alone does not make If-Match stale', async () => {
  const { queueGuid } = guids;
  const before = await get(`/queues/${queueGuid}`);
  expect((await before.json()).playing).toBe(2);
  const tags = [before.headers.get('etag')];
  const known = (await get(`/matches/${runningGuid}`)).headers.get('etag') ?? '';
  await service.request('admin', 'POST', `/matches/${runningGuid}/abort`, { reason: 'Done.' });
  const after = await get(`/queues/${queueGuid}`);
  tags.push(after.headers.get('etag'));
  expect((await after.json()).playing).toBe(0);
  expect(new Set(tags).size).toBe(2);
  expect((await get(`/matches/${runningGuid}`)).headers.get('etag')).not.toBe(known);
  const token = await service.identityProvider.accountToken('admin');
  const renamed = await fetch(`${service.url}/queues/${queueGuid}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'if-match': tags[0] ?? '',
    },
    body: JSON.stringify({ name: 'Renamed' }),
  });
  expect(renamed.status).toBe(200);
  expect((await read(`/matches/${runningGuid}`)).queueName, 'the name of now').toBe('Renamed');
});

test('a queue without rules has the documented ones', async () => {
  expect((await read(`/queues/${guids.queueGuid}`)).rules).toEqual({
    maxDiscards: 2,
    pairing: { initialGap: 150, gapPerSecond: 10, maxGap: null },
    replaysRequired: false,
  });
});

test('while nothing is published the configured plugin versions are accepted and none is served', async () => {
  expect(await read('/server/status')).toMatchObject({
    status: 'online',
    allowedGameVersions: [],
    acceptedPluginVersions: ['1.0.0'],
    servedPluginVersion: null,
  });
  const download = await get('/plugin-releases/1.40.8/download');
  expect([download.status, (await download.json()).error.code]).toEqual([404, 'RELEASE_NOT_FOUND']);
  for (const version of ['..', '%2e%2e', 'a%2Fb', 'a'.repeat(33), 'a%20b'])
    expect((await get(`/plugin-releases/${version}/download`)).status, version).not.toBe(200);
});

test('an unknown resource is 404 with its own code, a malformed id is 400', async () => {
  const unknown = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';
  for (const [path, code] of [
    ['/pools/{}', 'POOL_NOT_FOUND'],
    ['/pools/{}/maps', 'POOL_NOT_FOUND'],
    ['/pools/{}/playlist.bplist', 'POOL_NOT_FOUND'],
    ['/seasons/{}', 'SEASON_NOT_FOUND'],
    ['/map-categories/{}', 'CATEGORY_NOT_FOUND'],
    ['/queues/{}', 'QUEUE_NOT_FOUND'],
    ['/leaderboards/{}', 'QUEUE_NOT_FOUND'],
    [`/leaderboards/${guids.queueGuid}?seasonGuid={}`, 'SEASON_NOT_FOUND'],
    ['/players/{}', 'PLAYER_NOT_FOUND'],
    ['/players/{}/ratings', 'PLAYER_NOT_FOUND'],
    ['/pools/{}/statistics', 'POOL_NOT_FOUND'],
    ['/matches/{}', 'MATCH_NOT_FOUND'],
  ] as const) {
    const answer = await get(path.replace('{}', unknown));
    expect([path, answer.status, (await answer.json()).error.code]).toEqual([path, 404, code]);
    for (const malformed of ['1', 'not-a-guid', `${unknown}0`]) {
      const refused = await get(path.replace('{}', malformed));
      expect([refused.status, (await refused.json()).error.code]).toEqual([400, 'VALIDATION_FAILED']);
    }
    const shouted = await get(path.replace('{}', unknown.toUpperCase()));
    expect((await shouted.json()).error.code).toBe(code);
  }
});

describe('a public read', () => {
  const paths = () => [
    '/plugin-releases',
    '/maps/hashes',
    '/maps/playlist',
    '/maps/playlist.bplist',
    '/pools',
    `/pools/${guids.poolGuid}`,
    `/pools/${guids.poolGuid}/maps`,
    `/pools/${guids.poolGuid}/playlist.bplist`,
    '/seasons',
    '/map-categories',
    '/queues',
    `/queues/${guids.queueGuid}`,
    '/leaderboards',
    `/leaderboards/${guids.queueGuid}`,
    '/players?query=a',
    `/players/${playerGuid}`,
    '/matches',
    '/docs',
    '/docs/ws',
    '/openapi.json',
    '/socket-docs.json',
  ];

  test('has a cache time and a tag, and is 304 for a client that has the tag', async () => {
    for (const path of paths()) {
      const first = await get(path);
      const body = await first.text();
      const etag = first.headers.get('etag') ?? '';
      expect(first.headers.get('cache-control'), path).toMatch(/^public, max-age=\d+$/);
      expect(etag, path).toMatch(/^"[^"]+"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await get(path, { 'if-none-match': known });
        expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
        expect(again.headers.get('etag')).toBe(etag);
        expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
        expect(again.headers.get('x-content-type-options')).toBe('nosniff');
      }
      const other = await get(path, { 'if-none-match': '"other"' });
      expect([other.status, await other.text()]).toEqual([200, body]);
    }
  });

  test('of health and status is not cached', async () => {
    for (const path of ['/health', '/health/ready', '/server/status'])
      expect((await get(path)).headers.get('cache-control')).toBe('no-store');
  });

  test('is not cached for requests with credentials, and varies by them', async () => {
    const token = await service.identityProvider.accountToken('admin');
    for (const path of ['/pools', `/pools/${guids.poolGuid}/maps`, '/queues', `/queues/${guids.queueGuid}`]) {
      const staff = await get(path, { authorization: `Bearer ${token}` });
      expect([path, staff.headers.get('cache-control')]).toEqual([path, 'no-store']);
      const vary = (await get(path)).headers.get('vary')?.toLowerCase() ?? '';
      expect(vary.split(', ')).toEqual(expect.arrayContaining(['origin', 'authorization', 'cookie']));
    }
    for (const path of ['/audit-log', '/auth/me', `/players/${playerGuid}/bans`]) {
      const answer = await get(path, { authorization: `Bearer ${token}` });
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
    }
  });
});

describe('a playlist', () => {
  test('holds one song per pool map, is a file of its own kind, and can be synced', async () => {
    const { maps } = await read(`/pools/${guids.poolGuid}/maps`);
    for (const path of [
      '/maps/playlist',
      '/maps/playlist.bplist',
      `/pools/${guids.poolGuid}/playlist.bplist`,
    ]) {
      const answer = await get(path);
      expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[^"]+\.bplist"/);
      expect(answer.headers.get('content-disposition')).toMatch(/\.bplist$/);
      const text = await answer.text();
      const body = JSON.parse(text);
      expect(valuesIn(body)).not.toContain(null);
      const list = playlist.parse(body);
      expect(
        list.songs.map(({ hash, key, levelid, difficulties }) => [hash, key, levelid, difficulties]),
      ).toEqual(
        maps.map((map: z.output<typeof poolMap>) => [
          map.hash,
          map.key,
          `custom_level_${map.hash}`,
          [{ characteristic: map.characteristic, name: map.difficulty }],
        ]),
      );
      const synced = await fetch(list.customData.syncURL);
      expect([synced.status, await synced.text()]).toEqual([200, text]);
      expect(new URL(list.customData.syncURL).search).toBe('');
    }
  });

  test('is linked from its pool, also with the link of the playlist manager', async () => {
    const { playlistUrl, oneClickUrl } = await read(`/pools/${guids.poolGuid}`);
    expect(playlistUrl).toBe(`${service.url}/pools/${guids.poolGuid}/playlist.bplist`);
    expect(oneClickUrl).toBe(`bsplaylist://playlist/${playlistUrl}`);
  });
});

test('a map is downloaded from an allowed host, with its hash in either case, without asking the map host', async () => {
  const [known] = await read('/maps/hashes');
  const asked = askedOf(service.mapHost).length;
  for (const [written, method] of [
    [known, 'GET'],
    [known.toLowerCase(), 'GET'],
    [known, 'HEAD'],
  ]) {
    const answer = await fetch(`${service.url}/maps/download/${written}`, { method, redirect: 'manual' });
    expect([answer.status, await answer.text()]).toEqual([302, '']);
    expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    expect(answer.headers.get('etag')).toMatch(/^".+"$/);
    const location = new URL(answer.headers.get('location') ?? '');
    expect(location.host).toBe(service.mapHost.fileHost);
    expect(location.href.toUpperCase()).toContain(known);
  }
  expect(askedOf(service.mapHost)).toHaveLength(asked);
  const unknown = await get(`/maps/download/${'a'.repeat(40)}`);
  expect([unknown.status, (await unknown.json()).error.code]).toEqual([404, 'MAP_NOT_FOUND']);
  for (const malformed of ['a'.repeat(39), 'a'.repeat(41), 'g'.repeat(40), '%00'])
    expect((await get(`/maps/download/${malformed}`)).status).toBe(400);
});
