import { afterAll, beforeAll, expect, test } from 'vitest';
import { commitSteps, insertMatches } from '../../src/domains/matches/store.ts';
import { newGuid } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { cloneDatabase, type TestDatabase } from '../harness/database.ts';
import { Game, setupOf } from './game.ts';

/** An update that changes no index and finds room in the page of its row is heap-only: it writes to no index. */

const MATCHES = 30;

let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  // While it gathers statistics, PostgreSQL keeps versions of rows that nobody needs, and pages fill up.
  await database.pool.query(
    `DO $$ DECLARE name text; BEGIN
       FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
         EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = off)', name);
       END LOOP;
     END $$`,
  );
});
afterAll(() => database.drop());

/** Stores matches that are played side by side, as their commands would arrive, each to its end. */
async function playAll(): Promise<void> {
  // PostgreSQL counts by session, and adds the counts up when it is asked in that session.
  const session = openDatabase({ url: database.url, connections: 1 });
  const games = Array.from({ length: MATCHES }, () => new Game({ ...setupOf(), matchGuid: newGuid() }));
  const made = games.map(({ state, log: [line] }) => ({
    created: { event: line?.event as never, state, cause: { type: 'created', seat: null }, effects: [] },
    dueAt: null,
    seats: [],
  })) satisfies Parameters<typeof insertMatches>[1];
  await insertMatches(session.prisma, made);
  for (const game of games) {
    game.toPick();
    while (game.result === null) game.playRound(0.9, 0.6);
  }
  for (let nth = 0; nth < Math.max(...games.map(({ steps }) => steps.length)); nth++)
    for (const { steps } of games) {
      const step = steps[nth];
      if (step === undefined) continue;
      const { version, deadlineAt } = step.state;
      await commitSteps(session, version - 1, [step], Date.now(), deadlineAt);
    }
  await session.pool.query('SELECT pg_stat_force_next_flush()');
  await session.close();
}

test('a change of a running match writes to no index of matches', async () => {
  await playAll();
  const { rows } = await database.pool.query<{ updates: number; hot: number }>(
    `SELECT n_tup_upd::int AS updates, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE relname = 'Match'`,
  );
  const [{ updates, hot } = { updates: 0, hot: 0 }] = rows;
  expect(updates).toBeGreaterThan(20 * MATCHES);
  // All but the last one of each match, which is in indexes.
  expect(hot / (updates - MATCHES)).toBeGreaterThan(0.8);
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
