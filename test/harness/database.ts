import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';

export interface TestDatabase extends Database {
  url: string;
  /** Closes the database for all connections, until the returned function is called. */
  cutOff(): Promise<() => Promise<void>>;
  /** Closes the connections and drops the database. */
  drop(): Promise<void>;
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('postgresAdminUrl') });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}

const newName = (): string => `matches_test_${randomBytes(6).toString('hex')}`;
const urlOf = (name: string): string => inject('postgresAdminUrl').replace(/\/[^/]*$/, `/${name}`);
const dropDatabase = (name: string): Promise<void> => asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);

/**
 * Empties an object that is not used any more. A worker keeps the variables of its test files until it ends, so they
 * should not keep a stopped service or a closed database in memory.
 */
export function release(object: object): void {
  for (const name of Object.keys(object)) Reflect.deleteProperty(object, name);
}

/** A new database without a table. */
export async function emptyDatabase(options = ''): Promise<{ url: string; drop(): Promise<void> }> {
  const name = newName();
  await asAdmin(`CREATE DATABASE ${name} ${options}`);
  return { url: urlOf(name), drop: () => dropDatabase(name) };
}

/** A new migrated database: call it once per test file and drop it at the end. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const name = newName();
  // The default strategy writes every page to the log as well.
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')} STRATEGY FILE_COPY`);
  const url = urlOf(name);
  const database = openDatabase({ url });
  // A test holds locks while it waits for more than the database.
  database.pool.options.idle_in_transaction_session_timeout = 0;
  const cloned: TestDatabase = {
    ...database,
    url,
    cutOff: async () => {
      await asAdmin(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      // Waits until they have ended, so that no pool still holds one that it takes for alive.
      await asAdmin(
        `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
      return () => asAdmin(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    },
    drop: async () => {
      await database.close();
      await dropDatabase(name);
      release(cloned);
    },
  };
  return cloned;
}

/** How many statements wait for a lock of this database. Other tests use the same server at the same time. */
export async function waitingForLocks({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length;
}
