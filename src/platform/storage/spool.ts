import { createHash } from 'node:crypto';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { newGuid } from '../clock.ts';
import { refuseFailure } from './failures.ts';
import type { Written } from './file-store.ts';

/** A folder for incomplete files. Nothing reads them, and a crash leaves incomplete files only here. */
export function openSpool(folder: string) {
  return {
    /**
     * Writes a stream to a new file, flushes it and passes it to `use`, which may move it. The file is removed in any case.
     * @throws the errors of the stream and of `use`, STORAGE_FULL
     */
    through: async (
      body: AsyncIterable<Uint8Array>,
      use: (file: string, written: Written) => Promise<void>,
    ): Promise<Written> => {
      const file = path.join(folder, newGuid());
      const handle = await open(file, 'wx').catch(refuseFailure);
      try {
        const written = await write(handle, body);
        await use(file, written);
        return written;
      } finally {
        await rm(file, { force: true });
      }
    },

    /**
     * Removes files whose last write is older than this (milliseconds).
     * @returns the number of removed files
     * @throws the first error, after all that could be removed are
     */
    dropUnfinished: async (ageMs: number): Promise<number> => {
      const before = (await timeOf(folder)) - ageMs;
      let dropped = 0;
      const errors: unknown[] = [];
      for (const name of await readdir(folder)) {
        const file = path.join(folder, name);
        const found = await stat(file).catch(() => null);
        if (found === null || found.mtimeMs >= before) continue;
        await rm(file, { force: true }).then(
          () => (dropped += 1),
          (error: unknown) => errors.push(error),
        );
      }
      if (errors.length > 0) throw errors[0];
      return dropped;
    },
  };
}

/**
 * The current time of the disk, from a file that is written and removed: a shared disk has a clock of its own.
 * @throws the error of the system when files cannot be written there
 */
export async function timeOf(folder: string): Promise<number> {
  const file = path.join(folder, newGuid());
  const handle = await open(file, 'wx');
  try {
    return (await handle.stat()).mtimeMs;
  } finally {
    await handle.close();
    await rm(file, { force: true });
  }
}

async function write(handle: FileHandle, body: AsyncIterable<Uint8Array>): Promise<Written> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      size += chunk.length;
      await handle.writeFile(chunk).catch(refuseFailure);
    }
    // Flushes bytes and size. The other properties of the file need not survive a power cut.
    await handle.datasync().catch(refuseFailure);
  } finally {
    await handle.close();
  }
  return { size, sha256: hash.digest('hex') };
}
