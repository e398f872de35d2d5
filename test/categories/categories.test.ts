import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Curation, done, refusal, someMaps, startCuration, startDraft } from '../harness/curation.ts';

let curation: Curation;
beforeAll(async () => {
  curation = await startCuration();
});
afterAll(() => curation.stop());
beforeEach(() => curation.clear());

test('categories are sorted by position, then by name; a new one comes last', async () => {
  const { admin, nobody } = curation;
  for (const category of [{ name: 'tech', position: 5 }, { name: 'speed' }, { name: 'acc', position: 5 }])
    expect((await admin.post('/map-categories', category)).status).toBe(201);
  const list = done(await nobody.get('/map-categories'));
  expect(list.items.map((one: { name: string; position: number }) => [one.name, one.position])).toEqual([
    ['acc', 5],
    ['tech', 5],
    ['speed', 6],
  ]);
});

test('a new category after one at the last possible position gets the same position', async () => {
  const { admin } = curation;
  done(await admin.post('/map-categories', { name: 'last', position: 10_000 }));
  const created = await admin.post('/map-categories', { name: 'new' });
  expect([created.status, created.body.position]).toEqual([201, 10_000]);
});

test('the pages of categories have each category once, also when positions are equal', async () => {
  const { admin, nobody } = curation;
  for (const name of ['a', 'b', 'c']) done(await admin.post('/map-categories', { name, position: 0 }));
  const first = done(await nobody.get('/map-categories?limit=2'));
  const second = done(await nobody.get(`/map-categories?limit=2&cursor=${first.nextCursor}`));
  expect([...first.items, ...second.items].map((one) => one.name)).toEqual(['a', 'b', 'c']);
});

test('a colour is #RRGGBB or none', async () => {
  const { admin } = curation;
  expect(done(await admin.post('/map-categories', { name: 'a' })).color).toBeNull();
  expect(done(await admin.post('/map-categories', { name: 'b', color: '#ff8800' })).color).toBe('#FF8800');
  const { categoryGuid } = done(await admin.post('/map-categories', { name: 'c', color: '#000000' }));
  expect(done(await admin.patch(`/map-categories/${categoryGuid}`, { color: null })).color).toBeNull();
  for (const color of ['red', '#fff', '#ff88001', 'ff8800', 7])
    expect(refusal(await admin.post('/map-categories', { name: 'd', color }))).toBe('400 VALIDATION_FAILED');
});

test('a second category with the same name is refused, also at the same moment and by renaming', async () => {
  const { admin } = curation;
  const answers = await Promise.all([1, 2].map(() => admin.post('/map-categories', { name: 'tech' })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const { categoryGuid } = done(await admin.post('/map-categories', { name: 'speed' }));
  const renamed = await admin.patch(`/map-categories/${categoryGuid}`, { name: 'tech' });
  expect(refusal(renamed)).toBe('409 CONFLICT');
  expect(renamed.body.error.message).toContain('name');
});

test('names that look the same are the same, however their accents are composed', async () => {
  const { admin } = curation;
  expect(done(await admin.post('/map-categories', { name: 'été'.normalize('NFD') })).name).toBe('été');
  expect(refusal(await admin.post('/map-categories', { name: 'été' }))).toBe('409 CONFLICT');
});

test('a category is deleted unless a map is in it', async () => {
  const { admin, pooler, nobody } = curation;
  const { poolGuid, categoryGuid } = await startDraft(curation);
  const [map] = someMaps(1, categoryGuid);
  const { mapGuid } = done(await pooler.post(`/pools/${poolGuid}/maps`, map));
  expect(refusal(await admin.delete(`/map-categories/${categoryGuid}`))).toBe('409 CATEGORY_IN_USE');
  done(await pooler.delete(`/pools/${poolGuid}/maps/${mapGuid}`));
  expect(await admin.delete(`/map-categories/${categoryGuid}`)).toMatchObject({ status: 204, body: null });
  expect(refusal(await nobody.get(`/map-categories/${categoryGuid}`))).toBe('404 CATEGORY_NOT_FOUND');
  expect(refusal(await admin.delete(`/map-categories/${categoryGuid}`))).toBe('404 CATEGORY_NOT_FOUND');
});

test('when a category is deleted while a map is put into it, only one of the two happens', async () => {
  const { admin, pooler, database } = curation;
  const { poolGuid } = await startDraft(curation);
  const outcomes = new Set<string>();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const { categoryGuid } = done(await admin.post('/map-categories', { name }));
    const [map] = someMaps(1, categoryGuid);
    const [deleted, added] = await Promise.all([
      admin.delete(`/map-categories/${categoryGuid}`),
      pooler.post(`/pools/${poolGuid}/maps`, map),
    ]);
    const kept = await database.prisma.mapCategory.count({ where: { categoryGuid } });
    outcomes.add(`${deleted.status} ${added.status} ${kept}`);
    if (added.status === 201) done(await pooler.delete(`/pools/${poolGuid}/maps/${added.body.mapGuid}`));
  }
  for (const outcome of outcomes) expect(['204 404 0', '409 201 1']).toContain(outcome);
});

test('one of two concurrent changes with the same If-Match is refused', async () => {
  const { admin } = curation;
  const { categoryGuid } = done(await admin.post('/map-categories', { name: 'tech' }));
  const url = `/map-categories/${categoryGuid}`;
  const { etag = '' } = (await admin.get(url)).headers;
  const answers = await Promise.all(
    [1, 2].map((position) => admin.patch(url, { position }, { 'if-match': etag })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
});
