import { createHash } from 'node:crypto';
import type { CatalogueMap } from './catalogue.ts';

/** The changes of a new upload. The hash always changes; other members that are left out stay. */
type Republication = Partial<
  Pick<CatalogueMap, 'hash' | 'name' | 'songName' | 'bpm' | 'durationSeconds' | 'difficulties'>
>;

/**
 * The maps the host knows now, and the hashes of all uploads of these maps.
 * @throws Error when two maps share a key or a hash.
 */
export function createLibrary(maps: readonly CatalogueMap[]) {
  const published = new Map<string, CatalogueMap>();
  /** The key of a map by every hash it has or had: the host finds the map, and the files of old versions, by all of them. */
  const keys = new Map<string, string>();

  const remember = (map: CatalogueMap) => {
    const hashes = [map.hash, map.earlierVersion?.hash].filter((hash) => hash !== undefined);
    for (const hash of hashes) {
      if (keys.has(hash)) throw new Error(`The hash ${hash} belongs to map ${keys.get(hash)} already.`);
    }
    published.set(map.key, map);
    for (const hash of hashes) keys.set(hash, map.key);
  };

  const add = (map: CatalogueMap) => {
    if (published.has(map.key)) throw new Error(`There is a map ${map.key} already.`);
    remember(map);
  };

  const required = (key: string): CatalogueMap => {
    const map = published.get(key);
    if (map === undefined) throw new Error(`There is no map ${key}.`);
    return map;
  };

  for (const map of maps) add(map);

  return {
    add,

    /** The map of this key, in any case. */
    byKey: (key: string): CatalogueMap | undefined => published.get(key.toLowerCase()),

    /** The map that has or had this hash (any case): its own hash may be a newer one. */
    byHash: (hash: string): CatalogueMap | undefined => published.get(keys.get(hash.toLowerCase()) ?? ''),

    /** Whether a map has or had exactly this hash. */
    hasFile: (hash: string): boolean => keys.has(hash),

    /** Replaces the published version. @returns the new hash. @throws Error for an unknown key or a used hash. */
    republish: (key: string, changes: Republication = {}): string => {
      const { earlierVersion: _, ...before } = required(key);
      const hash = changes.hash ?? createHash('sha1').update(`re-upload of ${before.hash}`).digest('hex');
      remember({ ...before, ...changes, hash });
      return hash;
    },

    /** Deletes the map with all its files. @throws Error for an unknown key. */
    remove: (key: string): void => {
      required(key);
      published.delete(key);
      for (const [hash, owner] of keys) if (owner === key) keys.delete(hash);
    },
  };
}
