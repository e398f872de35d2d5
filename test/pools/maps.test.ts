import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { modifierCodes } from '../../src/domains/pools/rules.ts';
import { loadCatalogue } from '../../src/local/map-host/catalogue.ts';
import {
  askedOf,
  type Curation,
  done,
  refusal,
  someMaps,
  startCuration,
  startDraft,
} from '../harness/curation.ts';

let curation: Curation;
let poolGuid: string;
let categoryGuid: string;
let maps: string;

beforeAll(async () => {
  curation = await startCuration();
});
afterAll(() => curation.stop());
beforeEach(async () => {
  await curation.clear();
  ({ poolGuid, categoryGuid } = await startDraft(curation));
  maps = `/pools/${poolGuid}/maps`;
});

const catalogue = loadCatalogue();
/** A map that has a difficulty name under two characteristics. */
const twice = catalogue.find(({ difficulties }) =>
  difficulties.some((one) =>
    difficulties.some(
      (other) =>
        one.characteristic !== other.characteristic &&
        one.difficulty === other.difficulty &&
        (one.maxScore ?? 0) > 0 &&
        (other.maxScore ?? 0) > 0,
    ),
  ),
);
/** A map of several difficulties in one characteristic. */
const several = catalogue.find(
  (map) =>
    map !== twice &&
    map.durationSeconds > 0 &&
    map.difficulties.filter((one) => one.characteristic === 'Standard' && (one.maxScore ?? 0) > 0).length >=
      2,
);
const standard = several?.difficulties.filter((one) => one.characteristic === 'Standard') ?? [];
const wanted = (change: object = {}) => ({
  key: several?.key,
  characteristic: 'Standard',
  difficulty: standard[0]?.difficulty,
  categoryGuid,
  modifiers: [],
  ...change,
});

const revision = async () => done(await curation.pooler.get(maps)).revision;
const count = async () => done(await curation.pooler.get(maps)).maps.length;

test('a map is added with the values of the map host', async () => {
  const added = await curation.pooler.post(
    maps,
    wanted({ key: several?.key.toUpperCase(), modifiers: ['GN', 'FS'] }),
  );
  expect(added.status).toBe(201);
  expect(added.body).toEqual({
    mapGuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    key: several?.key,
    hash: several?.hash.toUpperCase(),
    name: several?.name,
    characteristic: 'Standard',
    difficulty: standard[0]?.difficulty,
    categoryGuid,
    modifiers: ['GN', 'FS'],
    durationSeconds: several?.durationSeconds,
    maxScore: standard[0]?.maxScore,
    coverUrl: `${curation.mapHost.url}/cdn/${several?.hash}.jpg`,
    stale: false,
    addedAt: new Date(curation.clock.now()).toISOString(),
  });
  const whole = done(await curation.pooler.get(maps));
  expect(whole).toEqual({
    poolGuid,
    name: 'Pool',
    status: 'draft',
    revision: 2,
    season: { seasonGuid: expect.any(String), name: 'Season' },
    categories: [{ categoryGuid, name: 'tech', color: null, position: 0 }],
    maps: [added.body],
  });
});

test('a field that the server resolves is refused as unknown', async () => {
  for (const field of ['name', 'hash', 'durationSeconds', 'duration', 'maxScore']) {
    const answer = await curation.pooler.post(maps, wanted({ [field]: 1 }));
    expect(refusal(answer)).toBe('400 VALIDATION_FAILED');
    expect(answer.body.error.message).toContain(field);
  }
});

test.each([
  ['an unknown key', { key: 'fffffff' }, '404 MAP_NOT_FOUND'],
  ['a malformed key', { key: 'xyz' }, '400 VALIDATION_FAILED'],
  ['a key that is too long', { key: '123456789' }, '400 VALIDATION_FAILED'],
  ['a difficulty that the map lacks', { difficulty: 'Impossible' }, '422 DIFFICULTY_NOT_FOUND'],
  ['a characteristic that the map lacks', { characteristic: '360Degree' }, '422 DIFFICULTY_NOT_FOUND'],
  ['two speeds', { modifiers: ['SS', 'NF', 'SFS'] }, '400 MODIFIERS_CONFLICT'],
  ['an unknown modifier', { modifiers: ['XX'] }, '400 VALIDATION_FAILED'],
  ['a modifier in lower case', { modifiers: ['nf'] }, '400 VALIDATION_FAILED'],
  ['a repeated modifier', { modifiers: ['NF', 'NF'] }, '400 VALIDATION_FAILED'],
  ['no modifiers', { modifiers: undefined }, '400 VALIDATION_FAILED'],
  ['an unknown category', { categoryGuid: '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11' }, '404 CATEGORY_NOT_FOUND'],
  ['a malformed category', { categoryGuid: 'tech' }, '400 VALIDATION_FAILED'],
])('a map with %s is refused and changes nothing', async (_what, change, refused) => {
  expect(refusal(await curation.pooler.post(maps, wanted(change)))).toBe(refused);
  expect(await count()).toBe(0);
  expect(await revision()).toBe(1);
});

