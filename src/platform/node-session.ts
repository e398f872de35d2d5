import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { type Database, withSessionSettings } from './database/database.ts';
import { isOutOfReach, OutOfReach } from './database/out-of-reach.ts';
import { cut } from './database/silence.ts';
import type { Statement } from './database/statement.ts';
import { within } from './within.ts';

/** Runs one statement of a heartbeat. @throws OutOfReach when no connection executed it in time */
export type Run = <Row, Values extends unknown[]>(
  statement: Statement<Row, Values>,
  ...values: Values
) => Promise<Row[]>;

/** After this long without an answer the pool is tried as well, because the connection may be half open. */
const HEDGE_MS = 1000;
/** A statement that takes longer has failed. */
const FAILED_MS = 2500;

/**
 * Opens a connection for heartbeats only, independent of the load of the node: a heartbeat waits for no other statement.
 * When that connection fails or does not answer, the pool is used. Each statement is idempotent, because it may be executed
 * twice.
 */
export function openNodeSession(database: Database, databaseUrl: string, logger: FastifyBaseLogger) {
  let session: pg.Client | undefined;
  /** Whether a statement is under way on it, or it is being opened. */
  let isBusy = false;

  const drop = (client: pg.Client): void => {
    if (session !== client) return;
    session = undefined;
    // Closes the socket as well, because a half-open connection does not answer `end`.
    client.end().catch(() => undefined);
    cut(client);
  };

  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: withSessionSettings(databaseUrl),
      connectionTimeoutMillis: FAILED_MS,
      statement_timeout: FAILED_MS,
      query_timeout: FAILED_MS,
    });
    client.on('error', ({ message }) => {
      if (session === client) logger.warn({ reason: message }, 'the connection of the heartbeat broke');
      drop(client);
    });
    await client.connect();
    session = client;
    return client;
  };

  const overSession: Run = async (statement, ...values) => {
    if (isBusy) throw new Error('the statement before has not been answered');
    isBusy = true;
    let client = session;
    try {
      client ??= await open();
      return (await client.query(statement.query(...values))).rows;
    } catch (error) {
      // Any other error of the server leaves the connection as useful as before.
      if (client && (isOutOfReach(error) || !(error instanceof pg.DatabaseError))) drop(client);
      throw error;
    } finally {
      isBusy = false;
    }
  };

  const run: Run = async (statement, ...values) => {
    const used = session;
    const answer = overSession(statement, ...values);
    try {
      const early = await within(
        HEDGE_MS,
        answer.catch(() => null),
      );
      if (early !== null && early !== 'too long') return early;
      const overPool = statement(database, ...values);
      const rows = await within(FAILED_MS - HEDGE_MS, Promise.any([answer, overPool]));
      if (rows === 'too long') throw new Error(`no answer within ${FAILED_MS} ms`);
      // The database answers over the pool, so the silent connection is broken.
      if (used !== undefined && early === 'too long') drop(used);
      return rows;
    } catch (error) {
      const [cause = error] = error instanceof AggregateError ? error.errors : [];
      throw new OutOfReach(cause instanceof Error ? cause : new Error(String(cause)));
    }
  };

  return {
    run,
    close: async () => {
      const client = session;
      // From now on its errors mean nothing.
      session = undefined;
      await within(
        FAILED_MS,
        Promise.resolve(client?.end()).catch(() => undefined),
      );
    },
  };
}
