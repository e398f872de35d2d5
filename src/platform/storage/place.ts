import type { Readable } from 'node:stream';

/** What was written: size in bytes, SHA-256 in lower-case hexadecimal. */
export interface Written {
  size: number;
  sha256: string;
}

/** Offsets in bytes, both included, as HTTP counts them (RFC 9110, 14.1.2). */
export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredFile {
  key: string;
  /** Bytes. */
  size: number;
  /** Milliseconds since 1970, by the clock of the place. */
  modifiedAt: number;
}

/** Where files are kept. What is the same everywhere is done around it, in `storage.ts`. */
export interface Place {
  /**
   * Moves or copies a flushed local file to its key, durably, or leaves nothing there.
   * @returns whether the file is still where it was
   */
  place(file: string, key: string, written: Written): Promise<'moved' | 'copied'>;
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  head(key: string): Promise<StoredFile | null>;
  delete(key: string): Promise<void>;
  list(folder: string): AsyncIterable<StoredFile>;
  close(): void;
}
