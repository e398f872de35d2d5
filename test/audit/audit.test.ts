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

test('the log is filtered by time: since an instant, and before one', async () => {
  const { admin, clock } = curation;
  const times: string[] = [];
  for (const name of ['early', 'middle', 'late']) {
    clock.advance(60_000);
    times.push(new Date(clock.now()).toISOString());
    done(await admin.post('/map-categories', { name }));
  }
  const names = async (query: string) =>
    done(await admin.get(`/audit-log?${query}`)).items.map((entry: any) => entry.after.name);
  const [early = '', middle = '', late = ''] = times;
  expect(await names(`since=${early}`)).toEqual(['late', 'middle', 'early']);
  expect(await names(`since=${early}&until=${late}`)).toEqual(['middle', 'early']);
  expect(await names(`since=${middle}&until=${middle}`)).toEqual([]);
  const filters = `actorGuid=${admin.playerGuid}&action=createMapCategory&target=/map-categories`;
  const offset = encodeURIComponent(middle.replace('Z', '+00:00'));
  expect(await names(`${filters}&since=${offset}&until=${late}`)).toEqual(['middle']);
  expect(refusal(await admin.get('/audit-log?since=yesterday'))).toBe('400 VALIDATION_FAILED');
});

test('every combination of filters gives the same entries as filtering by hand, page by page', async () => {
  const { admin, pooler, clock } = curation;
  clock.advance(60_000);
  const since = new Date(clock.now()).toISOString();
  const { categoryGuid } = done(await admin.post('/map-categories', { name: 'filtered' }));
  for (const [who, name] of [
    [pooler, 'one'],
    [admin, 'two'],
    [pooler, 'three'],
    [admin, 'four'],
  ] as const) {
    done(await who.patch(`/map-categories/${categoryGuid}`, { name }));
    clock.advance(1000);
    done(await who.post('/map-categories', { name: `beside ${name}` }));
  }
  const until = new Date(clock.now()).toISOString();
  const all = done(await admin.get('/audit-log?limit=100')).items;
  const read = async (query: URLSearchParams) => {
    const found = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const next: URLSearchParams = new URLSearchParams([...query, ['limit', '3']]);
      if (cursor !== '') next.set('cursor', cursor);
      const page = done(await admin.get(`/audit-log?${next}`));
      found.push(...page.items);
      cursor = page.nextCursor;
    }
    return found;
  };
  let combinations = 0;
  for (const actorGuid of [undefined, admin.playerGuid, pooler.playerGuid])
    for (const action of [undefined, 'changeMapCategory', 'createMapCategory', 'createSeason'])
      for (const target of [
        undefined,
        '/map-categories',
        `/map-categories/${categoryGuid}`,
        '/seasons',
        '/map',
      ])
        for (const times of [{}, { since }, { until }, { since, until }]) {
          const given = Object.entries({ actorGuid, action, target, ...times }).filter(([, value]) => value);
          const query = new URLSearchParams(given as [string, string][]);
          const wanted = all.filter(
            (entry: any) =>
              (actorGuid === undefined || entry.actor === actorGuid) &&
              (action === undefined || entry.action === action) &&
              (target === undefined || entry.target === target || entry.target.startsWith(`${target}/`)) &&
              (!('since' in times) || entry.at >= since) &&
              (!('until' in times) || entry.at < until),
          );
          expect([query.toString(), await read(query)]).toEqual([query.toString(), wanted]);
          combinations += 1;
        }
  expect(combinations).toBe(240);
});

test('the actions in the log are listed, page by page', async () => {
  const { items: actions } = done(await curation.admin.get('/audit-log/actions?limit=100'));
  expect(actions).toEqual([...actions].sort());
  expect(actions).toContain('createMapCategory');
  const first = done(await curation.admin.get('/audit-log/actions?limit=2'));
  const second = done(await curation.admin.get(`/audit-log/actions?limit=2&cursor=${first.nextCursor}`));
  expect([...first.items, ...second.items]).toEqual(actions.slice(0, 4));
  const { items } = done(await curation.admin.get('/audit-log?limit=100'));
  expect(new Set(actions)).toEqual(new Set(items.map(({ action }: any) => action)));
});

test('the pages of the log have every entry once, also entries of the same instant', async () => {
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
