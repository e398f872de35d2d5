import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';

/**
 * An update that changes no index and finds room in the page of its row is heap-only: it writes to no index. How many are,
 * PostgreSQL counts in `pg_stat_user_tables`; the number depends on what else the server does at the time.
 */

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.drop());

test.each(['Match', 'QueueEntry', 'Player'])('pages of %s keep room for updates', async (table) => {
  const { rows } = await database.pool.query<{ options: string[] | null }>(
    'SELECT reloptions AS options FROM pg_class WHERE oid = $1::regclass',
    [`"${table}"`],
  );
  expect(rows[0]?.options?.join()).toMatch(/fillfactor=(50|70|90)/);
});

test.each([
  ['Match', 'state', 'version', 'status', 'dueAt', 'scoredRounds', 'ratings'],
  ['RunningSeat', 'toldAt'],
  ['QueueEntry', 'disconnectedAt', 'extendedMs', 'pluginVersion', 'gameVersion'],
  ['PlayerConnection', 'connectionGuid', 'pluginVersion', 'gameVersion', 'connectedAt'],
  ['Player', 'tokenIssuedAt', 'providerRoles', 'avatarUrl'],
  ['ServiceNode', 'seenAt', 'servedAt', 'doneUntil'],
  ['ServiceLife', 'inServiceUntil', 'lastOutage'],
  ['Lease', 'nodeGuid', 'epoch'],
  ['ReadVersion', 'version'],
  ['MapHostTurn', 'nextAt', 'pausedUntil'],
])('no index of %s has a column that is updated often', async (table, ...updated) => {
  // Also of conditions and expressions: PostgreSQL's own list of what an index depends on.
  const { rows } = await database.pool.query<{ column: string }>(
    `SELECT DISTINCT attname AS column FROM pg_index
     JOIN pg_depend ON classid = 'pg_class'::regclass AND objid = indexrelid AND refobjid = indrelid
     JOIN pg_attribute ON attrelid = indrelid AND attnum = refobjsubid
     WHERE indrelid = $1::regclass
     UNION SELECT attname FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey)
     WHERE indrelid = $1::regclass`,
    [`"${table}"`],
  );
  const columns = rows.map(({ column }) => column);
  expect(columns.length).toBeGreaterThan(0);
  expect(updated.filter((column) => columns.includes(column))).toEqual([]);
});
