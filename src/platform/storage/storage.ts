import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { newGuid } from '../clock.ts';
import { openDisk } from './disk.ts';
import type { ByteRange, StoredFile, Written } from './place.ts';
import { openBucket, type S3Options } from './s3.ts';
import { openSpool } from './spool.ts';

/**
 * Files that are too large for the database: plugin releases and replays. A key is written once and never
 * again, so a file that can be read is whole and stays what it is. The database says which files count: put
 * the file first, then commit the row that names it; commit the row's end first, then delete the file. To find
 * what a crash left, write down before the put that the file is on its way: what {@link Storage.list} shows
 * may belong to another service that was pointed at the same place.
 *
 * Keys are `folder/name`, of `[0-9a-z-]` each, made by the service and never of what a client sent.
 * A place without room answers STORAGE_FULL (507), one that cannot be reached STORAGE_UNAVAILABLE (503).
 */
export interface Storage {
  /**
   * Stores what `body` yields under a new key, done with each piece before it asks for the next. It arrives in a file nobody sees, is flushed to the disk and
   * then given its name, which is flushed too: when this resolves the file survives a power cut. Whatever
   * fails, a `body` that throws included, nothing is left behind.
   * @throws whatever `body` or `accept` throws, STORAGE_FULL, STORAGE_UNAVAILABLE
   */
  put(key: string, body: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<Written>;
  /**
   * The bytes of a file, all of them or from `start` to `end`, both included; null when there is no such
   * file. The stream must be read or destroyed. A range must lie within the file: ask the row for the size.
   * @throws STORAGE_UNAVAILABLE
   */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Whether there is such a file, and its size. @throws STORAGE_UNAVAILABLE */
  head(key: string): Promise<StoredFile | null>;
  /** Removes a file; one that is not there is removed already. @throws STORAGE_UNAVAILABLE */
  delete(key: string): Promise<void>;
  /** Every file of a folder. @throws STORAGE_UNAVAILABLE */
  list(folder: string): AsyncIterable<StoredFile>;
  /**
   * Removes what processes that died in a `put` left half written, if last written to at least this long ago
   * (milliseconds), by the clock of the disk.
   * @returns how many files that were
   */
  dropUnfinished(ageMs: number): Promise<number>;
  /** Whether files are on a disk of this machine, where a look at one costs next to nothing. */
  isLocal: boolean;
  close(): void;
}

export interface PutOptions {
  /** Looks at what arrived before it gets its name; refuses it by throwing. */
  accept?(written: Written): void | Promise<void>;
}

export interface StorageOptions {
  /** Folder on the local disk: of all files, or with a bucket only of those that are arriving. */
  directory: string;
  /** Keep files in a bucket of an S3-compatible object storage instead. */
  s3?: S3Options;
}

const KEY = /^[0-9a-z-]+\/[0-9a-z-]+$/;

function requireKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`Not a storage key: ${JSON.stringify(key)}.`);
  return key;
}

/**
 * Makes a folder and those it lies in. Node's own way of that (`recursive`) goes round in circles for ever where
 * the system says of a folder that is there that it is not, as `/proc` does.
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

/** @throws what the system says when files cannot be written there */
async function requireWritable(folder: string): Promise<void> {
  await makeFolder(folder);
  const probe = path.join(folder, newGuid());
  await writeFile(probe, '', { flag: 'wx' });
  await rm(probe);
}

/**
 * Opens the place that files are kept at.
 * @throws Error, fit to be shown to whoever configured it, when it cannot be written to
 */
export async function openStorage({ directory, s3 }: StorageOptions): Promise<Storage> {
  const incoming = path.join(directory, '.incoming');
  await requireWritable(path.resolve(incoming)).catch((cause: unknown) => {
    throw new Error(`STORAGE_DIR cannot be used: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  });
  const spool = openSpool(incoming);
  const place = s3 ? await openBucket(s3) : openDisk(directory);
  return {
    put: async (key, body, { accept } = {}) => {
      requireKey(key);
      return spool.through(newGuid(), body, async (file, written) => {
        await accept?.(written);
        return place.place(file, key, written);
      });
    },
    get: (key, range) => place.get(requireKey(key), range),
    head: (key) => place.head(requireKey(key)),
    delete: (key) => place.delete(requireKey(key)),
    list: (folder) => place.list(folder),
    dropUnfinished: spool.dropUnfinished,
    isLocal: s3 === undefined,
    close: () => place.close(),
  };
}
