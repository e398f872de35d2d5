import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createConnectionCheck } from '../../src/platform/database/connection-check.ts';
import { withSessionSettings } from '../../src/platform/database/database.ts';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database?.drop());

const connected = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
};
const usual = (url = database.url) => connected(withSessionSettings(url));

const REPLACED = 'the server was the primary before a fail-over';
const OTHER = 'the database has another history than before';

test('a connection whose settings a pooler has dropped is refused', async () => {
  const check = createConnectionCheck(() => expect.unreachable());
  await expect(check(await connected(database.url))).rejects.toThrow(
    'a connection does not keep its settings',
  );
  await expect(check(await usual())).resolves.toBeUndefined();
});

test('a connection to another database is told once, and all further connections are refused', async () => {
  const other = await emptyDatabase();
  onTestFinished(() => other.drop());
  let times = 0;
  const check = createConnectionCheck(() => {
    times += 1;
  });
  await check(await usual());
  await check(await usual());
  expect(times).toBe(0);
  for (const url of [other.url, other.url, database.url])
    await expect(check(await usual(url))).rejects.toThrow(OTHER);
  expect(times).toBe(1);
});

test('a later timeline is another history; a connection to an earlier one is refused', async () => {
  /** A connection whose server says that it is on this timeline. */
  const onTimeline = async (timeline: number): Promise<pg.ClientBase> => {
    const client = await usual();
    const query = async (text: string) => {
      const { rows } = await client.query<{ timeline?: number }>(text);
      return { rows: rows.map((row) => ('timeline' in row ? { ...row, timeline } : row)) };
    };
    return { query } as unknown as pg.ClientBase;
  };
  let times = 0;
  const check = createConnectionCheck(() => {
    times += 1;
  });
  await check(await onTimeline(2));
  await expect(check(await onTimeline(1))).rejects.toThrow(REPLACED);
  await check(await onTimeline(2));
  expect(times).toBe(0);
  await expect(check(await onTimeline(3))).rejects.toThrow(OTHER);
  expect(times).toBe(1);
});

test('a role that may not ask for the timeline uses the database all the same', async () => {
  const client = await usual();
  await client.query('CREATE ROLE asks_nothing');
  onTestFinished(async () => void (await client.query('RESET ROLE; DROP ROLE asks_nothing')));
  await client.query('REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC; SET ROLE asks_nothing');
  const check = createConnectionCheck(() => expect.unreachable());
  await expect(check(client)).resolves.toBeUndefined();
});
