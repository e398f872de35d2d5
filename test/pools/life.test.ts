import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

let curation: Curation;
let seasonGuid: string;
let poolGuid: string;
let categoryGuid: string;
let pool: string;

beforeAll(async () => {
  curation = await startCuration();
});
afterAll(() => curation.stop());
beforeEach(async () => {
  await curation.clear();
  ({ seasonGuid, poolGuid, categoryGuid } = await startDraft(curation));
  pool = `/pools/${poolGuid}`;
});

const fill = async (count = 1) =>
  done(await curation.pooler.post(`${pool}/maps/batch`, { maps: someMaps(count, categoryGuid) }));
const submit = async () => done(await curation.pooler.post(`${pool}/submit`));
const approve = { verdict: 'approve' };
const sendBack = { verdict: 'request_changes', comment: 'Too hard.\nTry again.' };

test('a new pool is an empty draft of a season that exists', async () => {
  const { admin } = curation;
  const created = await admin.post('/pools', { seasonGuid, name: '  New pool ' });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    poolGuid: expect.any(String),
    seasonGuid,
    name: 'New pool',
    status: 'draft',
    revision: 1,
    mapCount: 0,
    submittedBy: null,
    publishedAt: null,
    playlistUrl: null,
    oneClickUrl: null,
  });
  const nowhere = { seasonGuid: '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11', name: 'x' };
  expect(refusal(await admin.post('/pools', nowhere))).toBe('404 SEASON_NOT_FOUND');
  expect(refusal(await admin.post('/pools', { seasonGuid, name: 'x', status: 'published' }))).toBe(
    '400 VALIDATION_FAILED',
  );
});

test('a draft is published after the approval of another reviewer', async () => {
  const { admin, pooler, reviewer, nobody, clock } = curation;
  await fill(3);
  expect(await submit()).toMatchObject({
    status: 'in_review',
    submittedBy: pooler.playerGuid,
    publishedAt: null,
  });
  const review = await reviewer.post(`${pool}/reviews`, { ...approve, comment: 'Good.' });
  expect(review.status).toBe(201);
  expect(review.body).toEqual({
    reviewGuid: expect.any(String),
    poolGuid,
    revision: 2,
    reviewerGuid: reviewer.playerGuid,
    verdict: 'approve',
    comment: 'Good.',
    rows: [],
    createdAt: new Date(clock.now()).toISOString(),
  });
  expect(done(await admin.get(`${pool}/reviews`))).toEqual({ items: [review.body], nextCursor: null });
  const published = done(await admin.post(`${pool}/publish`));
  expect(published).toEqual({
    poolGuid,
    seasonGuid,
    name: 'Pool',
    status: 'published',
    revision: 2,
    mapCount: 3,
    submittedBy: pooler.playerGuid,
    publishedAt: new Date(clock.now()).toISOString(),
    playlistUrl: `${BASE_URL}/pools/${poolGuid}/playlist.bplist`,
    oneClickUrl: `bsplaylist://playlist/${BASE_URL}/pools/${poolGuid}/playlist.bplist`,
  });
  expect(done(await nobody.get(pool))).toEqual(published);
  expect(done(await nobody.get('/pools')).items).toEqual([published]);
});

test('nobody may review a pool that they submitted or changed since the last review', async () => {
  const { admin, pooler, reviewer } = curation;
  await fill();
  done(await admin.patch(pool, { name: 'Renamed' }));
  await submit();
  for (const who of [pooler, admin])
    expect(refusal(await who.post(`${pool}/reviews`, approve))).toBe('403 SELF_REVIEW');
  done(await reviewer.post(`${pool}/reviews`, sendBack));
  done(await reviewer.post(`${pool}/submit`));
  expect(refusal(await reviewer.post(`${pool}/reviews`, approve))).toBe('403 SELF_REVIEW');
  expect((await admin.post(`${pool}/reviews`, approve)).status).toBe(201);
});

