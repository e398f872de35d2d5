import { ReplayError } from './format.ts';

/** A generator that yields when it needs more bytes; its driver pushes them between two steps. */
export type Waiting<T> = Generator<void, T, void>;

/**
 * Bytes of a file that are read at once. To join whole pieces of 256 KiB instead makes garbage that takes 5.9 ms of
 * processor time for 3 MiB, not 1.2 (docs/benchmarks.md, replays).
 */
const STEP_BYTES = 16 * 1024;

/** Replaces personal data in the public's copy: four zero bytes are an empty text, the height 0, or a list without records. */
export const BLANK = new Uint8Array(4);

/** Called with the next bytes of the public's copy, in order. They are valid during the call. */
export type OnPublic = (bytes: Uint8Array) => void;

/** The bytes of a file that came and are not read yet, in memory of its own. Nothing that was read is kept. */
export class Source {
  readonly #total: number;
  readonly #onPublic: OnPublic | undefined;
  #memory = new Uint8Array(2 * STEP_BYTES);
  /** The bytes that came; valid until the next wait. */
  view = new DataView(this.#memory.buffer, 0, 0);
  /** The next byte to read, in `view`. */
  at = 0;
  /** Bytes of the file before `view`. */
  #before = 0;
  #isOver = false;
  /** The bytes of `view` before this one were passed to the public's copy, or are personal. */
  #copied = 0;
  #isPersonal = false;

  /** @param total bytes of the file, or a bound of them */
  constructor(total: number, onPublic?: OnPublic) {
    this.#total = total;
    this.#onPublic = onPublic;
  }

  /** The next byte to read, in the file. */
  get offset(): number {
    return this.#before + this.at;
  }

  /** Bytes that can be read now. */
  get available(): number {
    return this.view.byteLength - this.at;
  }

  /** The bytes that can be read now; valid until the next wait. */
  get rest(): Uint8Array {
    return this.#memory.subarray(this.at, this.view.byteLength);
  }

  /** Adds a piece of the file, in steps, and lets the driver read after each. */
  push(piece: Uint8Array, read: () => void): void {
    for (let at = 0; at < piece.length; at += STEP_BYTES) {
      this.#add(piece.subarray(at, at + STEP_BYTES));
      read();
    }
  }

  /** Personal data begin at `at`. They are not passed to the public's copy. */
  beginPersonal(): void {
    this.#copy();
    this.#isPersonal = true;
  }

  /** Personal data end at `at`. The public's copy gets four zero bytes for them. */
  endPersonal(): void {
    this.#copy();
    this.#isPersonal = false;
    this.#onPublic?.(BLANK);
  }

  #copy(): void {
    if (!this.#isPersonal) this.#onPublic?.(this.#memory.subarray(this.#copied, this.at));
    this.#copied = this.at;
  }

  #add(bytes: Uint8Array): void {
    this.#copy();
    const { rest } = this;
    const length = rest.length + bytes.length;
    if (length > this.#memory.length) this.#memory = new Uint8Array(2 * length);
    this.#memory.set(rest);
    this.#memory.set(bytes, rest.length);
    this.#before += this.at;
    this.at = 0;
    this.#copied = 0;
    this.view = new DataView(this.#memory.buffer, 0, length);
  }

  /** No more bytes come. */
  finish(): void {
    this.#isOver = true;
  }

  /** The file has been read to its end. */
  close(): void {
    this.#copy();
  }

  /** @param behind bytes behind the next one to read, where the problem is @throws ReplayError */
  refuse(message: string, behind = 0): never {
    throw new ReplayError(message, this.offset + behind);
  }

  /** Waits for so many bytes. @throws ReplayError when the file ends before */
  *need(length: number): Waiting<void> {
    while (this.available < length) {
      if (this.#isOver)
        throw new ReplayError('The replay ends too early.', this.#before + this.view.byteLength);
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
    return this.offset + length <= this.#total;
  }
}
