import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeWithLastMatch, createQueues, shareQueue } from '../../src/domains/queues/index.ts';
import { openQueuesOfEndedSeasons } from '../../src/domains/queues/store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { type Curation, done, publishPool, refusal, startCuration, startDraft } from '../harness/curation.ts';
import { waitingForLocks } from '../harness/database.ts';

let curation: Curation;
let seasonGuid: string;
let categoryGuid: string;
/** A published pool of ten maps. */
let poolGuid: string;

beforeAll(async () => {
  curation = await startCuration();
});
afterAll(() => curation.stop());
beforeEach(async () => {
  await curation.clear();
  ({ seasonGuid, poolGuid, categoryGuid } = await startDraft(curation));
  await publishPool(curation, poolGuid, categoryGuid, 10);
});

const rules = {
  maxDiscards: 2,
  pairing: { initialGap: 150, gapPerSecond: 10, maxGap: null },
  replaysRequired: false,
};
const create = async (more: object = {}) =>
  done(await curation.admin.post('/queues', { name: 'Ranked', poolGuid, ...more }));
const anotherPool = async (maps: number): Promise<string> => {
  const other = done(await curation.admin.post('/pools', { seasonGuid, name: 'Other' }));
  await publishPool(curation, other.poolGuid, categoryGuid, maps);
  return other.poolGuid;
};
const statusOf = async (queueGuid: string) => done(await curation.admin.get(`/queues/${queueGuid}`)).status;

/** A match of a queue that runs until it is given an end. */
async function startMatch(queueGuid: string): Promise<string> {
  const at = new Date(curation.clock.now());
  const { matchGuid } = await curation.database.prisma.match.create({
    data: {
      matchGuid: newGuid(),
      queueGuid,
      seasonGuid,
      poolGuid,
      redGuid: newGuid(),
      blueGuid: newGuid(),
      status: 'playing',
      version: 1,
      rulesVersion: 2,
      state: {},
      rated: true,
      startedAt: at,
    },
  });
  return matchGuid;
}
const endMatch = (matchGuid: string, queueGuid: string) =>
  inTransaction(curation.database, [], async (db) => {
    await db.match.update({ where: { matchGuid }, data: { endedAt: new Date(curation.clock.now()) } });
    await closeWithLastMatch(db, queueGuid, curation.clock.now());
  });
/** How many audit entries say that the queue closed itself. */
const selfClosings = async (queueGuid: string): Promise<number> => {
  const { items } = done(await curation.admin.get(`/audit-log?target=/queues/${queueGuid}`));
  return items.filter(({ action, actor }: any) => action === 'closeQueue' && actor === null).length;
};

test('a new queue is closed and has the default rules', async () => {
  const created = await curation.admin.post('/queues', { name: 'Ranked', poolGuid });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    queueGuid: expect.any(String),
    name: 'Ranked',
    poolGuid,
    seasonGuid,
    status: 'closed',
    rules,
    waiting: 0,
    playing: 0,
  });
});

test('rules that are left out have their defaults', async () => {
  const { rules: made } = await create({ rules: { maxDiscards: 0, pairing: { maxGap: 400 } } });
  expect(made).toEqual({ ...rules, maxDiscards: 0, pairing: { ...rules.pairing, maxGap: 400 } });
  for (const wrong of [
    { maxDiscards: 6 },
    { maxDiscards: -1 },
    { maxDiscards: 1.5 },
    { discards: 1 },
    { pairing: { gap: 1 } },
  ])
    expect(refusal(await curation.admin.post('/queues', { name: 'x', poolGuid, rules: wrong }))).toBe(
      '400 VALIDATION_FAILED',
    );
});

test('a queue needs a pool that is published', async () => {
  const { admin } = curation;
  const draft = done(await admin.post('/pools', { seasonGuid, name: 'Draft' }));
  expect(refusal(await admin.post('/queues', { name: 'x', poolGuid: draft.poolGuid }))).toBe(
    '409 POOL_NOT_PUBLISHED',
  );
  expect(refusal(await admin.post('/queues', { name: 'x', poolGuid: newGuid() }))).toBe('404 POOL_NOT_FOUND');
});

