import type { Database } from './database.ts';
import { statement } from './statement.ts';

/**
 * Publishes which tables this node has changed, and reads which ones others have changed. Not in the transactions that
 * write, because they would all wait for the lock of one row.
 */
export interface SharedChanges {
  /** Called repeatedly while there are other nodes; they learn of a change with their next call. */
  exchange(): Promise<void>;
  /** Called instead while there are no other nodes: publishes nothing and forgets the versions. */
  skip(): void;
}

interface Row {
  table: string;
  version: string;
}

const announceChanges = statement<Row, [tables: string[]]>(
  'announce-changes',
  `INSERT INTO "ReadVersion" ("table", version) SELECT unnest($1::text[]), 1
   ON CONFLICT ("table") DO UPDATE SET version = "ReadVersion".version + 1
   RETURNING "table", version::text`,
);

const readVersions = statement<Row, []>('read-versions', 'SELECT "table", version::text FROM "ReadVersion"');

export function createSharedChanges(database: Database): SharedChanges {
  const { changes } = database;
  /** Versions by table as last read; null: other nodes may have changed any table since. */
  let known: Map<string, bigint> | null = null;

  const announce = async (): Promise<void> => {
    const written = changes.takeWritten();
    if (written.length === 0) return;
    try {
      for (const { table, version } of await announceChanges(database, written.sort())) {
        // A difference of one is this node's own change; with more, others changed the table as well.
        if (BigInt(version) === (known?.get(table) ?? 0n) + 1n) known?.set(table, BigInt(version));
      }
    } catch (error) {
      changes.putBack(written);
      throw error;
    }
  };

  return {
    exchange: async () => {
      await announce();
      const rows = await readVersions(database);
      const before = known;
      known = new Map(rows.map(({ table, version }) => [table, BigInt(version)]));
      if (before === null) changes.forgetAll();
      else
        changes.hear([...known].flatMap(([table, version]) => (before.get(table) === version ? [] : table)));
    },
    skip: () => {
      known = null;
      changes.takeWritten();
    },
  };
}
