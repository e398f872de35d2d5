import pg from 'pg';

/**
 * Each new connection is checked before it is used. Its server has to take writes: a standby, or a former primary after a
 * switch-over, does not. Its session has to keep the settings that statements rely on: a pooler may drop them. Its data have
 * to be those of the connections before it: after a fail-over to a standby that lagged behind, or with a restored backup, the
 * last changes are gone, and what this process remembers of them is wrong.
 */

const SESSION = `SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly",
  current_setting('TimeZone') = 'UTC' AND current_setting('DateStyle') LIKE 'ISO%'
    AND current_setting('default_transaction_isolation') = 'read committed'
    AND current_setting('search_path') = 'public' AS "hasSettings"`;

/** Identifies a database among all databases, independent of its server and address. */
export const IDENTITY = `(SELECT system_identifier FROM pg_control_system()) || '-' ||
  (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** The server begins a timeline, with a higher number, when a standby or a restored backup becomes the primary. */
const HISTORY = `SELECT ${IDENTITY} AS identity,
  ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int AS timeline`;

interface History {
  identity: string;
  timeline: number;
}

/** PostgreSQL: feature_not_supported, insufficient_privilege, undefined_function. */
const NOT_TOLD = new Set(['0A000', '42501', '42883']);

/** @returns null when the server does not tell it */
const historyOf = (client: pg.ClientBase): Promise<History | null> =>
  client.query<History>(HISTORY).then(
    ({ rows }) => rows[0] ?? null,
    (error: unknown) => {
      if (error instanceof pg.DatabaseError && NOT_TOLD.has(error.code ?? '')) return null;
      throw error;
    },
  );

/**
 * @param onOtherHistory called once, when a connection reaches another history than the ones before it: another database, or a
 *   later timeline. It and all further ones are refused.
 * @returns checks a connection. @throws Error that says why it cannot be used
 */
export function createConnectionCheck(onOtherHistory: () => void) {
  let known: History | null = null;
  let isOver = false;
  return async (client: pg.ClientBase): Promise<void> => {
    const { rows } = await client.query<{ isReadOnly: boolean; hasSettings: boolean }>(SESSION);
    if (rows[0]?.isReadOnly) throw new Error('the server is read-only');
    if (!rows[0]?.hasSettings)
      throw new Error(
        'a connection does not keep its settings: there may be a pooler, and none must be there',
      );
    const found = await historyOf(client);
    if (found === null) return;
    known ??= found;
    const isSame = found.identity === known.identity;
    if (isSame && found.timeline < known.timeline)
      throw new Error('the server was the primary before a fail-over');
    if (!isOver && isSame && found.timeline === known.timeline) return;
    if (!isOver) onOtherHistory();
    isOver = true;
    throw new Error('the database has another history than before');
  };
}