test('nobody may review the copy of a pool that they changed since its last review', async () => {
  const { admin, pooler, reviewer } = curation;
  await fill();
  done(await admin.patch(pool, { name: 'Renamed' }));
  const { poolGuid: copy } = done(await admin.post(`${pool}/copy`, { name: 'Copy' }));
  done(await reviewer.post(`/pools/${copy}/submit`));
  for (const who of [admin, pooler, reviewer])
    expect(refusal(await who.post(`/pools/${copy}/reviews`, approve))).toBe('403 SELF_REVIEW');
});

test('a person who only copies a reviewed pool may review the copy', async () => {
  const { admin, pooler, reviewer } = curation;
  await fill();
  await submit();
  done(await reviewer.post(`${pool}/reviews`, approve));
  const { poolGuid: copy } = done(await admin.post(`${pool}/copy`, { name: 'Copy' }));
  done(await pooler.post(`/pools/${copy}/submit`));
  expect((await admin.post(`/pools/${copy}/reviews`, approve)).status).toBe(201);
});

test('a review has comments on maps, and keeps the data of maps that are removed later', async () => {
  const { pooler, reviewer } = curation;
  const [first, second] = (await fill(2)).maps;
  await submit();
  const unknown = '01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11';
  const review = (rows: object[]) => reviewer.post(`${pool}/reviews`, { verdict: 'request_changes', rows });
  for (const rows of [
    [{ mapGuid: first.mapGuid, comment: ' ' }],
    [{ mapGuid: first.mapGuid, comment: 'x'.repeat(501) }],
    [{ mapGuid: first.mapGuid }],
    [
      { mapGuid: first.mapGuid, comment: 'a' },
      { mapGuid: first.mapGuid, comment: 'b' },
    ],
    Array(201).fill({ mapGuid: first.mapGuid, comment: 'a' }),
  ])
    expect(refusal(await review(rows))).toBe('400 VALIDATION_FAILED');
  expect(refusal(await review([{ mapGuid: unknown, comment: 'a' }]))).toBe('404 MAP_NOT_FOUND');
  expect(done(await pooler.get(pool)).status).toBe('in_review');

  const { key, name, characteristic, difficulty, mapGuid } = first;
  const comments = [
    { mapGuid: second.mapGuid, comment: 'Good,\nbut long.' },
    { mapGuid, comment: '  Too hard. ' },
  ];
  const { rows } = done(await review(comments));
  expect(rows).toHaveLength(2);
  expect(rows[1]).toEqual({ mapGuid, key, name, characteristic, difficulty, comment: 'Too hard.' });
  done(await pooler.delete(`${pool}/maps/${mapGuid}`));
  expect(done(await pooler.get(`${pool}/reviews`)).items).toMatchObject([{ rows }]);
});

test('one of two reviews at once that send a pool back is refused', async () => {
  const { admin, reviewer } = curation;
  const { maps } = await fill();
  await submit();
  const rows = [{ mapGuid: maps[0].mapGuid, comment: 'No.' }];
  const answers = await Promise.all(
    [admin, reviewer].map((who) => who.post(`${pool}/reviews`, { ...sendBack, rows })),
  );
  expect(answers.map((answer) => answer.body.error?.code ?? answer.status).sort()).toEqual([
    201,
    'POOL_NOT_IN_REVIEW',
  ]);
  expect(done(await admin.get(`${pool}/reviews`)).items).toHaveLength(1);
});

test('a pool lists who may not review it, until it is reviewed', async () => {
  const { admin, pooler, reviewer } = curation;
  const changedBy = async () => done(await admin.get(pool)).changedBy;
  expect(await changedBy()).toEqual([]);
  await fill();
  done(await admin.patch(pool, { name: 'Renamed' }));
  const both = [admin.playerGuid, pooler.playerGuid].sort();
  expect(await changedBy()).toEqual(both);
  await submit();
  const { etag = '' } = (await admin.get(pool)).headers;
  done(await reviewer.post(`${pool}/reviews`, approve, { 'if-match': etag }));
  expect(await changedBy()).toEqual([]);
  expect((await admin.get(pool)).headers.etag).not.toBe(etag);
  // `changedBy` is no part of the state that a publication is compared with.
  expect((await admin.post(`${pool}/publish`, undefined, { 'if-match': etag })).status).toBe(200);
});

