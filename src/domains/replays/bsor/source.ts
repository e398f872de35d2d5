import { ReplayError } from './format.ts';

/** Waits for bytes: whoever drives it gives them between two steps. */
export type Waiting<T> = Generator<void, T, void>;

/** What is left of a piece is another length each time, and mostly less than this. */
const ROOM_TO_GROW = 1024;

/**
 * The bytes of a file that have come and are not read yet. Of the file nothing is kept beyond the last piece
 * and what could not be used of the one before.
 */
export class Source {
  readonly #total: number | null;
  readonly #max: number;
  #bytes: Uint8Array = new Uint8Array(0);
  /** Over the bytes there are; good until the next wait. */
  view = new DataView(this.#bytes.buffer);
  /** The next byte to read, in `view`. */
  at = 0;
  #before = 0;
  #isOver = false;
  /** Where what is left of a piece is joined with the next one. */
  #joined = new Uint8Array(0);

  /**
   * @param total bytes of the file; null: not known
   * @param max bytes that a file has at most
   */
  constructor(total: number | null, max: number) {
    this.#total = total;
    this.#max = max;
  }

  /** The next byte to read, in the file. */
  get offset(): number {
    return this.#before + this.at;
  }

  /** Bytes that are there to be read. */
  get available(): number {
    return this.view.byteLength - this.at;
  }

  /** The bytes that are there to be read; good until the next wait. */
  get rest(): Uint8Array {
    return this.#bytes.subarray(this.at);
  }

  push(piece: Uint8Array): void {
    const rest = this.rest;
    this.#before += this.at;
    this.at = 0;
    if (rest.length === 0) this.#bytes = new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength);
    else {
      const length = rest.length + piece.length;
      const isOwn = rest.buffer === this.#joined.buffer;
      // Used again and again: new memory costs more than the copy. What is left lies elsewhere after `keepRest`.
      if (isOwn || this.#joined.length < length) this.#joined = new Uint8Array(length + ROOM_TO_GROW);
      this.#bytes = this.#joined.subarray(0, length);
      this.#bytes.set(rest);
      this.#bytes.set(piece, rest.length);
    }
    this.view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    if (this.#before + this.#bytes.length > this.#max)
      this.refuse(`A replay has ${this.#max} bytes at most.`);
  }

  /** Lets go of the last piece, which is its owner's to use again. */
  keepRest(): void {
    const rest = this.rest.slice();
    this.#before += this.at;
    this.at = 0;
    this.#bytes = rest;
    this.view = new DataView(rest.buffer);
  }

  finish(): void {
    this.#isOver = true;
  }

  /** @throws ReplayError at the byte that is read next, or so many behind it */
  refuse(message: string, behind = 0): never {
    throw new ReplayError(message, this.offset + behind);
  }

  /** Waits until so many bytes are there. @throws ReplayError when the file ends before */
  *need(length: number): Waiting<void> {
    while (this.available < length) {
      if (this.#isOver)
        throw new ReplayError('The replay ends too early.', this.#before + this.#bytes.length);
      yield;
    }
  }

  /** Waits for another byte. @returns false when the file is over */
  *hasMore(): Waiting<boolean> {
    while (this.available === 0) {
      if (this.#isOver) return false;
      yield;
    }
    return true;
  }

  /** Whether the file can have so many more bytes. */
  canHave(length: number): boolean {
    return this.offset + length <= (this.#total ?? this.#max);
  }
}