test('the map host is not asked for rows that are refused for another reason', async () => {
  const { pooler, mapHost } = curation;
  const asked = askedOf(mapHost).length;
  // Keys that no other test looks up.
  const twoSpeeds = { key: 'eeeeee1', modifiers: ['SS', 'FS'] };
  const noCategory = { key: 'eeeeee2', categoryGuid: '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11' };
  expect(refusal(await pooler.post(maps, wanted(twoSpeeds)))).toBe('400 MODIFIERS_CONFLICT');
  expect(refusal(await pooler.post(maps, wanted(noCategory)))).toBe('404 CATEGORY_NOT_FOUND');
  const batch = await pooler.post(`${maps}/batch`, { maps: [wanted(twoSpeeds), wanted(noCategory)] });
  expect(batch.body.error.details.rows.map(({ code }: { code: string }) => code)).toEqual([
    'MODIFIERS_CONFLICT',
    'CATEGORY_NOT_FOUND',
  ]);
  expect(askedOf(mapHost)).toHaveLength(asked);
  const { mapGuid } = done(await pooler.post(maps, wanted()));
  const askedSince = askedOf(mapHost).length;
  const change = { difficulty: standard[1]?.difficulty, modifiers: ['SS', 'FS'] };
  expect(refusal(await pooler.patch(`${maps}/${mapGuid}`, change))).toBe('400 MODIFIERS_CONFLICT');
  expect(askedOf(mapHost)).toHaveLength(askedSince);
});

test('every modifier code is accepted, in the order given', async () => {
  const modifiers = [...modifierCodes].filter((code) => code !== 'FS' && code !== 'SFS').reverse();
  expect(modifiers).toHaveLength(13);
  expect(done(await curation.pooler.post(maps, wanted({ modifiers }))).modifiers).toEqual(modifiers);
});

test('a light show is not playable', async () => {
  const show = catalogue.find(({ difficulties }) => difficulties.some(({ maxScore }) => maxScore === 0));
  const light = show?.difficulties.find(({ maxScore }) => maxScore === 0);
  const { characteristic, difficulty } = light ?? {};
  const answer = await curation.pooler.post(maps, wanted({ key: show?.key, characteristic, difficulty }));
  expect(refusal(answer)).toBe('422 MAP_NOT_PLAYABLE');
});

test('a difficulty of a map is in a pool once; the same difficulty in another characteristic can be added', async () => {
  const { pooler } = curation;
  const names = twice?.difficulties.map((one) => one.difficulty) ?? [];
  const difficulty = names.find((name, at) => names.indexOf(name) !== at);
  const both = twice?.difficulties.filter((one) => one.difficulty === difficulty) ?? [];
  for (const { characteristic } of both.slice(0, 2))
    done(await pooler.post(maps, wanted({ key: twice?.key, characteristic, difficulty })));
  const again = wanted({
    key: twice?.key,
    characteristic: both[0]?.characteristic,
    difficulty,
    modifiers: ['NF'],
  });
  expect(refusal(await pooler.post(maps, again))).toBe('409 MAP_ALREADY_IN_POOL');
  expect(await count()).toBe(2);
});

test('one of eight concurrent changes with the same If-Match succeeds', async () => {
  const { pooler, reviewer, database } = curation;
  const rows = someMaps(8, categoryGuid);
  // The answers of the map host are cached, so that the requests meet at the pool.
  const { poolGuid: other } = done(await curation.admin.post(`/pools/${poolGuid}/copy`, { name: 'Other' }));
  done(await pooler.post(`/pools/${other}/maps/batch`, { maps: rows }));
  expect(await database.prisma.hostMapKey.count()).toBeGreaterThanOrEqual(rows.length);

  const { etag = '' } = (await pooler.get(maps)).headers;
  const answers = await Promise.all(
    rows.map((row, at) => (at % 2 ? pooler : reviewer).post(maps, row, { 'if-match': etag })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(412)]);
  expect(await count()).toBe(1);
});

test('nothing is stored while the map host is down', async () => {
  curation.mapHost.fail('down');
  const [map] = someMaps(1, categoryGuid);
  await curation.database.prisma.hostMapKey.deleteMany();
  expect(refusal(await curation.pooler.post(maps, map))).toBe('502 UPSTREAM_UNAVAILABLE');
  expect(await count()).toBe(0);
});