test('a pool is published only after an approval of the same revision', async () => {
  const { admin, reviewer, pooler } = curation;
  await fill();
  expect(refusal(await admin.post(`${pool}/publish`))).toBe('409 REVIEW_REQUIRED');
  await submit();
  expect(refusal(await admin.post(`${pool}/publish`))).toBe('409 REVIEW_REQUIRED');
  done(await reviewer.post(`${pool}/reviews`, approve));
  curation.clock.advance(1000);
  done(await admin.post(`${pool}/reviews`, sendBack));
  expect(done(await admin.get(pool)).status).toBe('draft');
  expect(refusal(await admin.post(`${pool}/publish`))).toBe('409 REVIEW_REQUIRED');
  done(await pooler.post(`${pool}/submit`));
  expect(refusal(await admin.post(`${pool}/publish`))).toBe('409 REVIEW_REQUIRED');
  curation.clock.advance(1000);
  done(await reviewer.post(`${pool}/reviews`, approve));
  expect(done(await admin.post(`${pool}/publish`)).status).toBe('published');
});

test('a pool in review or published is not edited any more', async () => {
  const { admin, pooler, reviewer } = curation;
  const [map] = (await fill()).maps;
  const [, other] = someMaps(2, categoryGuid);
  const edits = () => [
    admin.patch(pool, { name: 'x' }),
    admin.delete(pool),
    pooler.post(`${pool}/maps`, other),
    pooler.post(`${pool}/maps/batch`, { maps: [other] }),
    pooler.patch(`${pool}/maps/${map.mapGuid}`, { modifiers: ['NF'] }),
    pooler.delete(`${pool}/maps/${map.mapGuid}`),
    pooler.post(`${pool}/submit`),
  ];
  await submit();
  for (const answer of await Promise.all(edits())) {
    expect(refusal(answer)).toBe('409 POOL_NOT_EDITABLE');
    expect(answer.body.error.details).toEqual({ status: 'in_review' });
  }
  done(await reviewer.post(`${pool}/reviews`, approve));
  done(await admin.post(`${pool}/publish`));
  for (const answer of await Promise.all(edits())) expect(refusal(answer)).toBe('409 POOL_NOT_EDITABLE');
  expect(refusal(await reviewer.post(`${pool}/reviews`, approve))).toBe('409 POOL_NOT_IN_REVIEW');
  expect(refusal(await admin.post(`${pool}/publish`))).toBe('409 POOL_NOT_IN_REVIEW');
});

test('an edit during the submission is part of the reviewed pool or refused', async () => {
  const { pooler, reviewer } = curation;
  await fill();
  const [, other] = someMaps(2, categoryGuid);
  const [added, submitted] = await Promise.all([
    reviewer.post(`${pool}/maps`, other),
    pooler.post(`${pool}/submit`),
  ]);
  expect(submitted.status).toBe(200);
  const { maps, revision, status } = done(await pooler.get(`${pool}/maps`));
  expect(status).toBe('in_review');
  if (added.status === 201) expect([maps.length, revision]).toEqual([2, 3]);
  else expect([refusal(added), maps.length, revision]).toEqual(['409 POOL_NOT_EDITABLE', 1, 2]);
});

