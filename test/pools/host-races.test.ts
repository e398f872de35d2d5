import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Answer, type Curation, done, refusal, startCuration, startDraft } from '../harness/curation.ts';
import { waitingForLocks } from '../harness/database.ts';
import { hashOf, type ManyMaps, mapOf, startManyMaps, wellBehaved } from '../maps/many-maps.ts';

/** Changes of a pool while a request waits for the map host. */

let host: ManyMaps;
let curation: Curation;
let poolGuid: string;
let categoryGuid: string;
let maps: string;

beforeAll(async () => {
  host = await startManyMaps();
  curation = await startCuration({
    mapHostUrl: host.url,
    mapHostFileHosts: [`127.0.0.1:${host.port}`],
    mapHostTimeoutMs: 20_000,
  });
});
afterAll(async () => {
  await curation.stop();
  host.stop();
});
beforeEach(async () => {
  await curation.clear();
  host.asked.length = 0;
  host.respond = wellBehaved;
  ({ poolGuid, categoryGuid } = await startDraft(curation));
  maps = `/pools/${poolGuid}/maps`;
});

let last = 0x1000;
const unused = () => (++last).toString(16);
const row = (key: string, change: object = {}) => ({
  key,
  characteristic: 'Standard',
  difficulty: 'Expert',
  categoryGuid,
  modifiers: [],
  ...change,
});
const pool = async () => done(await curation.pooler.get(maps));

/** Holds every answer of the host back until `release` is called. */
function hold() {
  const held: (() => void)[] = [];
  const asked = Promise.withResolvers<void>();
  host.respond = (one, response) => {
    held.push(() => wellBehaved(one, response));
    asked.resolve();
  };
  return {
    asked: asked.promise,
    release: () => {
      host.respond = wellBehaved;
      for (const answer of held) answer();
    },
  };
}

test('a map that was requested before the publication does not get into the published pool', async () => {
  const { admin, pooler, reviewer } = curation;
  done(await pooler.post(maps, row(unused())));
  const { asked, release } = hold();
  const adding = pooler.post(maps, row(unused()));
  await asked;
  done(await pooler.post(`/pools/${poolGuid}/submit`));
  done(await reviewer.post(`/pools/${poolGuid}/reviews`, { verdict: 'approve' }));
  done(await admin.post(`/pools/${poolGuid}/publish`));
  const before = await pool();
  release();
  expect(refusal(await adding)).toBe('409 POOL_NOT_EDITABLE');
  expect(await pool()).toEqual(before);
  expect(before).toMatchObject({ status: 'published', maps: [expect.anything()] });
});

test('a batch during a publication is added whole and voids the approval, or not at all', async () => {
  const { admin, pooler, reviewer } = curation;
  done(await pooler.post(maps, row(unused())));
  done(await pooler.post(`/pools/${poolGuid}/submit`));
  done(await reviewer.post(`/pools/${poolGuid}/reviews`, { verdict: 'approve' }));
  const rows = [row(unused()), row(unused()), row(unused())];
  const [published, sentBack, added] = await Promise.all([
    admin.post(`/pools/${poolGuid}/publish`),
    admin.post(`/pools/${poolGuid}/reviews`, { verdict: 'request_changes' }),
    pooler.post(`${maps}/batch`, { maps: rows }),
  ]);
  const { status, maps: inPool } = await pool();
  expect([published.status, sentBack.status].toSorted()).toEqual(
    published.status === 200 ? [200, 409] : [201, 409],
  );
  expect(status).toBe(published.status === 200 ? 'published' : 'draft');
  expect(inPool).toHaveLength(added.status === 201 ? 4 : 1);
  if (published.status === 200) expect(refusal(added)).toBe('409 POOL_NOT_EDITABLE');
});

test('two curators who add the same new map at once ask the host once, and one is refused', async () => {
  const { pooler, reviewer } = curation;
  const key = unused();
  const { asked, release } = hold();
  const adding = [pooler.post(maps, row(key)), reviewer.post(maps, row(key, { modifiers: ['NF'] }))];
  await asked;
  release();
  const answers = await Promise.all(adding);
  expect(answers.map(({ status, body }) => body.error?.code ?? status).sort()).toEqual([
    201,
    'MAP_ALREADY_IN_POOL',
  ]);
  expect(host.asked).toHaveLength(1);
  expect(await pool()).toMatchObject({ revision: 2, maps: [{ hash: hashOf(key).toUpperCase() }] });
});

