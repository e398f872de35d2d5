import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadCatalogue } from '../../src/local/map-host/catalogue.ts';
import { type Curation, done, refusal, someMaps, startCuration, startDraft } from '../harness/curation.ts';

/** Maps of a draft are removed, changed and added in one request. */

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

interface Row {
  mapGuid: string;
  key: string;
  characteristic: string;
  difficulty: string;
  categoryGuid: string;
  modifiers: string[];
}

/** Maps that have this many playable difficulties in one characteristic. */
const withDifficulties = (count: number) =>
  loadCatalogue().flatMap((map) => {
    const playable = map.difficulties.filter(
      (one) => one.characteristic === 'Standard' && (one.maxScore ?? 0) > 0,
    );
    return map.shape !== '2021' && map.durationSeconds > 0 && playable.length >= count
      ? [{ key: map.key, names: playable.map((one) => one.difficulty) }]
      : [];
  });

const read = async () => done<{ maps: Row[]; revision: number }>(await curation.pooler.get(maps));
const save = (body: object, headers?: Record<string, string>, who = curation.pooler) =>
  who.post(`${maps}/batch`, body, headers);
const fill = async (count: number, rows = someMaps(count, categoryGuid)): Promise<Row[]> =>
  done(await save({ maps: rows })).maps;
/** Two rows of one map, with its first two difficulties, and the names of all. */
const fillTwoOfOne = async () => {
  const [{ key, names } = { key: '', names: [] }] = withDifficulties(3);
  const row = (difficulty = '') => ({
    key,
    characteristic: 'Standard',
    difficulty,
    categoryGuid,
    modifiers: [],
  });
  const [first, second] = done<{ maps: [Row, Row] }>(
    await save({ maps: [row(names[0]), row(names[1])] }),
  ).maps;
  return { first, second, names, row };
};
const problems = (answer: { body: { error: { details: Record<string, object[]> } } }) =>
  answer.body.error.details;
const unknown = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';

test('removals, changes and additions are one revision, each in the audit log', async () => {
  const { admin } = curation;
  const [gone, speedy, moved, same] = (await fill(4)) as [Row, Row, Row, Row];
  const speed = done(await admin.post('/map-categories', { name: 'speed' }));
  const [, , , , added] = someMaps(5, categoryGuid);
  const answer = await save({
    removals: [gone.mapGuid],
    changes: [
      { mapGuid: moved.mapGuid, categoryGuid: speed.categoryGuid },
      { mapGuid: speedy.mapGuid, modifiers: ['SFS', 'GN'] },
      { mapGuid: same.mapGuid, modifiers: [] },
    ],
    maps: [added],
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    maps: [expect.objectContaining({ key: added?.key })],
    changed: [{ ...moved, categoryGuid: speed.categoryGuid }, { ...speedy, modifiers: ['SFS', 'GN'] }, same],
    removed: [gone.mapGuid],
  });
  const after = await read();
  expect(after.revision).toBe(3);
  // A map that was changed keeps its place.
  expect(after.maps).toEqual([answer.body.changed[1], answer.body.changed[0], same, answer.body.maps[0]]);
  const entries = done(await admin.get('/audit-log?limit=4')).items as { action: string; target: string }[];
  const byMap = new Map(entries.map(({ action, target }) => [target.split('/').at(-1), action]));
  expect(byMap).toEqual(
    new Map([
      [gone.mapGuid, 'removeMap'],
      [speedy.mapGuid, 'changeMap'],
      [moved.mapGuid, 'changeMap'],
      [answer.body.maps[0].mapGuid, 'addMap'],
    ]),
  );
});

test('two rows of a map exchange their difficulties', async () => {
  const { first, second } = await fillTwoOfOne();
  const answer = await save({
    changes: [
      { mapGuid: first.mapGuid, difficulty: second.difficulty },
      { mapGuid: second.mapGuid, difficulty: first.difficulty },
    ],
  });
  expect(done(answer).changed.map(({ difficulty }: Row) => difficulty)).toEqual([
    second.difficulty,
    first.difficulty,
  ]);
  expect((await read()).maps).toEqual(answer.body.changed);
});

