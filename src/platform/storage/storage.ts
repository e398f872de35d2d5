import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from '../reason.ts';
import { openDisk } from './disk.ts';
import type { ByteRange, Written } from './file-store.ts';
import { openBucket, type S3Options } from './s3.ts';
import { openSpool, timeOf } from './spool.ts';

/**
 * Files that are too large for the database: plugin releases, replays and covers of maps. A key is written once, so a readable file is
 * complete and never changes. Rows of the database name the files in use: put a file before the row is committed, and delete
 * it after the row is gone. To find files after a crash, store before the put that the file will be written.
 *
 * Keys are `folder/name`, of `[0-9a-z-]` each, and never contain data of a client. A full storage answers STORAGE_FULL
 * (507), one that cannot be reached STORAGE_UNAVAILABLE (503).
 */
export type Storage = Awaited<ReturnType<typeof openStorage>>;

interface PutOptions {
  /** Checks the file before it gets its key. Throws to refuse it. */
  accept?(written: Written): void | Promise<void>;
}

export interface StorageOptions {
  /** Folder on the local disk, for all files; with a bucket only for incomplete ones. */
  directory: string;
  /** A bucket of an S3-compatible object storage for the files. */
  s3?: S3Options;
  /** Called when the bucket does not answer at the start. */
  onAway?(error: Error): void;
}

const KEY = /^[0-9a-z-]+\/[0-9a-z-]+$/;

function requireKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`Not a storage key: ${JSON.stringify(key)}.`);
  return key;
}

/**
 * Makes a folder and its parents. The option `recursive` of Node never returns under `/proc`, where the system reports an
 * existing folder as missing.
 */
async function makeFolder(folder: string): Promise<void> {
  const make = () =>
    mkdir(folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST' || !(await stat(folder)).isDirectory()) throw error;
    });
  await make().catch(async (error: NodeJS.ErrnoException) => {
    const parent = path.dirname(folder);
    if (error.code !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent);
    await make();
  });
}

/**
 * Opens the storage.
 * @throws Error, with a message for operators, when it cannot be written to
 */
export async function openStorage({ directory, s3, onAway = () => undefined }: StorageOptions) {
  const incoming = path.join(directory, '.incoming');
  try {
    await makeFolder(path.resolve(incoming));
    await timeOf(incoming);
  } catch (cause) {
    throw new Error(`STORAGE_DIR cannot be used: ${reasonOf(cause)}`, { cause });
  }
  const spool = openSpool(incoming);
  const store = s3 ? await openBucket(s3, onAway) : openDisk(directory);
  return {
    /**
     * Stores the pieces of `body` under a new key. A piece is written before the next one is requested. The file is written
     * under another name, flushed and renamed, and the new name is flushed: the result survives a power cut. After a failure,
     * also of `body`, no file is left, except in a bucket whose answer was lost: the caller removes it.
     * @throws the errors of `body` and `accept`, STORAGE_FULL, STORAGE_UNAVAILABLE
     */
    put: async (key: string, body: AsyncIterable<Uint8Array>, { accept }: PutOptions = {}) => {
      requireKey(key);
      return spool.through(body, async (file, written) => {
        await accept?.(written);
        await store.place(file, key, written);
      });
    },
    /**
     * The bytes of a file, or of a range within it; null when there is no such file. The stream must be read or destroyed.
     * @throws STORAGE_UNAVAILABLE
     */
    get: (key: string, range?: ByteRange) => store.get(requireKey(key), range),
    /** Whether there is such a file. @throws STORAGE_UNAVAILABLE */
    has: (key: string) => store.has(requireKey(key)),
    /** Removes a file, if there is one. @throws STORAGE_UNAVAILABLE */
    delete: (key: string) => store.delete(requireKey(key)),
    /**
     * Removes incomplete files of processes that died in a `put`, when the last write is older than this (milliseconds, by
     * the clock of the disk).
     * @returns the number of removed files
     */
    dropUnfinished: spool.dropUnfinished,
    /** Whether files are on a disk of this machine, so that a check costs little. */
    isLocal: s3 === undefined,
    close: () => store.close(),
  };
}
