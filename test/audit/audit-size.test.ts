import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAudit } from '../../src/domains/audit/list-store.ts';
import { freePort } from '../../src/local/postgres.ts';
import { type Db, openDatabase, Prisma } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrations.ts';
import { cloneDatabase } from '../harness/database.ts';

/** Where Debian has the oldest PostgreSQL that the service supports. */
const OLDEST = '/usr/lib/postgresql/15/bin';
const ACTORS = [1, 2, 3].map((nth) => `01900000-0000-7000-8000-00000000000${nth}`);
const ENTRIES = 60_000;
const PAGE = 10;
/** Pages of 8 KiB that a page of the log may touch: an index alone has more than a thousand. */
const MOST_BLOCKS = 300;

/** Nearly all entries are about maps of pools: few actions, few people. */
async function fill(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    `INSERT INTO "AuditEntry" ("auditGuid", at, "actorGuid", action, target)
     SELECT gen_random_uuid(), timestamptz '2026-01-01' + n * interval '1 minute', ($1::uuid[])[1 + n % 3],
       (ARRAY['addMap', 'changeMap', 'openQueue', 'banPlayer'])[1 + n % 4],
       '/pools/' || md5((n % 500)::text)::uuid || '/maps/' || md5(n::text)::uuid
     FROM generate_series(1, ${ENTRIES}) n
     UNION ALL SELECT gen_random_uuid(), timestamptz '2026-01-01' + n * interval '1 day', ($1::uuid[])[1], 'createSeason', '/seasons/1'
     FROM generate_series(1, 5) n`,
    [ACTORS],
  );
  await client.query('VACUUM ANALYZE "AuditEntry"');
  await client.end();
}

/** A server of the oldest version. Its programs refuse to run as root. */
async function startOldest() {
  const folder = mkdtempSync(path.join(tmpdir(), 'audit-postgres-'));
  const user = process.getuid?.() === 0 ? 'postgres' : undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  const how = { stdio: 'ignore' as const, cwd: folder, ...(user && { uid: idOf('-u'), gid: idOf('-g') }) };
  if (user) chownSync(folder, idOf('-u'), idOf('-g'));
  const port = await freePort();
  const data = path.join(folder, 'data');
  execFileSync(path.join(OLDEST, 'initdb'), ['-D', data, '-U', 'matches', '-A', 'trust', '-E', 'UTF8'], how);
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
  const control = (...words: string[]) =>
    execFileSync(path.join(OLDEST, 'pg_ctl'), ['-D', data, '-w', ...words], how);
  control('-o', options, '-l', path.join(folder, 'log'), 'start');
  const url = `postgresql://matches@127.0.0.1:${port}/postgres`;
  await migrate(url);
  const database = openDatabase({ url });
  return {
    url,
    prisma: database.prisma,
    stop: async () => {
      await database.close();
      control('-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startEmbedded() {
  const database = await cloneDatabase();
  return { url: database.url, prisma: database.prisma, stop: () => database.drop() };
}

describe.each([
  { version: 'the embedded PostgreSQL', start: startEmbedded, isThere: true },
  { version: 'the oldest PostgreSQL', start: startOldest, isThere: existsSync(OLDEST) },
])('with $version', ({ start, isThere }) => {
  let database: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    if (!isThere) return;
    database = await start();
    await fill(database.url);
  });
  afterAll(() => database?.stop());

  /** Blocks that the statement of a page touches. */
  async function blocksOf(filter: Parameters<typeof findAudit>[1]): Promise<number> {
    let blocks = 0;
    const explained = {
      $queryRaw: async (sql: Prisma.Sql) => {
        const [row] = await database.prisma.$queryRaw<{ 'QUERY PLAN': any[] }[]>(
          Prisma.sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
        );
        const plan = row?.['QUERY PLAN'][0].Plan;
        blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
        return [];
      },
    } as unknown as Db;
    await findAudit(explained, filter, undefined, PAGE);
    return blocks;
  }

  test.skipIf(!isThere)(
    'a page of the log touches few blocks with every filter, also where one kind has nearly all entries',
    async () => {
      const slow: string[] = [];
      for (const actorGuid of [undefined, ...ACTORS.slice(0, 2)])
        for (const action of [undefined, 'addMap', 'openQueue', 'createSeason', 'erasePlayer'])
          for (const target of [undefined, '/pools', '/seasons', '/queues', '/audit'])
            for (const times of [
              {},
              { since: '2026-01-10T00:00:00.000Z' },
              { since: '2026-09-01T00:00:00.000Z' },
              { until: '2026-01-20T00:00:00.000Z' },
            ]) {
              const filter = { actorGuid, action, target, since: undefined, until: undefined, ...times };
              const blocks = await blocksOf(filter);
              if (blocks > MOST_BLOCKS) slow.push(`${blocks} ${JSON.stringify(filter)}`);
            }
      expect(slow).toEqual([]);
    },
  );
});
