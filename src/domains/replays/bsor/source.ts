import { ReplayError } from './format.ts';

/** Waits for bytes: whoever drives it gives them between two steps. */
export type Waiting<T> = Generator<void, T, void>;

/** What joins two pieces: what was left of the first, and so much of the second that most records end in it. */
const SEAM_BYTES = 4096;
const OF_THE_NEXT = 1024;

function join(rest: Uint8Array, piece: Uint8Array): Uint8Array {
  const joined = new Uint8Array(rest.length + piece.length);
  joined.set(rest);
  joined.set(piece, rest.length);
  return joined;
}

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
  readonly #seam = new Uint8Array(SEAM_BYTES);
  /** The piece whose beginning is read in the seam, behind so many bytes of the one before; null: it is in `view`. */
  #next: { piece: Uint8Array; behind: number } | null = null;

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
    if (rest.length === 0) this.#read(piece);
    else if (rest.length + OF_THE_NEXT > SEAM_BYTES) this.#read(join(rest, piece));
    else {
      // The piece itself is not copied: it is thousands of records, of which one began in the piece before.
      const beginning = piece.subarray(0, OF_THE_NEXT);
      this.#seam.set(rest);
      this.#seam.set(beginning, rest.length);
      this.#read(this.#seam.subarray(0, rest.length + beginning.length));
      this.#next = { piece, behind: rest.length };
    }
    if (this.#before + rest.length + piece.length > this.#max)
      this.refuse(`A replay has ${this.#max} bytes at most.`);
  }

  /** Lets go of the last piece, which is its owner's to use again. */
  keepRest(): void {
    // Not `slice`, which of a Buffer is no copy.
    const rest = new Uint8Array(this.rest);
    this.#before += this.at;
    this.#read(rest);
  }

  #read(bytes: Uint8Array): void {
    this.at = 0;
    this.#bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Goes on behind the seam. @returns false when there is none: another piece has to come */
  #leaveSeam(): boolean {
    if (this.#next === null) return false;
    const { piece, behind } = this.#next;
    this.#next = null;
    if (this.at < behind) {
      // What was left of the piece before is not read yet: something is longer than the seam.
      const rest = this.#bytes.subarray(this.at, behind);
      this.#before += this.at;
      this.#read(join(rest, piece));
    } else {
      const at = this.at - behind;
      this.#before += behind;
      this.#read(piece);
      this.at = at;
    }
    return true;
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
      if (this.#leaveSeam()) continue;
      if (this.#isOver)
        throw new ReplayError('The replay ends too early.', this.#before + this.#bytes.length);
      yield;
    }
  }

  /** Waits for another byte. @returns false when the file is over */
  *hasMore(): Waiting<boolean> {
    while (this.available === 0) {
      if (this.#leaveSeam()) continue;
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
