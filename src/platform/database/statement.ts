import type pg from 'pg';
import type { Table } from './changes.ts';
import type { Database, Db } from './database.ts';

/** An SQL text with a name, for the statements that run most often. PostgreSQL keeps it prepared by its name. */
export interface Statement<Row, Values extends unknown[]> {
  /** Runs it: given the database on any connection of the pool, given a transaction inside that one. */
  (on: Database | Db, ...values: Values): Promise<Row[]>;
  /** The same for a connection that is not of the pool. */
  query(...values: Values): pg.QueryConfig<unknown[]>;
}

/**
 * Beside Prisma's own API this is the way to run SQL. `test/repository/statements.test.ts` lists the exceptions.
 * @param name unique in the service
 * @param text with `$1`, `$2` … for the values
 * @param writes of the tables that cached responses are read from, those that it writes to when it returns a row
 */
export function statement<Row, Values extends unknown[]>(
  name: string,
  text: string,
  writes: readonly Table[] = [],
): Statement<Row, Values> {
  const query = (...values: Values): pg.QueryConfig<unknown[]> => ({ name, text, values });
  const run: Statement<Row, Values> = (on, ...values) => {
    // The transaction notes what is written in it.
    if (!('prisma' in on)) return on.$queryRawUnsafe<Row[]>(text, ...values);
    const ask = async () => (await on.pool.query(query(...values))).rows as Row[];
    return writes.length === 0 ? ask() : on.changes.writing(writes, ask, (rows) => rows.length > 0);
  };
  run.query = query;
  return run;
}

/** Shows that the pool gets a statement through. */
export const ping = statement<unknown, []>('ping', 'SELECT 1');
