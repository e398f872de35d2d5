import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PreparedStatement, runStatement } from '../../src/platform/database/statement.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

const echo: PreparedStatement<readonly (string | null)[]> = {
  name: 'test-echo',
  text: 'SELECT $1::text, $2::int, $3::text',
  read: (columns) => [...columns],
};

test('parameters arrive as they were given', async () => {
  const given = ['Déjà vu ☃ 東方 🎵 "\\\'\n', -7, null] as const;
  for (const _ of [1, 2])
    expect(await runStatement(database.pool, echo, given)).toEqual([[given[0], '-7', null]]);
  expect(await runStatement(database.pool, echo, ['', 0, '𝄞'.repeat(3)])).toEqual([['', '0', '𝄞𝄞𝄞']]);
});

test('messages of all sizes at once reach the right connection whole', async () => {
  // Connections that are there already, so that all is written in one go.
  await Promise.all(Array.from({ length: 20 }, (_, at) => runStatement(database.pool, echo, ['', at, null])));
  // Some are larger than what the system takes at once: others are written while they still wait.
  const sent = Array.from({ length: 60 }, (_, at) =>
    at % 20 < 2 ? `${at}`.padStart(6, '-').repeat(2_000_000) : `${at}-äb☃`.repeat(40 * at),
  );
  const received = await Promise.all(
    sent.map(async (text, at) => (await runStatement(database.pool, echo, [text, at, null]))[0]),
  );
  // Not compared by the matcher: it would take minutes to show how two of them differ.
  const wrong = sent.flatMap((text, at) =>
    received[at]?.[0] === text && received[at]?.[1] === `${at}` ? [] : [at],
  );
  expect(wrong).toEqual([]);
});

test('all rows are given back, and none are none', async () => {
  const series: PreparedStatement<number> = {
    name: 'test-series',
    text: 'SELECT generate_series(1, $1::int)',
    read: ([number]) => Number(number),
  };
  expect(await runStatement(database.pool, series, [3])).toEqual([1, 2, 3]);
  expect(await runStatement(database.pool, series, [0])).toEqual([]);
});

test('what PostgreSQL refuses is its own error, and the next run is none the wiser', async () => {
  await expect(runStatement(database.pool, echo, ['one', 'not a number', null])).rejects.toMatchObject({
    constructor: pg.DatabaseError,
    code: '22P02',
  });
  await expect(
    runStatement(database.pool, { ...echo, name: 'test-wrong', text: 'SELECT nothing' }, []),
  ).rejects.toMatchObject({ code: '42703' });
  expect(await runStatement(database.pool, echo, ['two', 2, null])).toEqual([['two', '2', null]]);
});

test('a row that cannot be read is told, and the connection goes on', async () => {
  const unreadable: PreparedStatement<never> = {
    name: 'test-unreadable',
    text: 'SELECT generate_series(1, $1::int)',
    read: () => {
      throw new RangeError('Unreadable.');
    },
  };
  await expect(runStatement(database.pool, unreadable, [3])).rejects.toThrow('Unreadable.');
  expect(await runStatement(database.pool, echo, ['three', 3, null])).toEqual([['three', '3', null]]);
});

test('a connection that ends meanwhile is told', async () => {
  const ending: PreparedStatement<null> = {
    name: 'test-ending',
    text: 'SELECT pg_terminate_backend(pg_backend_pid())',
    read: () => null,
  };
  await expect(runStatement(database.pool, ending, [])).rejects.toThrow();
  expect(await runStatement(database.pool, echo, ['four', 4, null])).toEqual([['four', '4', null]]);
});

test('what it writes is noted as every write is', async () => {
  const before = database.changes.mark(['MapCategory']);
  await runStatement(
    database.pool,
    {
      name: 'test-insert',
      text: `INSERT INTO "MapCategory" ("categoryGuid", name, position) VALUES (gen_random_uuid(), $1, 0)`,
      read: () => null,
    },
    ['Tech'],
  );
  expect(database.changes.mark(['MapCategory'])).not.toBe(before);
});
