import type { Database } from './database.ts';
import { statement } from './statement.ts';

/**
 * Announces which tables this node has changed, and reads which ones others have changed. Not in the transactions that
 * write, because they would all wait for the lock of one row.
 */
export type SharedChanges = ReturnType<typeof createSharedChanges>;

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

export function createSharedChanges(database: Database) {
  const { changes } = database;
  /** Versions by table as last read; null: other nodes may have changed any table since. */
  let known: Map<string, bigint> | null = null;
  let knownPeers: readonly string[] = [];

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
    /** Called once more after the last write of a node that stops. */
    announce,
    /**
     * Called repeatedly; other nodes learn of a change with their next call.
     * @param peers the other nodes that live. A node that is missing since the last call may have died between a write
     * and its announcement, so nothing that was read before is current.
     */
    exchange: async (peers: readonly string[]): Promise<void> => {
      await announce();
      const rows = await readVersions(database);
      const before = known;
      known = new Map(rows.map(({ table, version }) => [table, BigInt(version)]));
      const hasLostPeer = knownPeers.some((peer) => !peers.includes(peer));
      knownPeers = peers;
      if (before === null || hasLostPeer) changes.forgetAll();
      else
        changes.note([...known].flatMap(([table, version]) => (before.get(table) === version ? [] : table)));
    },
  };
}