test('one of two batches at once with the same maps is added whole, and the other is refused with its rows', async () => {
  const { pooler, reviewer } = curation;
  const keys = Array.from({ length: 12 }, unused);
  const answers = await Promise.all([
    pooler.post(`${maps}/batch`, { maps: keys.slice(0, 8).map((key) => row(key)) }),
    reviewer.post(`${maps}/batch`, { maps: keys.slice(4).map((key) => row(key)) }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  const refused = answers.find(({ status }) => status === 400);
  expect(refused?.body.error.details.rows.map(({ code }: { code: string }) => code)).toEqual(
    Array(4).fill('MAP_ALREADY_IN_POOL'),
  );
  expect((await pool()).maps).toHaveLength(8);
  const named = host.asked.flatMap(({ names }) => names);
  expect(named.length).toBe(new Set(named).size);
});

test('a map that is marked as stale while its modifiers change keeps the mark', async () => {
  const { pooler, database } = curation;
  const { mapGuid } = done(await pooler.post(maps, row(unused())));
  const marking = await database.pool.connect();
  await marking.query('BEGIN');
  await marking.query('UPDATE "PoolMap" SET stale = true WHERE "mapGuid" = $1', [mapGuid]);
  const changing = pooler.patch(`${maps}/${mapGuid}`, { modifiers: ['NF', 'GN'] });
  await expect.poll(() => waitingForLocks(database)).toBe(1);
  await marking.query('COMMIT');
  marking.release();
  expect((await changing).status).toBe(200);
  expect((await pool()).maps).toMatchObject([{ mapGuid, modifiers: ['NF', 'GN'], stale: true }]);
});

test('a request succeeds or is refused as otherwise when the stale mark of a map cannot be stored', async () => {
  const { pooler, database } = curation;
  const key = unused();
  const { mapGuid } = done(await pooler.post(maps, row(key)));
  const { seasonGuid } = done(await pooler.get(`/pools/${poolGuid}`));
  const other = done(await curation.admin.post('/pools', { seasonGuid, name: 'Other' }));
  const [version] = mapOf(key).versions;
  const published = { ...version, hash: 'f'.repeat(40) };
  host.respond = (_asked, response) => response.end(JSON.stringify(mapOf(key, { versions: [published] })));
  const locking = await database.pool.connect();
  await locking.query('BEGIN');
  await locking.query('SELECT FROM "PoolMap" WHERE "mapGuid" = $1 FOR NO KEY UPDATE', [mapGuid]);
  /** The outcome of a request, when PostgreSQL cancels the mark that waits for the locked row. */
  const withoutMark = async (request: Promise<Answer>): Promise<Answer> => {
    await expect.poll(() => waitingForLocks(database)).toBe(1);
    await locking.query(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%SET "stale"%'`,
    );
    return request;
  };
  try {
    expect(refusal(await withoutMark(pooler.patch(`${maps}/${mapGuid}`, { difficulty: 'Hard' })))).toBe(
      '409 MAP_STALE',
    );
    const adding = pooler.post(`/pools/${other.poolGuid}/maps`, row(key));
    expect((await withoutMark(adding)).status).toBe(201);
  } finally {
    await locking.query('ROLLBACK');
    locking.release();
  }
});

test('a batch with maps for which the host fails names their rows, and their message says which map it is', async () => {
  const { pooler } = curation;
  const keys = Array.from({ length: 6 }, unused);
  const failing = [keys[1] ?? '', keys[4] ?? ''];
  const { mapGuid } = done(await pooler.post(maps, row(failing[1] ?? '')));
  await curation.database.prisma.hostMapKey.deleteMany();
  host.respond = (asked, response) =>
    asked.names.some((name) => failing.includes(name))
      ? response.writeHead(500).end()
      : wellBehaved(asked, response);
  const refused = await pooler.post(`${maps}/batch`, { maps: keys.slice(0, 4).map((key) => row(key)) });
  expect(refusal(refused)).toBe('502 UPSTREAM_UNAVAILABLE');
  expect(refused.body.error).toMatchObject({
    message: '1 of 4 maps cannot be added; nothing was added.',
    details: {
      rows: [
        { index: 1, code: 'UPSTREAM_UNAVAILABLE', message: expect.stringContaining(`map ${failing[0]}`) },
      ],
    },
  });
  const changes = [{ mapGuid, difficulty: 'Hard' }];
  const unchanged = await pooler.post(`${maps}/batch`, { maps: [row(keys[0] ?? '')], changes });
  expect(refusal(unchanged)).toBe('502 UPSTREAM_UNAVAILABLE');
  expect(unchanged.body.error.details).toEqual({
    changes: [
      { mapGuid, code: 'UPSTREAM_UNAVAILABLE', message: expect.stringContaining(`map ${failing[1]}`) },
    ],
  });
  const alone = await pooler.post(maps, row(failing[0] ?? ''));
  expect(alone.body.error).toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
    message: expect.stringContaining(`map ${failing[0]}`),
  });
});

test('another difficulty of a map that is removed meanwhile is refused', async () => {
  const { pooler, reviewer } = curation;
  const key = unused();
  const { mapGuid } = done(await pooler.post(maps, row(key)));
  const { asked, release } = hold();
  const changing = pooler.patch(`${maps}/${mapGuid}`, { difficulty: 'Hard' });
  await asked;
  done(await reviewer.delete(`${maps}/${mapGuid}`));
  release();
  // The host has no such difficulty either: the refusal depends on what is checked first.
  expect(['404 MAP_NOT_FOUND', '422 DIFFICULTY_NOT_FOUND']).toContain(refusal(await changing));
  expect((await pool()).maps).toEqual([]);
});

test('a change of the difficulty that waits for the host is refused after another change of it', async () => {
  const { pooler, reviewer } = curation;
  const key = unused();
  const [version] = mapOf(key).versions;
  const diffs = ['Expert', 'Hard', 'Normal'].map((difficulty) => ({ ...version?.diffs[0], difficulty }));
  const answer = JSON.stringify(mapOf(key, { versions: [{ ...version, diffs }] }));
  host.respond = (_asked, response) => response.end(answer);
  const { mapGuid } = done(await pooler.post(maps, row(key)));
  const asked = Promise.withResolvers<() => void>();
  host.respond = (_asked, response) => asked.resolve(() => response.end(answer));
  const changing = pooler.patch(`${maps}/${mapGuid}`, { difficulty: 'Hard' });
  const release = await asked.promise;
  // A batch takes the cached answer.
  done(await reviewer.post(`${maps}/batch`, { changes: [{ mapGuid, difficulty: 'Normal' }] }));
  release();
  expect(refusal(await changing)).toBe('409 CONFLICT');
  expect((await pool()).maps).toMatchObject([{ mapGuid, difficulty: 'Normal' }]);
});

test('a client that disconnects while it waits for the host can send the request again', async () => {
  const { pooler } = curation;
  const rows = { maps: [row(unused()), row(unused())] };
  const { asked, release } = hold();
  const leaving = new AbortController();
  const left = pooler.post(`${maps}/batch`, rows, {}, leaving.signal).catch(() => 'left');
  await asked;
  leaving.abort();
  expect(await left).toBe('left');
  // By the time this is answered, the end of the other connection has been seen.
  await pool();
  const again = pooler.post(`${maps}/batch`, rows);
  release();
  expect((await again).status).toBe(201);
  expect(host.asked).toHaveLength(1);
  expect((await pool()).revision).toBe(2);
});

test('a host that gives two maps the same hash puts one of them into a pool', async () => {
  const { pooler } = curation;
  const [one, other] = [unused(), unused()];
  host.respond = ({ names, lookup }, response) => {
    const { versions } = mapOf(one);
    response.end(
      JSON.stringify(
        lookup === 'ids'
          ? Object.fromEntries(names.map((name) => [name, mapOf(name, { versions })]))
          : mapOf(names[0] ?? '', { versions }),
      ),
    );
  };
  const answer = await pooler.post(`${maps}/batch`, { maps: [row(one), row(other)] });
  expect(answer.body.error.details.rows).toEqual([
    { index: 1, code: 'MAP_ALREADY_IN_POOL', message: expect.any(String) },
  ]);
});

test('a new difficulty removes the stale mark of a map when the host publishes the upload of the pool again', async () => {
  const { pooler } = curation;
  const key = unused();
  const { mapGuid } = done(await pooler.post(maps, row(key)));
  const [version] = mapOf(key).versions;
  const publishes = (hash: string) => {
    const diffs = [...(version?.diffs ?? []), { characteristic: 'Standard', difficulty: 'Hard', notes: 100 }];
    host.respond = (_asked, response) =>
      response.end(JSON.stringify(mapOf(key, { versions: [{ ...version, hash, diffs }] })));
  };
  const change = () => pooler.patch(`${maps}/${mapGuid}`, { difficulty: 'Hard' });
  publishes('f'.repeat(40));
  expect(refusal(await change())).toBe('409 MAP_STALE');
  expect((await pool()).maps).toMatchObject([{ difficulty: 'Expert', stale: true }]);
  publishes(hashOf(key));
  expect(done(await change())).toMatchObject({ difficulty: 'Hard', maxScore: 84_755, stale: false });
});