test('a batch is added whole, in its order, as one change', async () => {
  const { pooler } = curation;
  const rows = someMaps(30, categoryGuid);
  const answer = await pooler.post(`${maps}/batch`, { maps: rows });
  expect(answer.status).toBe(201);
  expect(answer.body.maps.map((map: { key: string }) => map.key)).toEqual(rows.map(({ key }) => key));
  expect(await count()).toBe(30);
  expect(await revision()).toBe(2);
});

test('a batch with wrong rows adds none and names one problem for each of them', async () => {
  const { pooler } = curation;
  done(await pooler.post(maps, wanted()));
  const [good, double] = someMaps(20, categoryGuid).slice(-2);
  const answer = await pooler.post(`${maps}/batch`, {
    maps: [
      good,
      wanted({ key: 'fffffff' }),
      wanted({ difficulty: 'Impossible' }),
      wanted(),
      double,
      { ...double, modifiers: ['NF'] },
      wanted({ modifiers: ['SS', 'FS'] }),
      wanted({ maxScore: 1, key: 'nonsense' }),
      'nonsense',
      wanted({ categoryGuid: '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11' }),
    ],
  });
  expect(refusal(answer)).toBe('400 VALIDATION_FAILED');
  expect(answer.body.error.message).toBe('8 of 10 maps cannot be added; nothing was added.');
  expect(
    answer.body.error.details.rows.map((row: { index: number; code: string }) => [row.index, row.code]),
  ).toEqual([
    [1, 'MAP_NOT_FOUND'],
    [2, 'DIFFICULTY_NOT_FOUND'],
    [3, 'MAP_ALREADY_IN_POOL'],
    [5, 'MAP_ALREADY_IN_POOL'],
    [6, 'MODIFIERS_CONFLICT'],
    [7, 'VALIDATION_FAILED'],
    [8, 'VALIDATION_FAILED'],
    [9, 'CATEGORY_NOT_FOUND'],
  ]);
  const messageOf = (at: number) =>
    answer.body.error.details.rows.find(({ index }: { index: number }) => index === at).message;
  expect(messageOf(3)).toBe('This difficulty of this map is in the pool already.');
  // The row before it, in a count that begins with 1.
  expect(messageOf(5)).toBe('This difficulty of this map is in row 5 already.');
  expect(await count()).toBe(1);
  expect(await revision()).toBe(2);
});

test('a batch is one to two hundred rows', async () => {
  const { pooler } = curation;
  for (const body of [
    { maps: [] },
    { maps: Array(201).fill(wanted()) },
    {},
    { maps: [wanted()], pool: 'x' },
    { maps: 'all' },
  ]) {
    const answer = await pooler.post(`${maps}/batch`, body);
    expect(refusal(answer)).toBe('400 VALIDATION_FAILED');
    expect(answer.body.error.details.rows).toBeUndefined();
  }
  expect(refusal(await pooler.post('/pools/nonsense/maps/batch', { maps: ['x'] }))).toBe(
    '400 VALIDATION_FAILED',
  );
});

test('a batch that failed only at the map host can be repeated', async () => {
  const { pooler, mapHost, database } = curation;
  const rows = { maps: someMaps(20, categoryGuid) };
  await database.prisma.hostMapKey.deleteMany();
  mapHost.fail('error');
  const refused = await pooler.post(`${maps}/batch`, rows);
  expect(refusal(refused)).toBe('502 UPSTREAM_UNAVAILABLE');
  // The host is down, which concerns no row more than another.
  expect(refused.body.error.details).toBeUndefined();
  expect(await count()).toBe(0);
  mapHost.fail(null);
  expect((await pooler.post(`${maps}/batch`, rows)).status).toBe(201);
});

test('category and modifiers are changed without asking the map host', async () => {
  const { admin, pooler, mapHost } = curation;
  const before = done(await pooler.post(maps, wanted()));
  const other = done(await admin.post('/map-categories', { name: 'speed' }));
  mapHost.fail('down');
  const change = { categoryGuid: other.categoryGuid, modifiers: ['SFS'] };
  expect(done(await pooler.patch(`${maps}/${before.mapGuid}`, change))).toEqual({ ...before, ...change });
  expect(await revision()).toBe(3);
});

test('another difficulty is resolved within the stored upload', async () => {
  const { pooler } = curation;
  const before = done(await pooler.post(maps, wanted()));
  const difficulty = standard[1]?.difficulty;
  expect(done(await pooler.patch(`${maps}/${before.mapGuid}`, { difficulty }))).toEqual({
    ...before,
    difficulty,
    maxScore: standard[1]?.maxScore,
  });
  expect(refusal(await pooler.patch(`${maps}/${before.mapGuid}`, { difficulty: 'Impossible' }))).toBe(
    '422 DIFFICULTY_NOT_FOUND',
  );
});

