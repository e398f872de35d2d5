import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Curation, done, refusal, startCuration } from '../harness/curation.ts';

let curation: Curation;
beforeAll(async () => {
  curation = await startCuration();
});
afterAll(() => curation.stop());
beforeEach(() => curation.clear());

const spring = { name: 'Spring', startsAt: '2026-03-01T00:00:00.000Z', endsAt: '2026-06-01T00:00:00.000Z' };
const summer = { name: 'Summer', startsAt: '2026-06-01T00:00:00.000Z', endsAt: '2026-09-01T00:00:00.000Z' };

test('a season is created with its own id and shown to everybody, the latest first', async () => {
  const { admin, nobody } = curation;
  const first = await admin.post('/seasons', spring);
  expect(first.status).toBe(201);
  expect(first.body).toEqual({ seasonGuid: expect.stringMatching(/^[0-9a-f-]{36}$/), ...spring });
  done(await admin.post('/seasons', summer));
  const list = await nobody.get('/seasons');
  expect(list.body).toMatchObject({ items: [summer, spring], nextCursor: null });
  expect(list.headers['cache-control']).toMatch(/^public, max-age=/);
  expect((await nobody.get(`/seasons/${first.body.seasonGuid}`)).body).toEqual(first.body);
});

test('times are answered in UTC whatever offset they were given in', async () => {
  const created = await curation.admin.post('/seasons', { ...spring, startsAt: '2026-03-01T02:00:00+02:00' });
  expect(created.body.startsAt).toBe('2026-03-01T00:00:00.000Z');
});

test('one season may start when another ends, but none may overlap another', async () => {
  const { admin } = curation;
  done(await admin.post('/seasons', spring));
  done(await admin.post('/seasons', summer));
  for (const [startsAt, endsAt] of [
    ['2026-05-31T23:59:59.999Z', '2026-06-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2026-04-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z'],
  ])
    expect(refusal(await admin.post('/seasons', { name: 'Other', startsAt, endsAt }))).toBe(
      '409 SEASON_OVERLAP',
    );
});

test('one of two overlapping seasons that are created at the same moment is refused', async () => {
  const { admin } = curation;
  const answers = await Promise.all([
    admin.post('/seasons', spring),
    admin.post('/seasons', { ...spring, name: 'Rival' }),
  ]);
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
});

test('a change moves one end, keeps the rest, and is refused where it would overlap', async () => {
  const { admin } = curation;
  const { seasonGuid } = done(await admin.post('/seasons', spring));
  done(await admin.post('/seasons', summer));
  const shortened = await admin.patch(`/seasons/${seasonGuid}`, { endsAt: '2026-05-01T00:00:00.000Z' });
  expect(shortened.body).toEqual({ seasonGuid, ...spring, endsAt: '2026-05-01T00:00:00.000Z' });
  expect(refusal(await admin.patch(`/seasons/${seasonGuid}`, { endsAt: '2026-06-02T00:00:00.000Z' }))).toBe(
    '409 SEASON_OVERLAP',
  );
});

test('a season never ends before it starts, also when only one end is moved', async () => {
  const { admin } = curation;
  const { seasonGuid } = done(await admin.post('/seasons', spring));
  for (const answer of [
    await admin.post('/seasons', { ...summer, endsAt: summer.startsAt }),
    await admin.patch(`/seasons/${seasonGuid}`, { endsAt: '2026-02-01T00:00:00.000Z' }),
  ]) {
    expect(refusal(answer)).toBe('400 VALIDATION_FAILED');
    expect(answer.body.error.details.fields).toEqual([
      { path: 'endsAt', message: 'endsAt must be after startsAt.' },
    ]);
  }
});

test('one of two concurrent changes with the same If-Match is refused', async () => {
  const { admin } = curation;
  const { seasonGuid } = done(await admin.post('/seasons', spring));
  const { etag = '' } = (await admin.get(`/seasons/${seasonGuid}`)).headers;
  const answers = await Promise.all(
    ['One', 'Two'].map((name) => admin.patch(`/seasons/${seasonGuid}`, { name }, { 'if-match': etag })),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 412]);
});

test('a weak tag in If-Match is refused, also with the tag of the present state, and changes nothing', async () => {
  const { admin } = curation;
  const { seasonGuid } = done(await admin.post('/seasons', spring));
  const { etag = '' } = (await admin.get(`/seasons/${seasonGuid}`)).headers;
  const rename = (name: string) =>
    admin.patch(`/seasons/${seasonGuid}`, { name }, { 'if-match': `W/${etag}` });
  expect(refusal(await rename('One'))).toBe('412 STALE');
  expect((await admin.get(`/seasons/${seasonGuid}`)).headers.etag).toBe(etag);
});

test('an invalid season is refused with its wrong field', async () => {
  const { admin } = curation;
  for (const [body, path] of [
    [{ ...spring, name: '' }, 'name'],
    [{ ...spring, name: 'a\u0000b' }, 'name'],
    [{ ...spring, startsAt: 'tomorrow' }, 'startsAt'],
    [{ ...spring, startsAt: '0000-01-01T00:00:00Z' }, 'startsAt'],
    [{ ...spring, endsAt: '9999-12-31T23:59:59-01:00' }, 'endsAt'],
    [{ ...spring, startsAt: 1_772_000_000 }, 'startsAt'],
    [{ name: 'x', startsAt: spring.startsAt }, 'endsAt'],
    [{ ...spring, color: 'red' }, 'body'],
  ] as const) {
    const answer = await admin.post('/seasons', body);
    expect(refusal(answer)).toBe('400 VALIDATION_FAILED');
    expect(answer.body.error.details.fields[0].path).toBe(path);
  }
  const unknown = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';
  expect(refusal(await admin.patch(`/seasons/${unknown}`, { name: 'x' }))).toBe('404 SEASON_NOT_FOUND');
  expect(refusal(await admin.get('/seasons/nonsense'))).toBe('400 VALIDATION_FAILED');
});

test('the pages of seasons have each season once', async () => {
  const { admin, nobody } = curation;
  for (const month of ['01', '02', '03'])
    done(
      await admin.post('/seasons', {
        name: month,
        startsAt: `2025-${month}-01T00:00:00.000Z`,
        endsAt: `2025-${month}-02T00:00:00.000Z`,
      }),
    );
  const first = done(await nobody.get('/seasons?limit=2'));
  const second = done(await nobody.get(`/seasons?limit=2&cursor=${first.nextCursor}`));
  expect([...first.items, ...second.items].map((season) => season.name)).toEqual(['03', '02', '01']);
  expect(second.nextCursor).toBeNull();
  expect(refusal(await nobody.get('/seasons?cursor=bm9uc2Vuc2U'))).toBe('400 VALIDATION_FAILED');
});
