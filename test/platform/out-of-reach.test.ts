import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { type Database, inTransaction, openDatabase } from '../../src/platform/database/database.ts';
import { isOutOfReach, unavailable, watchReach } from '../../src/platform/database/out-of-reach.ts';
import { openNodeSession } from '../../src/platform/node-session.ts';
import { storeHeartbeat } from '../../src/platform/node-store.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { startFaultyProxy } from '../harness/faulty-proxy.ts';

/** Errors of an unreachable database are distinguished from errors of a statement. */

let whole: TestDatabase;
beforeAll(async () => {
  whole = await cloneDatabase();
});
afterAll(() => whole.drop());

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  );

/** The ways a statement takes. */
const ways = (database: Database) => ({
  driver: () => database.pool.query('SELECT 1'),
  client: () => database.prisma.season.findMany(),
  raw: () => database.prisma.$queryRaw`SELECT 1`,
  transaction: () => inTransaction(database, [], (db) => db.season.findMany()),
});

/** Whether a statement fails with the error of a database out of reach, for each way. */
async function failOutOfReach(database: Database): Promise<Record<string, boolean>> {
  const answers: Record<string, boolean> = {};
  for (const [way, ask] of Object.entries(ways(database)))
    answers[way] = isOutOfReach(await failure(Promise.resolve(ask())));
  return answers;
}

/** Longer than this machine is ever busy with something else. */
const silentMs = 1500;

const OUT_OF_REACH = { driver: true, client: true, raw: true, transaction: true };

