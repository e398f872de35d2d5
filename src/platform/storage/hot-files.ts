import { buffer } from 'node:stream/consumers';
import { commonErrors } from '../errors.ts';
import type { Storage } from './storage.ts';

interface HotFilesOptions {
  storage: Pick<Storage, 'get' | 'head' | 'isLocal'>;
  /** Size of the cache in bytes. The least recently used files are evicted; a larger file is not cached. */
  maxBytes: number;
}

/** How long the existence of a remote file is not checked again, because a check costs a round trip. */
const REMOTE_CHECK_MS = 5_000;

interface CachedFile {
  bytes: Buffer;
  /** When the file was last seen in the storage, by `performance.now()`. */
  seenAt: number;
}

/**
 * A cache of files in memory: Node has no `sendfile`. A key is written once, so cached bytes stay valid while the file
 * exists.
 */
export function createHotFiles({ storage, maxBytes }: HotFilesOptions) {
  const cached = new Map<string, CachedFile>();
  const loads = new Map<string, Promise<Buffer | null>>();
  let size = 0;

  const drop = (key: string): void => {
    size -= cached.get(key)?.bytes.length ?? 0;
    cached.delete(key);
  };

  const add = (key: string, bytes: Buffer): void => {
    drop(key);
    if (bytes.length > maxBytes) return;
    for (const [oldest] of cached) {
      if (size + bytes.length <= maxBytes) break;
      drop(oldest);
    }
    cached.set(key, { bytes, seenAt: performance.now() });
    size += bytes.length;
  };

  const load = async (key: string): Promise<Buffer | null> => {
    const stream = await storage.get(key);
    if (stream === null) return null;
    const bytes = await buffer(stream).catch((cause: unknown) => {
      throw commonErrors.STORAGE_UNAVAILABLE({ cause });
    });
    add(key, bytes);
    return bytes;
  };

  return {
    /**
     * A whole file; null when there is none. Concurrent callers share one read.
     * @throws STORAGE_UNAVAILABLE
     */
    read: async (key: string) => {
      const found = cached.get(key);
      if (found !== undefined) {
        const isFresh = !storage.isLocal && performance.now() - found.seenAt < REMOTE_CHECK_MS;
        if (!isFresh && (await storage.head(key)) === null) {
          drop(key);
          return null;
        }
        // Another reader may have evicted it meanwhile.
        if (cached.get(key) === found) {
          cached.delete(key);
          cached.set(key, found);
          if (!isFresh) found.seenAt = performance.now();
        }
        return found.bytes;
      }
      const loading = loads.get(key) ?? load(key).finally(() => loads.delete(key));
      loads.set(key, loading);
      return loading;
    },
  };
}
