import type { Database } from '../../platform/database/database.ts';
import { mapErrors } from './errors.ts';
import type { FileHosts } from './rules.ts';
import * as store from './store.ts';

const DOWNLOAD_TABLES = ['Pool', 'PoolMap'] as const;
/** A change that somebody makes in the database by hand shows after this time. */
const DOWNLOADS_KNOWN_MS = 30_000;

/** Where the files of maps can be downloaded. */
export function createDownloads(database: Database, files: FileHosts) {
  /** Cached download addresses by hash. A change of a pool invalidates them. */
  let downloads = { mark: -1, since: 0, addresses: new Map<string, string>() };
  database.changes.watch(DOWNLOAD_TABLES);
  const knownDownloads = () => {
    const mark = database.changes.mark(DOWNLOAD_TABLES);
    if (mark !== downloads.mark || performance.now() - downloads.since > DOWNLOADS_KNOWN_MS)
      downloads = { mark, since: performance.now(), addresses: new Map() };
    return downloads.addresses;
  };

  return {
    /**
     * The address of the file of exactly this hash, as stored when the map was added.
     * @param hash upper case
     * @throws MAP_NOT_FOUND unless the map is in a pool that is or was published, and its host is allowed
     */
    downloadUrlOf: async (hash: string) => {
      // Taken before the read: a pool that changes meanwhile invalidates what is read.
      const known = knownDownloads();
      const address = known.get(hash);
      if (address !== undefined) return address;
      const stored = await store.downloadUrlsOf(database.prisma, hash);
      for (const one of stored) {
        // The configured hosts may have changed since the map was added.
        const accepted = files.accept(one);
        if (accepted === null) continue;
        known.set(hash, accepted);
        return accepted;
      }
      if (stored.length === 0) throw mapErrors.MAP_NOT_FOUND();
      throw mapErrors.MAP_NOT_FOUND({
        message: 'The file of this map lies on a host that is no longer allowed.',
      });
    },
  };
}
