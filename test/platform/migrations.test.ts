import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { migrate, migrationsOnDisk } from '../../src/platform/database/migrations.ts';
import { statementsOf } from '../../src/platform/database/schema-engine.ts';
import { cloneDatabase, emptyDatabase } from '../harness/database.ts';
import { startFaultyProxy } from '../harness/faulty-proxy.ts';

test('two nodes that start at once on an empty database apply every migration once', async () => {
  const { url, drop } = await emptyDatabase();
  onTestFinished(drop);
  const applied = await Promise.all([migrate(url), migrate(url)]);
  expect(applied.map((names) => names.length > 0).sort()).toEqual([false, true]);
});

test('a database whose encoding cannot store every name is refused', async () => {
  const { url, drop } = await emptyDatabase(
    `TEMPLATE template0 ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'`,
  );
  onTestFinished(drop);
  await expect(migrate(url)).rejects.toThrow('its encoding is LATIN1 and must be UTF8');
});

test.each([
  ['tables', 'CREATE TABLE "Customer" ()'],
  [
    'the migrations of another service',
    `CREATE TABLE _prisma_migrations (id varchar(36) PRIMARY KEY, checksum varchar(64) NOT NULL, finished_at timestamptz,
       migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
       started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0);
     INSERT INTO _prisma_migrations (id, migration_name, checksum, finished_at, applied_steps_count)
     VALUES ('other', '20200101000000_init', repeat('0', 64), now(), 1)`,
  ],
])('a database that holds %s is refused in plain words', async (_what, content) => {
  const { url, drop } = await emptyDatabase();
  onTestFinished(drop);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query(content);
  await other.end();
  await expect(migrate(url)).rejects.toThrow(/^it holds something else than this service: .* empty database/);
});