describe('out of reach is', () => {
  test('a server that does not exist', async () => {
    const url = new URL(whole.url);
    for (const [host, port] of [
      ['127.0.0.1', '1'],
      ['localhost', '1'],
      ['nowhere.invalid', '5432'],
    ] as const) {
      url.host = `${host}:${port}`;
      const database = openDatabase({ url: url.href });
      expect(await failOutOfReach(database), url.host).toEqual(OUT_OF_REACH);
      await database.close();
    }
  });

  test('a server that refuses logins, and one that has no connection left', async () => {
    const database = openDatabase({ url: whole.url });
    const reconnect = await whole.cutOff();
    expect(await failOutOfReach(database)).toEqual(OUT_OF_REACH);
    await reconnect();
    const role = `guest_${randomBytes(6).toString('hex')}`;
    await database.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x' CONNECTION LIMIT 0`);
    const url = new URL(whole.url);
    [url.username, url.password] = [role, 'x'];
    const guest = openDatabase({ url: url.href });
    expect(await failOutOfReach(guest)).toEqual(OUT_OF_REACH);
    await guest.close();
    await database.pool.query(`DROP ROLE ${role}`);
    await database.close();
  });

  test('a server whose disk is full, which is reported once, with the reason', async () => {
    const lost: string[] = [];
    const reach = { broke: () => {}, lost: ({ message }: Error) => lost.push(message), regained: () => {} };
    const database = openDatabase({ url: whole.url, reach });
    const full = `DO $$ BEGIN RAISE 'No space left on device' USING ERRCODE = '53100'; END $$`;
    for (const ask of [() => database.prisma.$executeRawUnsafe(full), () => database.pool.query(full)])
      expect(isOutOfReach(await failure(ask()))).toBe(true);
    expect(lost).toEqual(['No space left on device']);
    expect(database.isFull()).toBe(true);
    await database.close();
  });

  test.each([
    { code: '53100', isFull: true, quietMs: 10_000 },
    { code: '53300', isFull: false, quietMs: 2000 },
  ])(
    'is over after $quietMs ms without a failure, where the last one was $code',
    ({ code, isFull, quietMs }) => {
      let now = 0;
      const regained: object[] = [];
      const reach = {
        broke: () => {},
        lost: () => {},
        regained: (about: object) => regained.push(about),
      };
      const watch = watchReach(reach, () => now);
      const refuse = () => watch.failed(Object.assign(new Error('refused'), { code }));
      refuse();
      now = quietMs - 1;
      refuse();
      now += quietMs - 1;
      watch.worked();
      expect([watch.isFull(), regained]).toEqual([isFull, []]);
      now += 1;
      watch.worked();
      const seconds = Math.round(now / 1000);
      expect([watch.isFull(), regained]).toEqual([false, [{ failures: 2, seconds }]]);
    },
  );

  test('a server that stops during a statement', async () => {
    const database = openDatabase({ url: whole.url });
    /** Ends the connections with this text in their statement. Each has a name of its own, because an ended one may be seen for a moment. */
    const terminate = async (name: string): Promise<void> => {
      for (;;) {
        const { rowCount } = await whole.pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE $1 || '%'",
          [`/* ${name} */`],
        );
        if (rowCount) return;
        await sleep(20);
      }
    };
    const sleeping = (name: string): string => `/* ${name} */ SELECT pg_sleep(60)`;
    for (const [name, run] of [
      ['driver', (sql: string) => database.pool.query(sql)],
      ['raw', (sql: string) => database.prisma.$executeRawUnsafe(sql)],
      ['transaction', (sql: string) => inTransaction(database, [], (db) => db.$executeRawUnsafe(sql))],
    ] as const) {
      const failed = failure(Promise.resolve(run(sleeping(name))));
      await terminate(name);
      expect(isOutOfReach(await failed), name).toBe(true);
    }
    const failed = failure(
      inTransaction(database, [], async (db) => {
        await db.$executeRawUnsafe('/* between */ SELECT 1');
        await terminate('between');
        for (;;) await db.season.findMany();
      }),
    );
    expect(isOutOfReach(await failed)).toBe(true);
    expect(await failOutOfReach(database)).toEqual({
      driver: false,
      client: false,
      raw: false,
      transaction: false,
    });
    await database.close();
  });

  test('a connection that falls silent and never closes, for every kind of statement', async () => {
    const silent = async (name: keyof typeof OUT_OF_REACH): Promise<void> => {
      const proxy = await startFaultyProxy(whole.url);
      const broken: string[] = [];
      const reach = { broke: (error: Error) => void broken.push(error.message), lost() {}, regained() {} };
      const database = openDatabase({ url: proxy.url, connections: 1, silentMs, reach });
      await database.pool.query('SELECT 1');
      proxy.stall();
      const error = await failure(Promise.resolve(ways(database)[name]()));
      expect(isOutOfReach(error), `${name}: ${error}`).toBe(true);
      expect(broken).toEqual(['the database has said nothing for 2 s']);
      proxy.resume();
      expect(await failure(ways(database)[name]()), 'another connection is made').toBe('no failure');
      await database.close();
      await proxy.stop();
    };
    await Promise.all((Object.keys(OUT_OF_REACH) as (keyof typeof OUT_OF_REACH)[]).map(silent));
  });

  test('a connection that falls silent in a transaction, also when its time is over', async () => {
    const silent = async (timeout: number): Promise<void> => {
      const proxy = await startFaultyProxy(whole.url);
      const database = openDatabase({ url: proxy.url, connections: 1, silentMs });
      const steps: string[] = [];
      const error = await failure(
        database.prisma.$transaction(
          async (db) => {
            await db.season.findMany();
            steps.push('begun');
            proxy.stall();
            await db.season.findMany();
          },
          { timeout },
        ),
      );
      expect(steps).toEqual(['begun']);
      expect(isOutOfReach(error), String(error)).toBe(true);
      proxy.resume();
      await database.pool.query('SELECT 1');
      await database.close();
      await proxy.stop();
    };
    await Promise.all([1000, 20_000].map(silent));
  });

  test('a pool whose connections are all taken', async () => {
    const database = openDatabase({ url: whole.url, connections: 1 });
    const taken = await database.pool.connect();
    // From now on: making the connection may take as long as it takes.
    database.pool.options.connectionTimeoutMillis = 100;
    expect(await failOutOfReach(database)).toEqual(OUT_OF_REACH);
    taken.release();
    await database.close();
  });
});

test('silent connections do not delay closing the pool; when one is detected, the idle ones are closed', async () => {
  const proxy = await startFaultyProxy(whole.url);
  const database = openDatabase({ url: proxy.url, connections: 4, silentMs });
  const ask = () => database.pool.query('SELECT 1');
  await Promise.all([ask(), ask(), ask(), ask()]);
  proxy.stall();
  const failed = failure(ask());
  proxy.resume();
  expect(isOutOfReach(await failed)).toBe(true);
  await expect.poll(() => database.pool.totalCount).toBe(0);
  await Promise.all([ask(), ask()]);
  proxy.stall();
  const closingAt = performance.now();
  await database.close();
  expect(performance.now() - closingAt).toBeLessThan(20_000);
  await proxy.stop();
});

