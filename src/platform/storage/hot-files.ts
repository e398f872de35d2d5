import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { commonErrors } from '../errors.ts';
import type { Storage } from './storage.ts';

interface HotFilesOptions {
  storage: Pick<Storage, 'get' | 'has' | 'isLocal'>;
  /** Size of the cache in bytes. The least recently used files are evicted; a larger file is not cached. */
  maxBytes: number;
  /** How long the read of a file into memory may take, milliseconds. */
  loadMs?: number;
}

/** Everybody who asks for a file waits for the same read of it. */
const LOAD_MS = 30_000;

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
export function createHotFiles({ storage, maxBytes, loadMs = LOAD_MS }: HotFilesOptions) {
  const cached = new Map<string, CachedFile>();
  const loads = new Map<string, Promise<Buffer | null>>();
  let size = 0;

  const drop = (key: string): void => {
    size -= cached.get(key)?.bytes.length ?? 0;
    cached.delete(key);
  };

  const add = (key: string, bytes: Buffer): void => {
    if (bytes.length > maxBytes) return;
    for (const [oldest] of cached) {
      if (size + bytes.length <= maxBytes) break;
      drop(oldest);
    }
    cached.set(key, { bytes, seenAt: performance.now() });
    size += bytes.length;
  };

  const load = async (key: string, isIntact: (bytes: Buffer) => boolean): Promise<Buffer | null> => {
    const stream = await storage.get(key);
    if (stream === null) return null;
    const bytes = await buffer(addAbortSignal(AbortSignal.timeout(loadMs), stream)).catch(
      (cause: unknown) => {
        throw commonErrors.STORAGE_UNAVAILABLE({ cause });
      },
    );
    if (!isIntact(bytes))
      throw commonErrors.STORAGE_UNAVAILABLE({
        cause: new Error(`${key} is not the file that was stored: ${bytes.length} bytes came`),
      });
    add(key, bytes);
    return bytes;
  };

  return {
    /**
     * A whole file; null when there is none. Concurrent callers share one read.
     * @param isIntact whether these are the bytes that were stored: a proxy in front of a bucket may answer others
     * @throws STORAGE_UNAVAILABLE
     */
    read: async (key: string, isIntact: (bytes: Buffer) => boolean) => {
      const found = cached.get(key);
      if (found !== undefined) {
        const isFresh = !storage.isLocal && performance.now() - found.seenAt < REMOTE_CHECK_MS;
        if (!isFresh && !(await storage.has(key))) {
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
      const loading = loads.get(key) ?? load(key, isIntact).finally(() => loads.delete(key));
      loads.set(key, loading);
      return loading;
    },
  };
}