test('a change keeps what it leaves out, down to the single rule', async () => {
  const { admin } = curation;
  const queue = await create({ rules: { maxDiscards: 3 } });
  const changed = await admin.patch(`/queues/${queue.queueGuid}`, {
    name: 'Casual',
    rules: { pairing: { initialGap: 50 } },
  });
  expect(changed.body).toEqual({
    ...queue,
    name: 'Casual',
    rules: { maxDiscards: 3, pairing: { ...rules.pairing, initialGap: 50 }, replaysRequired: false },
  });
  expect(refusal(await admin.patch(`/queues/${newGuid()}`, { name: 'x' }))).toBe('404 QUEUE_NOT_FOUND');
});

test('a queue is given another published pool of its season at any time', async () => {
  const { admin, drained } = curation;
  const { queueGuid } = await create();
  const other = await anotherPool(10);
  expect(done(await admin.patch(`/queues/${queueGuid}`, { poolGuid: other })).poolGuid).toBe(other);
  done(await admin.post(`/queues/${queueGuid}/open`));
  await somebodyWaitsIn(queueGuid);
  const changed = done(await admin.patch(`/queues/${queueGuid}`, { poolGuid }));
  expect(changed).toMatchObject({ poolGuid, status: 'open', waiting: 1 });
  expect(drained).toEqual([]);
  const matchGuid = await startMatch(queueGuid);
  done(await admin.post(`/queues/${queueGuid}/drain`));
  expect(done(await admin.patch(`/queues/${queueGuid}`, { poolGuid: other }))).toMatchObject({
    poolGuid: other,
    status: 'draining',
  });
  await endMatch(matchGuid, queueGuid);
  const [entry] = done(
    await admin.get(`/audit-log?target=/queues/${queueGuid}&action=changeQueue&limit=1`),
  ).items;
  expect(entry).toMatchObject({ before: { poolGuid }, after: { poolGuid: other } });
});

test('a change of a queue to the pool that it has changes nothing, whatever the status of the pool', async () => {
  const { admin } = curation;
  const { queueGuid } = await create();
  const entries = async () => done(await admin.get(`/audit-log?target=/queues/${queueGuid}`)).items.length;
  const before = await entries();
  expect(done(await admin.patch(`/queues/${queueGuid}`, { poolGuid })).poolGuid).toBe(poolGuid);
  done(await admin.post(`/pools/${poolGuid}/retire`));
  expect(done(await admin.patch(`/queues/${queueGuid}`, { poolGuid })).poolGuid).toBe(poolGuid);
  expect(await entries()).toBe(before);
});

test('a change to another pool is refused for its first fault', async () => {
  const { admin, clock } = curation;
  const { queueGuid } = await create();
  const [later] = [
    done(
      await admin.post('/seasons', {
        name: 'Later',
        startsAt: new Date(clock.now() + 2 * 86_400_000).toISOString(),
        endsAt: new Date(clock.now() + 3 * 86_400_000).toISOString(),
      }),
    ),
  ];
  const draft = done(await admin.post('/pools', { seasonGuid: later.seasonGuid, name: 'Draft' })).poolGuid;
  const smallLater = done(
    await admin.post('/pools', { seasonGuid: later.seasonGuid, name: 'Later' }),
  ).poolGuid;
  await publishPool(curation, smallLater, categoryGuid, 9);
  const small = await anotherPool(9);
  const stale = { 'if-match': '"stale"' };
  const unknown = newGuid();
  const refused = async (body: object, headers = {}, queue = queueGuid) =>
    refusal(await admin.patch(`/queues/${queue}`, body, headers));
  expect(await refused({ poolGuid: 'x' }, stale, unknown)).toBe('400 VALIDATION_FAILED');
  expect(await refused({ poolGuid: unknown }, stale, unknown)).toBe('404 QUEUE_NOT_FOUND');
  expect(await refused({ poolGuid: unknown }, stale)).toBe('412 STALE');
  expect(await refused({ poolGuid: unknown })).toBe('404 POOL_NOT_FOUND');
  expect(await refused({ poolGuid: draft })).toBe('409 POOL_NOT_PUBLISHED');
  // While the queue is closed the season may be another and the maps too few.
  for (const pool of [smallLater, small, poolGuid])
    expect(done(await admin.patch(`/queues/${queueGuid}`, { poolGuid: pool })).poolGuid).toBe(pool);
  done(await admin.post(`/queues/${queueGuid}/open`));
  expect(await refused({ poolGuid: draft })).toBe('409 POOL_NOT_PUBLISHED');
  expect(await refused({ poolGuid: smallLater })).toBe('409 SEASON_MISMATCH');
  const tooSmall = await admin.patch(`/queues/${queueGuid}`, { poolGuid: small });
  expect(refusal(tooSmall)).toBe('409 POOL_TOO_SMALL');
  expect(tooSmall.body.error.details).toEqual({ required: 10, actual: 9 });
  expect(done(await admin.get(`/queues/${queueGuid}`)).poolGuid).toBe(poolGuid);
});

