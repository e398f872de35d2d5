import type { Database } from '../../platform/database/database.ts';
import { mapErrors } from './errors.ts';
import type { FileHosts } from './rules.ts';
import * as store from './store.ts';

const TABLES = ['Pool', 'PoolMap'] as const;
/** A change that somebody makes in the database by hand shows after this time. */
const KNOWN_MS = 30_000;

/** Where the files of maps can be downloaded. */
export function createDownloads(database: Database, files: FileHosts) {
  /** Cached addresses by hash. A change of a pool invalidates them. */
  let known = { mark: -1, since: 0, addresses: new Map<string, string>() };
  database.changes.watch(TABLES);

  return {
    /**
     * The address of the file of exactly this hash, as stored when the map was added.
     * @param hash upper case
     * @throws MAP_NOT_FOUND unless the map is in a pool that is or was published, and its host is allowed
     */
    downloadUrlOf: async (hash: string) => {
      // The mark is taken before the read: a pool that changes meanwhile invalidates what is read.
      const mark = database.changes.mark(TABLES);
      if (mark !== known.mark || performance.now() - known.since > KNOWN_MS)
        known = { mark, since: performance.now(), addresses: new Map() };
      const { addresses } = known;
      const address = addresses.get(hash);
      if (address !== undefined) return address;
      const stored = await store.downloadUrlsOf(database.prisma, hash);
      for (const one of stored) {
        // The configured hosts may have changed since the map was added.
        const accepted = files.accept(one);
        if (accepted === null) continue;
        addresses.set(hash, accepted);
        return accepted;
      }
      if (stored.length === 0) throw mapErrors.MAP_NOT_FOUND();
      throw mapErrors.MAP_NOT_FOUND({
        message: 'The file of this map lies on a host that is no longer allowed.',
      });
    },
  };
}
