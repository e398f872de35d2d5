import type { Database } from './database.ts';
import { statement } from './statement.ts';

/**
 * Tells the other nodes which tables this one changed, and hears what they did. Not in the transactions that
 * write: a row that all of them had to update would make them wait for each other.
 */
export interface SharedChanges {
  /** To be called again and again while others live: the time between two calls is how late they hear. */
  exchange(): Promise<void>;
  /** Nobody else is there: there is nobody to tell, and nothing is known of whoever comes next. */
  alone(): void;
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
  /** Versions by table as last read; null: others may have changed anything since. */
  let known: Map<string, bigint> | null = null;

  const announce = async (): Promise<void> => {
    const written = changes.takeWritten();
    if (written.length === 0) return;
    try {
      for (const { table, version } of await announceChanges(database, written.sort())) {
        // One step is our own; more than one were others between our last look and now.
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
    alone: () => {
      known = null;
      changes.takeWritten();
    },
  };
}