test('a queue that gets another pool while its old pool is retired is drained before the change or not at all', async () => {
  const { admin } = curation;
  for (let round = 0; round < 4; round++) {
    const old = await anotherPool(10);
    const { queueGuid } = await create({ poolGuid: old });
    done(await admin.post(`/queues/${queueGuid}/open`));
    const [changed] = await Promise.all([
      admin.patch(`/queues/${queueGuid}`, { poolGuid }),
      admin.post(`/pools/${old}/retire`),
    ]);
    expect(changed.status).toBe(200);
    const { items } = done(await admin.get(`/audit-log?target=/queues/${queueGuid}`));
    const drained = items.find(({ action }: any) => action === 'drainQueue');
    if (drained) expect(drained.before.poolGuid).toBe(old);
    expect(await statusOf(queueGuid)).toBe(drained ? 'closed' : 'open');
  }
});

test('a queue that gets a pool while the pool is retired is refused the pool, or drains', async () => {
  const { admin } = curation;
  for (let round = 0; round < 4; round++) {
    const next = await anotherPool(10);
    const { queueGuid } = await create();
    done(await admin.post(`/queues/${queueGuid}/open`));
    const [changed] = await Promise.all([
      admin.patch(`/queues/${queueGuid}`, { poolGuid: next }),
      admin.post(`/pools/${next}/retire`),
    ]);
    const now = done(await admin.get(`/queues/${queueGuid}`));
    if (changed.status === 200) expect(now).toMatchObject({ poolGuid: next, status: 'closed' });
    else {
      expect(refusal(changed)).toBe('409 POOL_NOT_PUBLISHED');
      expect(now).toMatchObject({ poolGuid, status: 'open' });
    }
  }
});

test('a queue with nine maps does not open, and the refusal says how many maps are needed', async () => {
  const { admin } = curation;
  const small = await anotherPool(9);
  const { queueGuid } = await create({ poolGuid: small });
  const refused = await admin.post(`/queues/${queueGuid}/open`);
  expect(refusal(refused)).toBe('409 POOL_TOO_SMALL');
  expect(refused.body.error.details).toEqual({ required: 10, actual: 9 });
  expect(refused.body.error.message).toBe('A match needs 10 maps; the pool has 9.');
  const empty = await anotherPool(0);
  done(await admin.patch(`/queues/${queueGuid}`, { poolGuid: empty }));
  expect((await admin.post(`/queues/${queueGuid}/open`)).body.error.details.actual).toBe(0);
});

test('everybody sees an open queue, staff see a closed one as well', async () => {
  const { admin, nobody } = curation;
  const { queueGuid } = await create();
  expect(done(await nobody.get('/queues')).items).toEqual([]);
  expect(refusal(await nobody.get(`/queues/${queueGuid}`))).toBe('404 QUEUE_NOT_FOUND');
  expect(done(await admin.get('/queues')).items).toHaveLength(1);
  expect(done(await admin.post(`/queues/${queueGuid}/open`)).status).toBe('open');
  const [seen] = done(await nobody.get('/queues')).items;
  expect(seen).toMatchObject({ queueGuid, status: 'open' });
  expect(done(await admin.post(`/queues/${queueGuid}/open`)).status).toBe('open');
});

