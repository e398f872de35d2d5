import { buffer } from 'node:stream/consumers';
import { commonErrors } from '../errors.ts';
import type { Storage } from './storage.ts';

/** Files that many ask for, kept in memory: Node has no `sendfile`. */
export interface HotFiles {
  /**
   * A whole file; null when there is none. Whoever asks while it is being read waits for the same reading.
   * @throws STORAGE_UNAVAILABLE
   */
  read(key: string): Promise<Buffer | null>;
}

export interface HotFilesOptions {
  storage: Pick<Storage, 'get' | 'head' | 'isLocal'>;
  /** Bytes kept at most. The files not asked for longest go first; a larger file is read and not kept. */
  maxBytes: number;
}

/** Asking an object storage costs a round trip; a file that is removed there is noticed this much later. */
const REMOTE_CHECK_MS = 5_000;

interface Kept {
  bytes: Buffer;
  /** When it was last seen where it is kept, by `performance.now()`. */
  seenAt: number;
}

/** A key is written once, so what was read stays right for as long as the file is there. */
export function createHotFiles({ storage, maxBytes }: HotFilesOptions): HotFiles {
  const kept = new Map<string, Kept>();
  const arriving = new Map<string, Promise<Buffer | null>>();
  let size = 0;

  const drop = (key: string): void => {
    size -= kept.get(key)?.bytes.length ?? 0;
    kept.delete(key);
  };

  const keep = (key: string, bytes: Buffer): void => {
    drop(key);
    if (bytes.length > maxBytes) return;
    for (const [oldest] of kept) {
      if (size + bytes.length <= maxBytes) break;
      drop(oldest);
    }
    kept.set(key, { bytes, seenAt: performance.now() });
    size += bytes.length;
  };

  const load = async (key: string): Promise<Buffer | null> => {
    const stream = await storage.get(key);
    if (stream === null) return null;
    const bytes = await buffer(stream).catch((cause: unknown) => {
      throw commonErrors.STORAGE_UNAVAILABLE({ cause });
    });
    keep(key, bytes);
    return bytes;
  };

  return {
    read: async (key) => {
      const found = kept.get(key);
      if (found !== undefined) {
        const isFresh = !storage.isLocal && performance.now() - found.seenAt < REMOTE_CHECK_MS;
        if (!isFresh && (await storage.head(key)) === null) {
          drop(key);
          return null;
        }
        // Another reader may have made room meanwhile.
        if (kept.get(key) === found) {
          kept.delete(key);
          kept.set(key, found);
          if (!isFresh) found.seenAt = performance.now();
        }
        return found.bytes;
      }
      const loading = arriving.get(key) ?? load(key).finally(() => arriving.delete(key));
      arriving.set(key, loading);
      return loading;
    },
  };
}
