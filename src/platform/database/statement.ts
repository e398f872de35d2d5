import type pg from 'pg';
import type { Database, Db } from './database.ts';

/** An SQL text with a name, for the statements that run most often. PostgreSQL keeps it prepared by its name. */
export interface Statement<Row, Values extends unknown[]> {
  /** Runs it: given the database on any connection of the pool, given a transaction inside that one. */
  (on: Pick<Database, 'prisma' | 'pool'> | Db, ...values: Values): Promise<Row[]>;
  /** The same for a connection that is not of the pool. */
  query(...values: Values): pg.QueryConfig<unknown[]>;
}

/**
 * Beside Prisma's own API this is the only way to run SQL.
 * @param name unique in the service
 * @param text with `$1`, `$2` … for the values
 */
export function statement<Row, Values extends unknown[]>(name: string, text: string): Statement<Row, Values> {
  const query = (...values: Values): pg.QueryConfig<unknown[]> => ({ name, text, values });
  const run: Statement<Row, Values> = async (on, ...values) =>
    'prisma' in on
      ? ((await on.pool.query(query(...values))).rows as Row[])
      : on.$queryRawUnsafe<Row[]>(text, ...values);
  run.query = query;
  return run;
}
