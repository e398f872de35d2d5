import { randomBytes } from 'node:crypto';
import pg from 'pg';
import pino from 'pino';
import { expect, inject, onTestFinished, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { inTransaction, openDatabase } from '../../src/platform/database/database.ts';
import { withDeadline, withoutDeadline } from '../../src/platform/database/deadline.ts';
import { migrate } from '../../src/platform/database/migrations.ts';
import { isOutOfReach, OutOfReach } from '../../src/platform/database/out-of-reach.ts';
import { openNodeSession } from '../../src/platform/node-session.ts';
import { storeHeartbeat } from '../../src/platform/node-store.ts';

test('settings of the server do not change how times and transactions work, where the tables are, and how long connections stay', async () => {
  const name = `matches_settings_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: inject('postgresAdminUrl') });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  for (const setting of [
    `TimeZone TO 'Asia/Kathmandu'`,
    `DateStyle TO 'SQL, DMY'`,
    `default_transaction_isolation TO 'repeatable read'`,
    `search_path TO elsewhere`,
    `idle_session_timeout TO '1min'`,
  ])
    await admin.query(`ALTER DATABASE ${name} SET ${setting}`);
  const url = `${inject('postgresAdminUrl').replace(/\/[^/]*$/, `/${name}`)}?options=-c%20work_mem%3D5MB`;
  await migrate(url);
  const database = openDatabase({ url });
  try {
    const startsAt = new Date('2026-02-01T03:04:05.678Z');
    const endsAt = new Date('2026-11-12T00:00:00.000Z');
    await database.prisma.season.create({
      data: { seasonGuid: '01890000-0000-7000-8000-000000000000', name: 'One', startsAt, endsAt },
    });
    expect(await database.prisma.season.findFirst()).toMatchObject({ startsAt, endsAt });
    expect((await database.pool.query('SELECT "startsAt" AS at FROM "Season"')).rows).toEqual([
      { at: startsAt },
    ]);
    expect(await inTransaction(database, [], (db) => db.$queryRaw`SHOW transaction_isolation`)).toEqual([
      { transaction_isolation: 'read committed' },
    ]);
    expect((await database.pool.query('SHOW idle_session_timeout')).rows).toEqual([
      { idle_session_timeout: '0' },
    ]);
    expect((await database.pool.query('SHOW work_mem')).rows).toEqual([{ work_mem: '5MB' }]);
    database.abandon();
    const { run, close } = openNodeSession(database, url, pino({ level: 'silent' }));
    const beats = await run(storeHeartbeat, newGuid(), false, 1, new Date());
    expect(beats, 'over the connection of the heartbeat alone').toHaveLength(1);
    await close();
  } finally {
    await database.close();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  }
});

test('work past its deadline gets no connection, and a statement that waits too long for a lock fails in the same way', async () => {
  const database = openDatabase({ url: inject('postgresAdminUrl'), connections: 1 });
  onTestFinished(() => database.close());
  const ask = () => database.pool.query('SELECT 1');
  const only = await database.pool.connect();
  const waiting = withDeadline(performance.now() + 50, ask);
  await expect(waiting).rejects.toThrow(OutOfReach);
  only.release();
  await expect(withDeadline(performance.now(), ask)).rejects.toThrow(OutOfReach);
  const begun = withDeadline(performance.now(), () => inTransaction(database, [], ask));
  await expect(begun.catch((error) => isOutOfReach(error))).resolves.toBe(true);
  // The work after a write is done however late it is, and the only connection is kept for it.
  await withDeadline(performance.now(), () => withoutDeadline(ask));

  expect((await database.pool.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '4s' }]);
  const other = openDatabase({ url: inject('postgresAdminUrl'), connections: 1 });
  onTestFinished(() => other.close());
  await database.pool.query('SELECT pg_advisory_lock(42)');
  await other.pool.query(`SET lock_timeout = '10ms'`);
  const lock = other.pool.query('SELECT pg_advisory_xact_lock(42)');
  await expect(lock.catch((error) => isOutOfReach(error))).resolves.toBe(true);
  const raw = inTransaction(other, [], (db) => db.$executeRaw`SELECT pg_advisory_xact_lock(42)`);
  await expect(raw.catch((error) => isOutOfReach(error))).resolves.toBe(true);
  await database.pool.query('SELECT pg_advisory_unlock(42)');
});