describe('a role', () => {
  /** The address of a database for another role, and a way to give that role rights as the owner. */
  async function guestOf({ url, drop }: { url: string; drop(): Promise<void> }) {
    const address = new URL(url);
    const role = `guest_${randomBytes(6).toString('hex')}`;
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    onTestFinished(async () => {
      await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      await owner.end();
      await drop();
    });
    [address.username, address.password] = [role, 'x'];
    return { url: address.href, role, asOwner: (sql: string) => owner.query(sql.replaceAll('ROLE', role)) };
  }

  test('that may only read is refused', async () => {
    const { url, asOwner } = await guestOf(await cloneDatabase());
    await asOwner('GRANT pg_read_all_data TO ROLE');
    await expect(migrate(url)).rejects.toThrow('its role may not write: it lacks INSERT on the table "Audit');
  });

  test.each([
    ['SELECT', 'TABLE', 'Ban', 'SELECT on the table "Ban"'],
    ['INSERT', 'TABLE', 'MatchEvent', 'INSERT on the table "MatchEvent"'],
    ['UPDATE', 'TABLE', 'Match', 'UPDATE on the table "Match"'],
    ['DELETE', 'TABLE', 'Lease', 'DELETE on the table "Lease"'],
    ['USAGE', 'SEQUENCE', 'Match_sequence_seq', 'USAGE on the sequence "Match_sequence_seq"'],
  ])('that lacks %s on the %s %s is refused with these words', async (right, kind, name, words) => {
    const { url, asOwner } = await guestOf(await cloneDatabase());
    await asOwner(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ROLE;
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ROLE`);
    expect(await migrate(url)).toEqual([]);
    await asOwner(`REVOKE ${right} ON ${kind} "${name}" FROM ROLE`);
    await expect(migrate(url)).rejects.toThrow(`its role may not write: it lacks ${words} and needs`);
  });

  test('with the rights that the guide gives it starts, also after a later migration', async () => {
    const guide = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const [, grants = ''] = /```sql\n(-- as the role that migrates[\s\S]*?)```/.exec(guide) ?? [];
    expect(grants).toContain('TO matches_service');
    const { url, asOwner } = await guestOf(await cloneDatabase());
    await asOwner(grants.replaceAll('matches_service', 'ROLE'));
    await asOwner('CREATE TABLE "Later" (id bigserial)');
    expect(await migrate(url)).toEqual([]);
    await asOwner('REVOKE ALL ON "Later" FROM ROLE');
    await expect(migrate(url)).rejects.toThrow('it lacks SELECT on the table "Later"');
    await asOwner('ALTER EXTENSION plpgsql ADD TABLE "Later"');
    expect(await migrate(url), 'tables of extensions are not the service’s').toEqual([]);
  });

  test('that may create no tables is refused where there is something to migrate', async () => {
    const { url } = await guestOf(await emptyDatabase());
    await expect(migrate(url)).rejects.toThrow('its role may not create tables');
  });
});

test('no timer is left behind that keeps the process from ending', async () => {
  const { url, drop } = await emptyDatabase();
  onTestFinished(drop);
  const [started, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
  onTestFinished(() => void vi.restoreAllMocks());
  await migrate(url);
  const ended = new Set(cleared.mock.calls.map(([timer]) => timer));
  const left = started.mock.results.filter(({ value }) => value.hasRef() && !ended.has(value));
  expect(started).toHaveBeenCalled();
  expect(left).toHaveLength(0);
});

test.each([
  ['that was edited after it ran', `UPDATE _prisma_migrations SET checksum = repeat('0', 64)`, /were edited/],
  [
    'of a newer version',
    `INSERT INTO _prisma_migrations (id, migration_name, checksum, finished_at, applied_steps_count)
     VALUES ('newer', '99990101000000_newer', repeat('0', 64), now(), 1)`,
    /does not know/,
  ],
])('a database with a migration %s is refused', async (_what, change, refusal) => {
  const database = await cloneDatabase();
  onTestFinished(database.drop);
  expect(await migrate(database.url)).toEqual([]);
  await database.pool.query(change);
  await expect(migrate(database.url)).rejects.toThrow(refusal);
});

describe('a migration that did not finish', () => {
  /** The first migration waits in its middle until the returned session ends its transaction. */
  async function holdUp(url: string) {
    const session = new pg.Client({ connectionString: url });
    await session.connect();
    onTestFinished(() => session.end());
    await session.query('BEGIN; CREATE TABLE "Lease" ()');
    const waiting = async () => {
      const { rows } = await session.query(
        'SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))',
      );
      return rows[0]?.pid as number | undefined;
    };
    return { session, waiting };
  }

  test('is applied by the next start, when its connection ended in the middle', async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const { session, waiting } = await holdUp(url);
    const interrupted = migrate(url).catch(String);
    await expect.poll(waiting).toBeDefined();
    await session.query('SELECT pg_terminate_backend($1)', [await waiting()]);
    expect(await interrupted).toContain('terminating connection');
    await session.query('ROLLBACK');
    expect(await migrate(url)).toHaveLength((await migrationsOnDisk()).migrationDirectories.length);
    expect(await migrate(url)).toEqual([]);
  });

  test('is not applied again, when PostgreSQL finished it after the end of the process', async () => {
    const { url, drop } = await emptyDatabase();
    onTestFinished(drop);
    const proxy = await startFaultyProxy(url);
    onTestFinished(() => proxy.stop());
    const { session, waiting } = await holdUp(url);
    const interrupted = migrate(proxy.url).catch(String);
    await expect.poll(waiting).toBeDefined();
    proxy.cut();
    expect(await interrupted).toContain('connector error');
    const next = migrate(url);
    await session.query('ROLLBACK');
    const names = (await migrationsOnDisk()).migrationDirectories.map((migration) => migration.path);
    expect(await next).toEqual(names.slice(1));
  });

  test('that builds an index beside writes is applied again', async () => {
    const database = await cloneDatabase();
    onTestFinished(database.drop);
    const name = '20261122190000_recent_bans';
    await database.pool.query('UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = $1', [
      name,
    ]);
    expect(await migrate(database.url)).toEqual([name]);
    expect(await migrate(database.url)).toEqual([]);
  });
});

test('a migration that builds an index beside writes has no statement that cannot be repeated', async () => {
  const { migrationDirectories } = await migrationsOnDisk();
  const building = migrationDirectories
    .map(({ migrationFile: { content } }) => statementsOf(content.value.replaceAll(/^--.*$/gm, '')))
    .filter((statements) => statements.some((sql) => sql.includes('CONCURRENTLY')));
  expect(building.length).toBeGreaterThan(5);
  for (const statement of building.flat())
    expect(statement.trim()).toMatch(
      // The two of the last kind are older than this rule.
      /^(?:CREATE INDEX CONCURRENTLY|DROP INDEX (?:CONCURRENTLY )?IF EXISTS|ANALYZE|DROP INDEX CONCURRENTLY) "/,
    );
});
