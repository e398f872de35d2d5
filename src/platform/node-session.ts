import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import type { Database } from './database/database.ts';
import { OutOfReach } from './database/outage.ts';
import { cut } from './database/silence.ts';
import type { Statement } from './database/statement.ts';

/** Runs one statement of a heartbeat. @throws OutOfReach when no connection carried it out in time */
export type Run = <Row, Values extends unknown[]>(
  statement: Statement<Row, Values>,
  ...values: Values
) => Promise<Row[]>;

/** How a node's heartbeat reaches the database, however busy the node is otherwise. */
export interface NodeSession {
  run: Run;
  close(): Promise<void>;
}

/** After this long without an answer the pool is tried as well: a connection may be half open. */
const HEDGE_MS = 1000;
/** A statement of a heartbeat that takes longer has failed. */
const FAILED_MS = 2500;

/** What a promise resolves to, or that it takes too long. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | 'too long'> {
  const timer = new AbortController();
  try {
    return await Promise.race([
      promise,
      sleep(ms, 'too long' as const, { signal: timer.signal, ref: false }),
    ]);
  } finally {
    timer.abort();
  }
}

/**
 * A connection of its own, so that a heartbeat waits for no statement of the service; where that one is gone or says
 * nothing, a connection of the pool. Each statement is complete in itself and may be carried out twice.
 */
export function openNodeSession(
  database: Database,
  databaseUrl: string,
  logger: FastifyBaseLogger,
): NodeSession {
  let session: pg.Client | undefined;
  /** Whether a statement is under way on it, or it is being opened. */
  let isBusy = false;

  const drop = (client: pg.Client): void => {
    if (session !== client) return;
    session = undefined;
    // Its socket, not a good-bye: a half-open connection would answer none.
    client.end().catch(() => undefined);
    cut(client);
  };

  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({
      connectionString: databaseUrl,
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
      if (client && !(error instanceof pg.DatabaseError && error.severity === 'ERROR')) drop(client);
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
      // The server is there: a connection on which nothing comes is a broken one.
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
      session = undefined;
      client?.removeAllListeners('error');
      client?.on('error', () => undefined);
      if (client)
        await within(
          FAILED_MS,
          client.end().catch(() => undefined),
        );
    },
  };
}
