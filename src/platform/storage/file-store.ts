import type { Readable } from 'node:stream';

/** A written file: size in bytes, SHA-256 in lower-case hexadecimal. */
export interface Written {
  size: number;
  sha256: string;
}

/** Offsets in bytes, both included, as HTTP counts them (RFC 9110, 14.1.2). */
export interface ByteRange {
  start: number;
  end: number;
}

/** The kind of storage: a disk or a bucket. `storage.ts` holds the parts that both share. */
export interface FileStore {
  /**
   * Moves or copies a flushed local file to its key, durably, or leaves nothing at the key. A bucket may keep the file when
   * its answer is lost: the caller removes it.
   */
  place(file: string, key: string, written: Written): Promise<void>;
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  has(key: string): Promise<boolean>;
  delete(key: string): Promise<void>;
  close(): void;
}
