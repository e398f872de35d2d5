import type pg from 'pg';
import { cut, onServerError } from './silence.ts';

/**
 * A server that takes no writes: a standby, one that was a primary before a switch-over, or one whose disk is nearly full.
 * A connection to it is of no use, and may stay of no use when new connections reach a server that takes writes.
 */

/** PostgreSQL: read_only_sql_transaction. The service begins no such transaction itself. */
const READ_ONLY = '25006';

/** Ends a connection when a statement on it fails because its server takes no writes any more. */
export const endWhenReadOnly = (client: pg.ClientBase): void =>
  onServerError(client, ({ code }) => {
    if (code === READ_ONLY) cut(client);
  });

/** PostgreSQL: insufficient_resources, such as a full disk. */
const NO_RESOURCES = /^53/;

/** Calls a listener when the server refuses a statement on a connection because it lacks resources. */
export const onNoResources = (client: pg.ClientBase, listener: (error: Error) => void): void =>
  onServerError(client, (error) => {
    if (NO_RESOURCES.test(error.code ?? '')) listener(error);
  });