test('one of two concurrent publications succeeds', async () => {
  const { admin, reviewer } = curation;
  await fill();
  await submit();
  done(await reviewer.post(`${pool}/reviews`, approve));
  const answers = await Promise.all([admin.post(`${pool}/publish`), admin.post(`${pool}/publish`)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('a publication with If-Match is refused after a change', async () => {
  const { admin, pooler, reviewer } = curation;
  const { etag: old = '' } = (await admin.get(`${pool}/maps`)).headers;
  await fill();
  expect(refusal(await pooler.post(`${pool}/submit`, undefined, { 'if-match': old }))).toBe('412 STALE');
  await submit();
  done(await reviewer.post(`${pool}/reviews`, approve));
  for (const [tag, outcome] of [
    [old, 412],
    [(await admin.get(`${pool}/maps`)).headers.etag ?? '', 200],
  ] as const)
    expect((await admin.post(`${pool}/publish`, undefined, { 'if-match': tag })).status).toBe(outcome);
  const retired = await admin.post(`${pool}/retire`, undefined, {
    'if-match': (await admin.get(pool)).headers.etag ?? '',
  });
  expect(retired.status).toBe(200);
});

test('the entity tag of a published pool is the same for staff and public, and answers 304', async () => {
  const { admin, nobody } = curation;
  await publishPool(curation, poolGuid, categoryGuid, 2);
  const forStaff = await admin.get(`${pool}/maps`);
  const forAll = await nobody.get(`${pool}/maps`);
  expect(forAll.headers.etag).toBe(forStaff.headers.etag);
  expect(forAll.body).toEqual(forStaff.body);
  expect(forAll.headers['cache-control']).toMatch(/^public/);
  const again = await nobody.get(`${pool}/maps`, { 'if-none-match': forAll.headers.etag ?? '' });
  expect(again).toMatchObject({ status: 304, body: null });
});

test('a change of a category changes the tag of a pool but not its revision', async () => {
  const { admin, nobody } = curation;
  await publishPool(curation, poolGuid, categoryGuid, 1);
  const before = await nobody.get(`${pool}/maps`);
  done(await admin.patch(`/map-categories/${categoryGuid}`, { color: '#00FF00' }));
  const after = await nobody.get(`${pool}/maps`);
  expect(after.headers.etag).not.toBe(before.headers.etag);
  expect(after.body.revision).toBe(before.body.revision);
});

test('only staff see drafts and pools in review', async () => {
  const { admin, pooler, nobody } = curation;
  await fill();
  const unseen = async () => {
    for (const path of [pool, `${pool}/maps`, `${pool}/playlist.bplist`])
      expect(refusal(await nobody.get(path))).toBe('404 POOL_NOT_FOUND');
    expect(done(await nobody.get('/pools')).items).toEqual([]);
    expect(done(await nobody.get('/pools?status=draft')).items).toEqual([]);
    expect((await pooler.get(`${pool}/maps`)).status).toBe(200);
  };
  await unseen();
  await submit();
  await unseen();
  done(await curation.reviewer.post(`${pool}/reviews`, approve));
  done(await admin.post(`${pool}/publish`));
  expect(done(await nobody.get('/pools')).items).toHaveLength(1);
  done(await admin.post(`${pool}/retire`));
  expect(done(await nobody.get(`${pool}/maps`)).status).toBe('retired');
  expect(done(await nobody.get('/pools')).items).toEqual([]);
  expect(done(await admin.get('/pools?status=retired')).items).toHaveLength(1);
});

test('lists of pools are filtered by season and status, newest first', async () => {
  const { admin, clock } = curation;
  const later = done(
    await admin.post('/seasons', {
      name: 'Later',
      startsAt: new Date(clock.now() + 86_400_000).toISOString(),
      endsAt: new Date(clock.now() + 2 * 86_400_000).toISOString(),
    }),
  );
  const second = done(await admin.post('/pools', { seasonGuid: later.seasonGuid, name: 'Second' }));
  const names = async (query: string) =>
    done(await admin.get(`/pools?${query}`)).items.map((one: { name: string }) => one.name);
  expect(await names('')).toEqual(['Second', 'Pool']);
  expect(await names(`seasonGuid=${seasonGuid}`)).toEqual(['Pool']);
  expect(await names('status=published')).toEqual([]);
  const first = done(await admin.get('/pools?limit=1'));
  expect(first.items).toEqual([second]);
  expect(done(await admin.get(`/pools?limit=1&cursor=${first.nextCursor}`))).toMatchObject({
    items: [{ name: 'Pool' }],
    nextCursor: null,
  });
});

test('a copy of a published pool is a new draft of revision 1', async () => {
  const { admin, pooler } = curation;
  await publishPool(curation, poolGuid, categoryGuid, 3);
  const copy = await admin.post(`${pool}/copy`, { name: 'Corrected' });
  expect(copy.status).toBe(201);
  expect(copy.body).toMatchObject({
    seasonGuid,
    name: 'Corrected',
    status: 'draft',
    revision: 1,
    mapCount: 3,
    submittedBy: null,
  });
  const [original, copied] = await Promise.all(
    [poolGuid, copy.body.poolGuid].map(async (guid) => done(await pooler.get(`/pools/${guid}/maps`)).maps),
  );
  const facts = (maps: Record<string, unknown>[]) =>
    maps.map(({ mapGuid: _, addedAt: __, ...rest }) => JSON.stringify(rest)).sort();
  expect(facts(copied)).toEqual(facts(original));
  expect(copied[0].mapGuid).not.toBe(original[0].mapGuid);
  expect((await pooler.delete(`/pools/${copy.body.poolGuid}/maps/${copied[0].mapGuid}`)).status).toBe(204);
  expect(done(await pooler.get(`${pool}/maps`)).maps).toHaveLength(3);
});

test('a copy names the pool from which it was copied, until that pool is deleted', async () => {
  const { admin } = curation;
  await fill(2);
  const { poolGuid: copy } = done(await admin.post(`${pool}/copy`, { name: 'Copy' }));
  const origin = async () => done(await admin.get(`/pools/${copy}`)).copiedFromGuid;
  expect(await origin()).toBe(poolGuid);
  const { poolGuid: second } = done(await admin.post(`/pools/${copy}/copy`, { name: 'Copy of the copy' }));
  expect(done(await admin.get(`/pools/${second}`)).copiedFromGuid).toBe(copy);
  const answers = await Promise.all([
    admin.delete(pool),
    admin.post(`${pool}/copy`, { name: 'At the same time' }),
  ]);
  expect(answers[0].status).toBe(204);
  expect([201, 404]).toContain(answers[1].status);
  expect(await origin()).toBe(null);
  expect(done(await admin.get(`/pools/${copy}/maps`)).maps).toHaveLength(2);
});

test('a draft is renamed and deleted with everything in it', async () => {
  const { admin } = curation;
  const { maps } = await fill();
  expect(done(await admin.patch(pool, { name: 'Renamed' }))).toMatchObject({ name: 'Renamed', revision: 3 });
  expect((await admin.delete(pool)).status).toBe(204);
  expect(refusal(await admin.get(pool))).toBe('404 POOL_NOT_FOUND');
  expect(await curation.database.prisma.poolMap.count()).toBe(0);
  // The audit log still has its content.
  const [entry] = done(await admin.get('/audit-log?action=deletePool&limit=1')).items;
  expect(entry).toMatchObject({ target: pool, before: { name: 'Renamed', maps }, after: null });
});

test('only a published pool is retired, and its open queues drain with it', async () => {
  const { admin, drained } = curation;
  expect(refusal(await admin.post(`${pool}/retire`))).toBe('409 POOL_NOT_PUBLISHED');
  await publishPool(curation, poolGuid, categoryGuid, 10);
  const open = done(await admin.post('/queues', { name: 'Open', poolGuid }));
  const closed = done(await admin.post('/queues', { name: 'Closed', poolGuid }));
  done(await admin.post(`/queues/${open.queueGuid}/open`));
  expect(done(await admin.post(`${pool}/retire`)).status).toBe('retired');
  expect(drained).toEqual([{ queueGuids: [open.queueGuid], reason: 'pool_retired' }]);
  for (const { queueGuid } of [open, closed])
    expect(done(await admin.get(`/queues/${queueGuid}`)).status).toBe('closed');
  expect(refusal(await admin.post(`/queues/${open.queueGuid}/open`))).toBe('409 POOL_NOT_PUBLISHED');
});

test('a queue that is opened while its pool is retired does not stay open', async () => {
  const { admin } = curation;
  await publishPool(curation, poolGuid, categoryGuid, 10);
  const { queueGuid } = done(await admin.post('/queues', { name: 'Q', poolGuid }));
  await Promise.all([admin.post(`/queues/${queueGuid}/open`), admin.post(`${pool}/retire`)]);
  expect(done(await admin.get(`/queues/${queueGuid}`)).status).toBe('closed');
});