test('a server that takes no writes is out of reach until it takes them again', async () => {
  const about = await cloneDatabase();
  const [{ name }] = (await about.pool.query('SELECT current_database() AS name')).rows;
  const setReadOnly = (to: string) =>
    about.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${to}`);
  const write = (one: Database) =>
    inTransaction(one, ['Season'], (db) => db.$executeRaw`DELETE FROM "Season" WHERE false`);
  const database = openDatabase({ url: about.url, connections: 4 });
  const heartbeats = new URL(about.url);
  heartbeats.searchParams.set('application_name', 'heartbeat');
  const session = openNodeSession(database, heartbeats.href, pino({ level: 'silent' }));
  const beat = () => session.run(storeHeartbeat, newGuid(), true, 1, new Date());
  await setReadOnly('on');
  // New connections are refused, also for what only reads.
  expect(await failOutOfReach(database)).toEqual(OUT_OF_REACH);
  const refused = unavailable(await failure(write(database)));
  expect(refused?.cause).toMatchObject({ message: 'the database is out of reach: the server is read-only' });
  expect(isOutOfReach(await failure(beat()))).toBe(true);
  // Nor is the connection of the heartbeat kept.
  const sessions = "SELECT pid FROM pg_stat_activity WHERE application_name = 'heartbeat'";
  await expect.poll(async () => (await about.pool.query(sessions)).rows).toEqual([]);
  await setReadOnly('off');
  expect(await failure(write(database))).toBe('no failure');
  expect(await failure(beat())).toBe('no failure');

  // A server may become read-only under the connections that it has.
  const become = 'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY';
  const kept = await Promise.all(Array.from({ length: 4 }, () => database.pool.connect()));
  for (const client of kept) await client.query(become);
  for (const client of kept) client.release();
  for (let times = 0; times < kept.length; times++)
    expect(isOutOfReach(await failure(write(database))), `connection ${times}`).toBe(true);
  expect(await failure(write(database)), 'each was replaced').toBe('no failure');
  await session.close();
  await database.close();
  await about.drop();
});

test('an idle connection stays open, and is given up when the server says nothing to a later statement', async () => {
  const proxy = await startFaultyProxy(whole.url);
  const database = openDatabase({ url: proxy.url, connections: 1, silentMs });
  const pid = async () => (await database.pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid;
  const first = await pid();
  await sleep(1.5 * silentMs);
  expect(await pid()).toBe(first);
  proxy.stall();
  expect(isOutOfReach(await failure(pid()))).toBe(true);
  await database.close();
  await proxy.stop();
});

test('a faulty statement does not mean out of reach', async () => {
  const { pool, prisma } = whole;
  const season = { name: 'One', startsAt: new Date(0), endsAt: new Date(1) };
  await prisma.season.create({ data: { ...season, seasonGuid: '01890000-0000-7000-8000-000000000000' } });
  for (const work of [
    () => pool.query('SELECT nothing'),
    () => prisma.$queryRaw`SELECT nothing`,
    () => prisma.season.create({ data: { ...season, seasonGuid: '01890000-0000-7000-8000-000000000001' } }),
    // The effect of `statement_timeout`, without the server's clock.
    () => pool.query('SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(60)'),
    () => inTransaction(whole, [], () => Promise.reject(new Error('a mistake'))),
    () => fetch('http://127.0.0.1:2/'),
  ]) {
    const error = await failure(Promise.resolve(work()));
    expect(error).toBeInstanceOf(Error);
    expect(isOutOfReach(error), String(error)).toBe(false);
  }
});

test('a database out of reach is reported once, and once when it works again', async () => {
  const told: string[] = [];
  const database = openDatabase({
    url: whole.url,
    reach: {
      broke: () => told.push('broke'),
      lost: ({ message }) => told.push(`lost: ${message}`),
      regained: ({ failures }) => told.push(`regained after ${failures > 20 ? 'many' : failures}`),
    },
  });
  const ask = () => failure(database.pool.query('SELECT 1'));
  await Promise.all(Array.from({ length: 10 }, ask));
  const reconnect = await whole.cutOff();
  for (let times = 0; times < 5; times++) await Promise.all(Array.from({ length: 10 }, ask));
  await reconnect();
  await expect
    .poll(
      async () => {
        await ask();
        return told.at(-1);
      },
      { timeout: 20_000, interval: 200 },
    )
    .toMatch(/^regained/);
  expect(told).toEqual([
    'broke',
    expect.stringMatching(/^lost: .*not currently accepting connections/),
    'regained after many',
  ]);
  await database.close();
});