test('everybody sees a closed queue that was ever open, but not in the list', async () => {
  const { admin, nobody } = curation;
  const { queueGuid } = await create();
  done(await admin.post(`/queues/${queueGuid}/open`));
  done(await admin.post(`/queues/${queueGuid}/close`));
  expect(done(await nobody.get(`/queues/${queueGuid}`))).toMatchObject({ queueGuid, status: 'closed' });
  expect(done(await nobody.get('/queues')).items).toEqual([]);
});

test('a queue has a ladder in each season in which it was open; ladders of the running season are listed first', async () => {
  const { admin, nobody, clock, database } = curation;
  const queue = await create();
  expect(done(await nobody.get('/leaderboards'))).toEqual({ items: [], nextCursor: null });
  done(await admin.post(`/queues/${queue.queueGuid}/open`));
  const counted = { queueGuid: queue.queueGuid, seasonGuid, rating: 1000, players: 2 };
  await database.changes.writing(['LadderCount'], () =>
    database.prisma.ladderCount.create({ data: counted }),
  );
  const first = {
    queueGuid: queue.queueGuid,
    queueName: 'Ranked',
    queueStatus: 'open',
    seasonGuid,
    seasonName: 'Season',
    players: 2,
    running: true,
  };
  expect(done(await nobody.get('/leaderboards')).items).toEqual([first]);
  done(await admin.post(`/queues/${queue.queueGuid}/close`));

  const next = done(
    await admin.post('/seasons', {
      name: 'Next',
      startsAt: new Date(clock.now() + 86_400_000).toISOString(),
      endsAt: new Date(clock.now() + 2 * 86_400_000).toISOString(),
    }),
  );
  const pool = done(await admin.post('/pools', { seasonGuid: next.seasonGuid, name: 'Next' }));
  await publishPool(curation, pool.poolGuid, categoryGuid, 10);
  done(await admin.patch(`/queues/${queue.queueGuid}`, { poolGuid: pool.poolGuid }));
  const other = await create({ name: 'Other', poolGuid: pool.poolGuid });
  for (const { queueGuid } of [queue, other]) done(await admin.post(`/queues/${queueGuid}/open`));
  const lines = async (query = '') =>
    done(await nobody.get(`/leaderboards${query}`)).items.map((one: any) => [
      one.queueName,
      one.seasonName,
      one.queueStatus,
      one.running,
    ]);
  const expected = [
    ['Ranked', 'Season', 'open', true],
    ['Other', 'Next', 'open', false],
    ['Ranked', 'Next', 'open', false],
  ];
  expect(await lines()).toEqual(expected);
  const paged = [];
  for (let cursor = ''; ; ) {
    const page = done(await nobody.get(`/leaderboards?limit=1${cursor}`));
    paged.push(...page.items.map((one: any) => [one.queueName, one.seasonName]));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect(paged).toEqual(expected.map(([name, season]) => [name, season]));
  expect(refusal(await nobody.get('/leaderboards?cursor=x'))).toBe('400 VALIDATION_FAILED');
  // The cached answer is valid until the end of the season.
  clock.advance(86_400_000);
  expect((await lines()).map(([name, , , running]: any) => [name, running])).toEqual([
    ['Other', true],
    ['Ranked', true],
    ['Ranked', false],
  ]);
  clock.advance(-86_400_000);
});

test('lists of queues are filtered by status, season and pool, and show the public no closed one', async () => {
  const { admin, nobody } = curation;
  const other = await anotherPool(10);
  const [{ queueGuid: closed }, { queueGuid: open }] = [await create(), await create({ poolGuid: other })];
  done(await admin.post(`/queues/${open}/open`));
  const listed = async (query: string, who = admin) =>
    done(await who.get(`/queues?${query}`)).items.map((queue: { queueGuid: string }) => queue.queueGuid);
  expect(await listed('')).toEqual([open, closed]);
  expect(await listed('status=closed')).toEqual([closed]);
  expect(await listed('status=open')).toEqual([open]);
  expect(await listed(`poolGuid=${poolGuid}`)).toEqual([closed]);
  expect(await listed(`seasonGuid=${seasonGuid}&status=open`)).toEqual([open]);
  expect(await listed(`seasonGuid=${newGuid()}`)).toEqual([]);
  expect(await listed('status=closed', nobody)).toEqual([]);
  expect(await listed('status=open', nobody)).toEqual([open]);
  expect(refusal(await nobody.get('/queues?status=other'))).toBe('400 VALIDATION_FAILED');
});

const somebodyWaitsIn = (queueGuid: string) =>
  curation.database.changes.writing(['QueueEntry'], () =>
    curation.database.prisma.queueEntry.create({
      data: {
        playerGuid: newGuid(),
        queueGuid,
        joinedAt: new Date(curation.clock.now()),
        rating: 1000,
        pluginVersion: '1.0.0',
      },
    }),
  );

test.each(['drain', 'close'])('%s stops an open queue at once when no match is running', async (stop) => {
  const { admin, drained } = curation;
  const { queueGuid } = await create();
  done(await admin.post(`/queues/${queueGuid}/open`));
  expect(done(await admin.post(`/queues/${queueGuid}/${stop}`)).status).toBe('closed');
  expect(drained).toEqual([{ queueGuids: [queueGuid], reason: 'queue_drained' }]);
  expect(done(await admin.post(`/queues/${queueGuid}/${stop}`)).status).toBe('closed');
  expect(drained).toHaveLength(1);
});

test('a draining queue closes itself with its last match, and cannot be opened before', async () => {
  const { admin, nobody } = curation;
  const { queueGuid } = await create();
  done(await admin.post(`/queues/${queueGuid}/open`));
  const [one, two] = [await startMatch(queueGuid), await startMatch(queueGuid)];
  expect(done(await admin.post(`/queues/${queueGuid}/drain`)).status).toBe('draining');
  expect(done(await nobody.get(`/queues/${queueGuid}`)).status).toBe('draining');
  expect(refusal(await admin.post(`/queues/${queueGuid}/open`))).toBe('409 QUEUE_NOT_CLOSED');
  await endMatch(one, queueGuid);
  expect(await statusOf(queueGuid)).toBe('draining');
  expect(await selfClosings(queueGuid)).toBe(0);
  await endMatch(two, queueGuid);
  expect(await statusOf(queueGuid)).toBe('closed');
  const [entry] = done(await admin.get(`/audit-log?target=/queues/${queueGuid}`)).items;
  expect(entry).toMatchObject({
    action: 'closeQueue',
    actor: null,
    before: { queueGuid, status: 'draining' },
    after: { queueGuid, status: 'closed' },
  });
});

test('when the last matches of a draining queue end at once, one of them closes the queue', async () => {
  const { admin } = curation;
  const { queueGuid } = await create();
  done(await admin.post(`/queues/${queueGuid}/open`));
  const matches = await Promise.all(Array.from({ length: 6 }, () => startMatch(queueGuid)));
  done(await admin.post(`/queues/${queueGuid}/drain`));
  await Promise.all(matches.map((matchGuid) => endMatch(matchGuid, queueGuid)));
  expect(await selfClosings(queueGuid)).toBe(1);
  expect(await statusOf(queueGuid)).toBe('closed');
});

test('a queue closes when its last match ends while it is being drained', async () => {
  const { admin } = curation;
  for (let round = 0; round < 5; round++) {
    const { queueGuid } = await create();
    done(await admin.post(`/queues/${queueGuid}/open`));
    const matchGuid = await startMatch(queueGuid);
    await Promise.all([admin.post(`/queues/${queueGuid}/drain`), endMatch(matchGuid, queueGuid)]);
    expect(await statusOf(queueGuid)).toBe('closed');
  }
});

test('a queue goes on when its season is extended at the moment of its end', async () => {
  const { admin, queues, clock, database } = curation;
  const { queueGuid } = await create();
  done(await admin.post(`/queues/${queueGuid}/open`));
  clock.advance(86_400_000);
  let draining: Promise<void> | undefined;
  await inTransaction(database, [], async (db) => {
    await shareQueue(db, queueGuid);
    draining = queues.drainEnded();
    await expect.poll(() => waitingForLocks(database)).toBe(1);
    const endsAt = new Date(clock.now() + 86_400_000);
    await database.prisma.season.update({ where: { seasonGuid }, data: { endsAt } });
  });
  await draining;
  expect(await statusOf(queueGuid)).toBe('open');
  clock.advance(-86_400_000);
});

test('a queue that cannot be drained at the end of its season keeps no other one from it', async () => {
  const { admin, clock, database } = curation;
  for (let nth = 0; nth < 2; nth++) done(await admin.post(`/queues/${(await create()).queueGuid}/open`));
  clock.advance(86_400_000);
  const [stuck = '', other = ''] = await openQueuesOfEndedSeasons(database.prisma, clock.now());
  await database.pool.query(
    `ALTER TABLE "AuditEntry" ADD CONSTRAINT stuck CHECK (target <> '/queues/${stuck}') NOT VALID`,
  );
  const logger = { error: vi.fn() };
  const { drainEnded } = createQueues({ database, clock, logger, onDraining: async () => undefined });
  await drainEnded();
  expect([await statusOf(stuck), await statusOf(other)]).toEqual(['open', 'closed']);
  expect(logger.error.mock.calls).toEqual([
    [{ err: expect.any(Error), queueGuid: stuck }, 'a queue could not be drained at the end of its season'],
  ]);
  await database.pool.query('ALTER TABLE "AuditEntry" DROP CONSTRAINT stuck');
  await drainEnded();
  expect(await statusOf(stuck)).toBe('closed');
  clock.advance(-86_400_000);
});

test('a queue drains at the end of its season, and does not open again', async () => {
  const { admin, queues, clock, drained } = curation;
  const { queueGuid } = await create();
  done(await admin.post(`/queues/${queueGuid}/open`));
  await queues.drainEnded();
  expect(await statusOf(queueGuid)).toBe('open');
  clock.advance(86_400_000);
  await Promise.all([queues.drainEnded(), queues.drainEnded()]);
  expect(await statusOf(queueGuid)).toBe('closed');
  expect(drained).toEqual([{ queueGuids: [queueGuid], reason: 'queue_drained' }]);
  expect(refusal(await admin.post(`/queues/${queueGuid}/open`))).toBe('409 SEASON_ENDED');
  const [entry] = done(await admin.get(`/audit-log?target=/queues/${queueGuid}`)).items;
  expect(entry).toMatchObject({ action: 'drainQueue', actor: null });
  clock.advance(-86_400_000);
});

test('waiting players change the answer, but not what If-Match is compared with', async () => {
  const { admin, nobody } = curation;
  const { queueGuid } = await create();
  done(await admin.post(`/queues/${queueGuid}/open`));
  const { etag = '' } = (await nobody.get(`/queues/${queueGuid}`)).headers;
  await somebodyWaitsIn(queueGuid);
  const now = await nobody.get(`/queues/${queueGuid}`, { 'if-none-match': etag });
  expect([now.status, now.body.waiting]).toEqual([200, 1]);
  done(await admin.patch(`/queues/${queueGuid}`, { name: 'Renamed' }, { 'if-match': etag }));
  for (const old of [etag, now.headers.etag ?? ''])
    expect(refusal(await admin.patch(`/queues/${queueGuid}`, { name: 'Again' }, { 'if-match': old }))).toBe(
      '412 STALE',
    );
});

test('one of two changes with the same If-Match of a queue is STALE', async () => {
  const { admin } = curation;
  const { queueGuid } = await create();
  const { etag = '' } = (await admin.get(`/queues/${queueGuid}`)).headers;
  const answers = await Promise.all(
    ['One', 'Two'].map((name) => admin.patch(`/queues/${queueGuid}`, { name }, { 'if-match': etag })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
});