test('the difficulty of a removed row is free for a change and for an addition', async () => {
  const { first, second, row } = await fillTwoOfOne();
  const answer = await save({
    removals: [first.mapGuid],
    changes: [{ mapGuid: second.mapGuid, difficulty: first.difficulty }],
    maps: [row(second.difficulty)],
  });
  expect(answer.status).toBe(201);
  expect((await read()).maps.map(({ difficulty }) => difficulty)).toEqual([
    first.difficulty,
    second.difficulty,
  ]);
});

test('nothing is saved when a row is wrong, and every wrong row is named with its problem', async () => {
  const { first, second, names, row } = await fillTwoOfOne();
  const others = someMaps(40, categoryGuid).filter(({ key }) => key !== first.key);
  const [other, gone] = (await fill(2, others.slice(-2))) as [Row, Row];
  const before = await read();
  const answer = await save({
    removals: [gone.mapGuid, unknown],
    changes: [
      { mapGuid: first.mapGuid, difficulty: second.difficulty },
      { mapGuid: gone.mapGuid, modifiers: [] },
      { mapGuid: other.mapGuid, modifiers: ['SS', 'FS'] },
      { mapGuid: second.mapGuid, modifiers: ['XX'] },
    ],
    maps: [row('Impossible'), row(names[2])],
  });
  expect(refusal(answer)).toBe('400 VALIDATION_FAILED');
  expect(answer.body.error.message).toBe('6 of 8 rows cannot be saved; nothing was saved.');
  expect(problems(answer)).toEqual({
    rows: [expect.objectContaining({ index: 0, code: 'DIFFICULTY_NOT_FOUND' })],
    changes: expect.arrayContaining([
      { mapGuid: unknown, code: 'MAP_NOT_FOUND', message: 'There is no such map in this pool.' },
      expect.objectContaining({ mapGuid: first.mapGuid, code: 'MAP_ALREADY_IN_POOL' }),
      expect.objectContaining({ mapGuid: gone.mapGuid, code: 'MAP_NOT_FOUND' }),
      expect.objectContaining({ mapGuid: other.mapGuid, code: 'MODIFIERS_CONFLICT' }),
      expect.objectContaining({ mapGuid: second.mapGuid, code: 'VALIDATION_FAILED' }),
    ]),
  });
  expect(await read()).toEqual(before);
});

test('a change to an unknown category, difficulty or replaced upload is the problem of its row', async () => {
  const { mapHost } = curation;
  const { first, second, names } = await fillTwoOfOne();
  const change = async (to: object) =>
    problems(await save({ changes: [{ mapGuid: first.mapGuid, ...to }] })).changes;
  expect(await change({ categoryGuid: unknown })).toMatchObject([{ code: 'CATEGORY_NOT_FOUND' }]);
  expect(await change({ difficulty: 'Impossible' })).toMatchObject([{ code: 'DIFFICULTY_NOT_FOUND' }]);
  expect(await change({ difficulty: second.difficulty })).toMatchObject([{ code: 'MAP_ALREADY_IN_POOL' }]);

  const [map] = loadCatalogue().filter(({ key }) => key === first.key);
  mapHost.addMap({ ...(map as typeof map & object), key: 'abc2', hash: '2'.repeat(40) });
  const [fresh] = done<{ maps: Row[] }>(
    await save({ maps: [{ ...first, mapGuid: undefined, key: 'abc2' }].map(asked) }),
  ).maps;
  mapHost.republish('abc2');
  await curation.database.prisma.hostMapKey.deleteMany();
  const replaced = await save({ changes: [{ mapGuid: fresh?.mapGuid, difficulty: names[2] }] });
  expect(problems(replaced).changes).toMatchObject([{ mapGuid: fresh?.mapGuid, code: 'MAP_STALE' }]);
  expect((await read()).maps.at(-1)).toMatchObject({ mapGuid: fresh?.mapGuid, stale: true });
  mapHost.removeMap('abc2');
});

