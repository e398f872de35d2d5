import type { Table } from './changes.ts';
import { type Statement, statement } from './statement.ts';

/** Removes rows of a table whose time is before this, the oldest first, at most `most`. Returns a row for each. */
export type Expiry = Statement<unknown, [before: Date, most: number]>;

/**
 * The removal of rows that are kept for some time only. Rows that another transaction has locked are left for the next run.
 * @param column the time that counts; an index begins with it, unless the table stays small
 */
export const expiryOf = (table: Table, column: string): Expiry =>
  statement(
    `expire-${table}`,
    `DELETE FROM "${table}" WHERE ctid = ANY(ARRAY(
       SELECT ctid FROM "${table}" WHERE "${column}" < $1::timestamptz ORDER BY "${column}" LIMIT $2::int
       FOR UPDATE SKIP LOCKED
     )) RETURNING 1`,
    [table],
  );
