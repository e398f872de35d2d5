import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGuid } from '../../src/platform/clock.ts';
import { inTransaction } from '../../src/platform/database/database.ts';
import { ping, statement } from '../../src/platform/database/statement.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { type ObservedWrites, observeWrites, tablesWrittenBy } from '../harness/observed-writes.ts';

/** Every test service checks its writes in this way. */

let database: TestDatabase;
let writes: ObservedWrites;
let nth = 0;

beforeAll(async () => {
  database = await cloneDatabase();
  writes = observeWrites(database);
  database.changes.watch(['MapCategory']);
});
afterAll(() => database.drop());

const category = () => ({
  categoryGuid: newGuid(),
  name: `Category ${++nth}`,
  color: '#ffffff',
  position: nth,
});
const create = () => database.prisma.mapCategory.create({ data: category() });
const rename = `UPDATE "MapCategory" SET "position" = $1::int WHERE "position" >= $2::int RETURNING "position"`;
const renameNoted = statement<unknown, [to: number, from: number]>('test-noted', rename, ['MapCategory']);
const renameForgotten = statement<unknown, [to: number, from: number]>('test-forgotten', rename);

describe('a write to a table of a cached response', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['by itself', create],
    [
      'in a transaction',
      () => inTransaction(database, [], (db) => db.mapCategory.create({ data: category() })),
    ],
    [
      'in a transaction that names another table',
      () => inTransaction(database, ['Pool'], (db) => db.$executeRawUnsafe(rename, 5, 0)),
    ],
    ['in a named statement', () => renameForgotten(database, 5, 0)],
    [
      'that is noted only when it returns something',
      () => database.changes.writing(['MapCategory'], create, () => false),
    ],
    [
      'beside one that is noted',
      () => Promise.all([create(), database.changes.writing(['MapCategory'], create)]),
    ],
  ])('is found when it is not declared: %s', async (_how, write) => {
    await write();
    expect(() => writes.check()).toThrow(/ are not declared .*\nMapCategory: (INSERT|UPDATE)/s);
    writes.check();
  });

  test.each<[string, () => Promise<unknown>]>([
    ['by itself', () => database.changes.writing(['MapCategory'], create)],
    [
      'in a transaction',
      () => inTransaction(database, ['MapCategory'], (db) => db.mapCategory.create({ data: category() })),
    ],
    ['in a named statement', () => renameNoted(database, 5, 0)],
    ['in a statement that finds no row', () => renameForgotten(database, 5, 1000)],
    ['in another table', () => database.prisma.outage.deleteMany()],
  ])('passes when it is declared, or writes nothing: %s', async (_how, write) => {
    await write();
    expect(() => writes.check()).not.toThrow();
  });
});

test('a change is noted before the caller hears of it, also when the work failed', async () => {
  const mark = () => database.changes.mark(['MapCategory']);
  const before = mark();
  await database.changes.writing(['MapCategory'], create);
  const after = mark();
  expect(after).not.toBe(before);
  await renameNoted(database, 5, 1000);
  expect(mark()).toBe(after);
  await expect(
    inTransaction(database, ['MapCategory'], () => Promise.reject(new Error('an answer that is lost'))),
  ).rejects.toThrow('an answer that is lost');
  expect(mark()).not.toBe(after);
});

test('nothing is noted when there is no connection', async () => {
  const restore = await database.cutOff();
  try {
    await expect.poll(() => ping(database).catch((error: Error) => error.name)).toBe('OutOfReach');
    const before = database.changes.mark(['MapCategory']);
    const failed = await Promise.allSettled([
      database.changes.writing(['MapCategory'], create),
      inTransaction(database, ['MapCategory'], (db) => db.mapCategory.create({ data: category() })),
      renameNoted(database, 5, 0),
    ]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(database.changes.mark(['MapCategory'])).toBe(before);
  } finally {
    await restore();
  }
});

test.each([
  ['INSERT INTO "public"."Pool" ("poolGuid") VALUES ($1)', ['Pool']],
  [
    'WITH moved AS (UPDATE "Match" SET a = 1 RETURNING 1) INSERT INTO "MatchEvent" SELECT 1',
    ['Match', 'MatchEvent'],
  ],
  ['DELETE FROM ONLY "QueueEntry" WHERE true', ['QueueEntry']],
  ['INSERT INTO "A" VALUES (1) ON CONFLICT DO UPDATE SET "x" = 1', ['A']],
  ['SELECT 1 FROM "Pool" FOR UPDATE', []],
  ['SELECT 1 FROM "Pool" FOR NO KEY UPDATE SKIP LOCKED', []],
  ['TRUNCATE TABLE "Rating"', ['Rating']],
])('the tables that %s writes to', (text, tables) => {
  expect(tablesWrittenBy(text)).toEqual(tables);
});