const asked = ({
  key,
  characteristic,
  difficulty,
  categoryGuid: category,
  modifiers,
}: Omit<Row, 'mapGuid'>) => ({
  key,
  characteristic,
  difficulty,
  categoryGuid: category,
  modifiers,
});

test('category and modifiers are changed and maps removed while the map host is down', async () => {
  const { mapHost } = curation;
  const [one, two] = (await fill(2)) as [Row, Row];
  mapHost.fail('down');
  const answer = await save({
    removals: [one.mapGuid],
    changes: [{ mapGuid: two.mapGuid, difficulty: two.difficulty, modifiers: ['GN'] }],
  });
  expect(answer.status).toBe(201);
  expect((await read()).maps).toEqual([{ ...two, modifiers: ['GN'] }]);
});

test('a batch that changes nothing is no new revision', async () => {
  const [one] = (await fill(1)) as [Row];
  const answer = await save({
    changes: [{ mapGuid: one.mapGuid, modifiers: [], difficulty: one.difficulty }],
  });
  expect(answer.body).toEqual({ maps: [], changed: [one], removed: [] });
  expect((await read()).revision).toBe(2);
});

test('a batch without rows, with over two hundred of a kind, or with a malformed row is refused', async () => {
  const [one] = (await fill(1)) as [Row];
  for (const body of [
    {},
    { maps: [], changes: [], removals: [] },
    { removals: Array(201).fill(unknown) },
    { changes: Array(201).fill({ mapGuid: unknown }) },
    { removals: ['nonsense'] },
    { changes: [{ mapGuid: 'nonsense' }] },
    { changes: [{ modifiers: [] }] },
    { changes: ['nonsense'] },
    { changes: [{ mapGuid: one.mapGuid, modifiers: 'GN' }, 'nonsense'] },
  ]) {
    const answer = await save(body);
    expect(refusal(answer)).toBe('400 VALIDATION_FAILED');
    expect(problems(answer).changes).toBeUndefined();
  }
});

test('one of two batches at once with the same If-Match is saved, and the other is STALE', async () => {
  const { pooler, reviewer } = curation;
  const [one, two] = (await fill(2)) as [Row, Row];
  const { etag = '' } = (await pooler.get(maps)).headers;
  const answers = await Promise.all([
    save({ removals: [one.mapGuid] }, { 'if-match': etag }, pooler),
    save({ changes: [{ mapGuid: one.mapGuid, modifiers: ['GN'] }] }, { 'if-match': etag }, reviewer),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 412]);
  expect((await read()).revision).toBe(3);
  // Without `If-Match` both are applied, one after the other.
  const both = await Promise.all([
    save({ changes: [{ mapGuid: two.mapGuid, modifiers: ['NF'] }] }, undefined, pooler),
    save({ changes: [{ mapGuid: two.mapGuid, modifiers: ['GN'] }] }, undefined, reviewer),
  ]);
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  expect((await read()).revision).toBe(5);
});

test('one of two batches at once that choose the same difficulty is refused', async () => {
  const { pooler, reviewer } = curation;
  const { first, second, names } = await fillTwoOfOne();
  const answers = await Promise.all([
    save({ changes: [{ mapGuid: first.mapGuid, difficulty: names[2] }] }, undefined, pooler),
    save({ changes: [{ mapGuid: second.mapGuid, difficulty: names[2] }] }, undefined, reviewer),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  const refused = answers.find(({ status }) => status === 400);
  expect(problems(refused as (typeof answers)[number]).changes).toMatchObject([
    { code: 'MAP_ALREADY_IN_POOL' },
  ]);
});