test('a map whose upload the host no longer publishes is marked, keeps its place, and gets no other difficulty', async () => {
  const { pooler, mapHost } = curation;
  const fresh = {
    ...(several ?? catalogue[0]),
    key: 'abc1',
    hash: '1'.repeat(40),
  } as (typeof catalogue)[number];
  mapHost.addMap(fresh);
  const before = done(await pooler.post(maps, wanted({ key: fresh.key })));
  const newHash = mapHost.republish(fresh.key).toUpperCase();
  const difficulty = standard[1]?.difficulty;
  expect(refusal(await pooler.patch(`${maps}/${before.mapGuid}`, { difficulty }))).toBe('409 MAP_STALE');
  const whole = done(await pooler.get(maps));
  expect(whole.maps).toEqual([{ ...before, stale: true }]);
  expect(whole.revision).toBe(2);
  expect(done(await pooler.patch(`${maps}/${before.mapGuid}`, { modifiers: ['NF'] })).modifiers).toEqual([
    'NF',
  ]);

  const added = done(await pooler.post(maps, wanted({ key: fresh.key })));
  expect(added).toMatchObject({ hash: newHash, stale: false });
  expect(await count()).toBe(2);

  mapHost.removeMap(fresh.key);
  expect(refusal(await pooler.patch(`${maps}/${added.mapGuid}`, { difficulty }))).toBe('409 MAP_STALE');
  expect(done(await pooler.get(maps)).maps[1]).toEqual({ ...added, stale: true });
});

test('a change to a difficulty that is in the pool already is refused', async () => {
  const { pooler } = curation;
  done(await pooler.post(maps, wanted()));
  const { mapGuid } = done(await pooler.post(maps, wanted({ difficulty: standard[1]?.difficulty })));
  expect(refusal(await pooler.patch(`${maps}/${mapGuid}`, { difficulty: standard[0]?.difficulty }))).toBe(
    '409 MAP_ALREADY_IN_POOL',
  );
});

test('a change that changes nothing is no new revision', async () => {
  const { pooler, admin } = curation;
  const before = done(await pooler.post(maps, wanted()));
  const { difficulty, modifiers } = before;
  expect(done(await pooler.patch(`${maps}/${before.mapGuid}`, { difficulty, modifiers }))).toEqual(before);
  done(await admin.patch(`/pools/${poolGuid}`, { name: 'Pool' }));
  expect(await revision()).toBe(2);
});

test('the key of a map and the resolved values cannot be changed', async () => {
  const { pooler } = curation;
  const { mapGuid } = done(await pooler.post(maps, wanted()));
  for (const change of [
    { key: '1' },
    { hash: 'A'.repeat(40) },
    { maxScore: 5 },
    { stale: false },
    { modifiers: ['XX'] },
  ])
    expect(refusal(await pooler.patch(`${maps}/${mapGuid}`, change))).toBe('400 VALIDATION_FAILED');
  expect(refusal(await pooler.patch(`${maps}/${mapGuid}`, { modifiers: ['FS', 'SFS'] }))).toBe(
    '400 MODIFIERS_CONFLICT',
  );
});

test('a map is removed only once', async () => {
  const { pooler, reviewer } = curation;
  const { mapGuid } = done(await pooler.post(maps, wanted()));
  const answers = await Promise.all([
    pooler.delete(`${maps}/${mapGuid}`),
    reviewer.delete(`${maps}/${mapGuid}`),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
  expect(await revision()).toBe(3);
  expect(refusal(await pooler.patch(`${maps}/${mapGuid}`, { modifiers: [] }))).toBe('404 MAP_NOT_FOUND');
});

test('a map is changed only through its own pool', async () => {
  const { admin, pooler } = curation;
  const { mapGuid } = done(await pooler.post(maps, wanted()));
  const { poolGuid: other } = done(await admin.post(`/pools/${poolGuid}/copy`, { name: 'Other' }));
  expect(refusal(await pooler.delete(`/pools/${other}/maps/${mapGuid}`))).toBe('404 MAP_NOT_FOUND');
});

test.each([
  ['a hash in lower case', { hash: 'a'.repeat(40) }],
  ['a hash of another length', { hash: 'A'.repeat(39) }],
  ['no duration', { durationSeconds: 0 }],
  ['no maximum score', { maxScore: 0 }],
  ['an unknown modifier', { modifiers: ['XX'] }],
  ['two speeds', { modifiers: ['SS', 'DA', 'SFS'] }],
])('the database itself refuses a map with %s', async (_what, data) => {
  const { mapGuid } = done(await curation.pooler.post(maps, wanted({ modifiers: ['FS'] })));
  const written = curation.database.prisma.poolMap.update({ where: { mapGuid }, data });
  await expect(written).rejects.toThrow(/PoolMap_/);
});
