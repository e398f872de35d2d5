import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMissing, refuseFailure } from './failures.ts';
import type { Place, StoredFile } from './place.ts';

/** A name is on the disk only once its folder is (fsync(2)). */
async function flushFolder(folder: string): Promise<void> {
  // There a folder cannot be opened, and names are written with the file.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Flushes folders for many at once: a flush that has not begun covers all who wait for it, since their names
 * are there already.
 */
function flushTogether(): (folder: string) => Promise<void> {
  const flushes = new Map<string, { running: Promise<void>; next: Promise<void> | null }>();
  const begin = (folder: string): Promise<void> => {
    const running = flushFolder(folder).finally(() => {
      if (flushes.get(folder)?.running === running) flushes.delete(folder);
    });
    flushes.set(folder, { running, next: null });
    return running;
  };
  return (folder) => {
    const flush = flushes.get(folder);
    if (!flush) return begin(folder);
    const after = () => begin(folder);
    flush.next ??= flush.running.then(after, after);
    return flush.next;
  };
}

/** Bytes read at once: larger than Node's own measure, as files are. */
const CHUNK = 256 * 1024;

/** Files in folders of a local directory. */
export function openDisk(directory: string): Place {
  const fileOf = (key: string): string => path.join(directory, key);
  const flush = flushTogether();
  const missingIsNull = (error: unknown): null => (isMissing(error) ? null : refuseFailure(error));

  const head = async (key: string): Promise<StoredFile | null> => {
    const found = await stat(fileOf(key)).catch(missingIsNull);
    return found && { key, size: found.size, modifiedAt: found.mtimeMs };
  };

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
        await flush(folder);
        return 'moved';
      } catch (error) {
        await rm(target, { force: true }).catch(() => {});
        refuseFailure(error);
      }
    },

    get: async (key, range) => {
      const handle = await open(fileOf(key), 'r').catch(missingIsNull);
      return handle ? handle.createReadStream({ ...range, highWaterMark: CHUNK }) : null;
    },

    head,

    delete: async (key) => {
      await rm(fileOf(key), { force: true }).catch(refuseFailure);
    },

    list: async function* (folder) {
      const names = await readdir(path.join(directory, folder)).catch((error: unknown) =>
        isMissing(error) ? [] : refuseFailure(error),
      );
      for (const name of names) {
        const found = await head(`${folder}/${name}`);
        if (found) yield found;
      }
    },

    close: () => {},
  };
}
