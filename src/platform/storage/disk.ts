import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, refuseFailure } from './failures.ts';
import type { FileStore } from './file-store.ts';

/** A file name survives a power cut only after its folder is flushed (fsync(2)). */
async function flushFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and writes names with the file.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Bytes of one read. Files are large, so it is more than the default of Node. */
const CHUNK = 256 * 1024;

/** Files in folders of a local directory. */
export function openDisk(directory: string): FileStore {
  const fileOf = (key: string): string => path.join(directory, key);
  const missingIsNull = (error: unknown): null => (isMissing(error) ? null : refuseFailure(error));

  return {
    place: async (file, key) => {
      const target = fileOf(key);
      const folder = path.dirname(target);
      try {
        await rename(file, target).catch(async (error: unknown) => {
          if (!isMissing(error)) throw error;
          if (await mkdir(folder, { recursive: true })) await flushFolder(directory);
          await rename(file, target);
        });
        await flushFolder(folder);
      } catch (error) {
        await rm(target, { force: true }).catch(() => {});
        refuseFailure(error);
      }
    },

    get: async (key, range) => {
      const handle = await open(fileOf(key), 'r').catch(missingIsNull);
      return handle ? handle.createReadStream({ ...range, highWaterMark: CHUNK }) : null;
    },

    has: async (key) => (await stat(fileOf(key)).catch(missingIsNull)) !== null,

    delete: async (key) => {
      await rm(fileOf(key), { force: true }).catch(refuseFailure);
    },

    close: () => {},
  };
}
