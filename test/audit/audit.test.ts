import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Curation, done, refusal, startCuration } from '../harness/curation.ts';

let curation: Curation;
beforeAll(async () => {
  curation = await startCuration();
});
afterAll(() => curation.stop());

const spring = { name: 'Spring', startsAt: '2026-03-01T00:00:00.000Z', endsAt: '2026-06-01T00:00:00.000Z' };

test('a change is in the log with its actor, before and after, newest first', async () => {
  const { admin, clock } = curation;
  const before = done(await admin.post('/seasons', spring));
  clock.advance(1000);
  const after = done(await admin.patch(`/seasons/${before.seasonGuid}`, { name: 'Frühling' }));
  const target = `/seasons/${before.seasonGuid}`;
  expect(done(await admin.get('/audit-log'))).toEqual({
    items: [
      {
        at: new Date(clock.now()).toISOString(),
        actor: admin.playerGuid,
        action: 'changeSeason',
        target,
        before,
        after,
      },
      {
        at: new Date(clock.now() - 1000).toISOString(),
        actor: admin.playerGuid,
        action: 'createSeason',
        target,
        before: null,
        after: before,
      },
    ],
    nextCursor: null,
  });
});

test('a change that was refused leaves no entry', async () => {
  const { admin } = curation;
  const entries = async () => done(await admin.get('/audit-log')).items.length;
  const before = await entries();
  expect(refusal(await admin.post('/seasons', spring))).toBe('409 SEASON_OVERLAP');
  expect(await entries()).toBe(before);
});

test('the log is filtered by actor, action and target with its sub-resources', async () => {
  const { admin, pooler, clock } = curation;
  clock.advance(1000);
  const { categoryGuid } = done(await pooler.post('/map-categories', { name: 'tech' }));
  const count = async (query: string) => done(await admin.get(`/audit-log?${query}`)).items.length;
  expect(await count(`actorGuid=${pooler.playerGuid}`)).toBe(1);
  expect(await count('action=createMapCategory')).toBe(1);
  expect(await count(`target=/map-categories/${categoryGuid}`)).toBe(1);
  expect(await count('target=/map-categories')).toBe(1);
  expect(await count('target=/map-cat')).toBe(0);
  expect(refusal(await admin.get('/audit-log?who=me'))).toBe('400 VALIDATION_FAILED');
});

test('pages of the log follow each other without a gap, also within one instant', async () => {
  const { admin } = curation;
  for (const name of ['a', 'b', 'c', 'd']) done(await admin.post('/map-categories', { name }));
  const whole = done(await admin.get('/audit-log')).items;
  const paged = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page = done(await admin.get(`/audit-log?limit=3${query}`));
    paged.push(...page.items);
    cursor = page.nextCursor;
  }
  expect(paged).toEqual(whole);
  expect(paged.length).toBeGreaterThan(6);
});

test('a change that changes nothing leaves no entry', async () => {
  const { admin } = curation;
  const season = done(await admin.get('/seasons')).items[0];
  const category = done(await admin.post('/map-categories', { name: 'speed' }));
  const entries = async () => done(await admin.get('/audit-log')).items.length;
  const before = await entries();
  for (const body of [{}, { name: season.name }])
    expect(done(await admin.patch(`/seasons/${season.seasonGuid}`, body))).toEqual(season);
  for (const body of [{}, { name: 'speed', color: null }])
    expect(done(await admin.patch(`/map-categories/${category.categoryGuid}`, body))).toEqual(category);
  expect(await entries()).toBe(before);
});
