import { fstatSync, write, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers';

/**
 * The output of the log. It neither stops the process nor takes its memory when it cannot be written: when the disk of its
 * file is full, or when nobody reads its pipe. Lines wait up to a bound; then they are dropped and counted until everything
 * that waits is written. The destinations of pino would try again without end, also at the exit.
 */

const STDOUT = 1;
/** Bytes of lines that may wait to be written. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Bytes of one write, unless a single line is longer. A pipe of Linux holds as much. */
const MOST_AT_ONCE = 64 * 1024;
/** When a failed write is tried again: for a reader who is slow, also at the exit, and for a full disk. */
const RETRY_MS = { reader: 10, readerAtExit: 1, disk: 1000 };
/** How long the exit of the process waits for a reader. */
const EXIT_MS = 1000;
const NOTHING = Buffer.alloc(0);

/** The pipe is full. */
const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN' || code === 'EBUSY';

/**
 * Whether writes never wait for the reader. Then no thread of the pool waits for one either, which the exit of the process
 * would wait for.
 */
function isNonBlocking(): boolean {
  const stats = fstatSync(STDOUT);
  if (process.platform === 'win32' || !(stats.isFIFO() || stats.isSocket())) return false;
  // Node makes a pipe or a socket non-blocking when its stream is made, which is at the first use.
  return process.stdout.fd === STDOUT;
}

class LogOutput {
  /** Lines that were dropped since the start. */
  dropped = 0;
  readonly #isNonBlocking = isNonBlocking();
  readonly #onRegained: (dropped: number) => void;
  #lines: string[] = [];
  /** The bytes that are being written, or the rest of them. */
  #begun: Buffer = NOTHING;
  /** Bytes of both. */
  #waiting = 0;
  #isWriting = false;
  #retry: NodeJS.Timeout | undefined;
  /** Dropped lines that the log does not tell yet. */
  #untold = 0;
  /** The reader is gone for good. */
  #isClosed = false;

  constructor(onRegained: (dropped: number) => void) {
    this.#onRegained = onRegained;
    process.once('exit', () => this.#finish());
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    // After a dropped line no other one is added until the log has told of the gap.
    if (this.#isClosed || this.#untold > 0 || this.#waiting + bytes > MOST_BYTES) {
      this.#drop(1);
      return;
    }
    this.#lines.push(line);
    this.#waiting += bytes;
    this.#advance();
  }

  #drop(lines: number): void {
    this.dropped += lines;
    this.#untold += lines;
  }

  /** The next bytes to write; none: everything is written. */
  #next(): Buffer {
    if (this.#begun.byteLength > 0 || this.#lines.length === 0) return this.#begun;
    let count = 1;
    let length = this.#lines[0]?.length ?? 0;
    for (; count < this.#lines.length; count++) {
      length += this.#lines[count]?.length ?? 0;
      if (length > MOST_AT_ONCE) break;
    }
    this.#begun = Buffer.from(this.#lines.splice(0, count).join(''));
    return this.#begun;
  }

  #took(bytes: number): void {
    this.#begun = this.#begun.subarray(bytes);
    this.#waiting -= bytes;
  }

  #failed(error: NodeJS.ErrnoException): void {
    if (error.code === 'EPIPE') {
      this.#isClosed = true;
      this.#drop(this.#lines.length + 1);
      this.#lines = [];
      this.#begun = NOTHING;
      return;
    }
    const again = () => {
      this.#retry = undefined;
      this.#advance();
    };
    this.#retry = setTimeout(again, isFull(error) ? RETRY_MS.reader : RETRY_MS.disk).unref();
  }

  #advance(): void {
    while (!this.#isWriting && this.#retry === undefined && this.#next().byteLength > 0) {
      if (this.#isNonBlocking) this.#writeNow();
      else this.#writeInThread();
    }
    if (this.#untold === 0 || this.#isClosed || this.#begun.byteLength > 0) return;
    const told = this.#untold;
    this.#untold = 0;
    this.#onRegained(told);
  }

  #writeNow(): void {
    try {
      this.#took(writeSync(STDOUT, this.#begun));
    } catch (error) {
      this.#failed(error as NodeJS.ErrnoException);
    }
  }

  /** A file: its disk may be slow. */
  #writeInThread(): void {
    this.#isWriting = true;
    write(STDOUT, this.#begun, (error, bytes) => {
      this.#isWriting = false;
      if (error) this.#failed(error);
      else this.#took(bytes);
      this.#advance();
    });
  }

  /** Writes what waits at the exit of the process. */
  #finish(): void {
    const until = performance.now() + EXIT_MS;
    // The exit waits for the thread that writes this.
    if (this.#isWriting) this.#begun = NOTHING;
    while (this.#next().byteLength > 0) {
      try {
        this.#took(writeSync(STDOUT, this.#begun));
      } catch (error) {
        if (!isFull(error as NodeJS.ErrnoException) || performance.now() > until) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS.readerAtExit);
      }
    }
  }
}

/** One for the process: several would mix the parts of their lines. */
let output: LogOutput | undefined;

/**
 * Standard output, as a destination of pino.
 * @param onRegained called when everything is written again, with the number of lines that were dropped. All calls in a
 *   process share one output, which calls that of the first.
 */
export const openLogOutput = (
  onRegained: (dropped: number) => void = () => undefined,
): { write(line: string): void } => {
  output ??= new LogOutput(onRegained);
  return output;
};

/** Lines of the log that were dropped since the start of the process. */
export const droppedLines = (): number => output?.dropped ?? 0;
