import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { commonErrors, type ServiceError } from '../errors.ts';
import { RemainingTime, type RemainingTimeOptions } from './remaining-time.ts';

/** A body as it arrives, read into memory of the caller. */
export interface Incoming {
  /** The announced number of bytes; null: not announced. */
  readonly length: number | null;
  /**
   * Fills a block from its beginning. Only one call at a time.
   * @param least how many bytes to wait for; left out: until the block is full
   * @returns the number of bytes: less than `least` only at the end of the body, 0 after the end
   */
  fill(block: Uint8Array, least?: number): Promise<number>;
  /** Bytes a second that arrived recently. */
  rate(): number;
  /** From now on the body times out after this long without bytes. */
  shortenSilence(idleMs: number): void;
  /** Stops reading. @param reason what `fill` throws from now on; left out: `fill` is not called any more */
  close(reason?: ServiceError): void;
}

/**
 * Whether a body is complete and the connection still works. A client that sends more bytes than it announced breaks the
 * connection, because the rest is not HTTP.
 */
export const isWhole = (raw: IncomingMessage): boolean => raw.complete && raw.socket.writable;

/** Calls a function unless the body is complete by then, or the connection has closed. */
export function unlessComplete(raw: IncomingMessage, ms: number, act: () => void): void {
  const timer = setTimeout(() => raw.complete || act(), ms);
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer));
}

const tooLarge = (maxBytes: number) =>
  commonErrors.PAYLOAD_TOO_LARGE({ message: `This is larger than ${maxBytes / 1024 / 1024} MiB.` });

export const cutOff = (cause?: unknown) =>
  commonErrors.VALIDATION_FAILED({ message: 'The body is not as long as announced.', cause });

/**
 * Frees the memory of a piece at once. Node allocates 64 KiB for each piece of a body, and the collector walks the whole
 * heap for every ten uploads to free them: to read and hash 3 MiB then takes 10.8 ms of processor time instead of 5.2
 * (docs/benchmarks.md, replays).
 */
function letGo({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

/**
 * Reads the body of a request. Reading begins with the first call of `fill`.
 * `fill` throws PAYLOAD_TOO_LARGE as soon as that is known, REQUEST_TIMEOUT when nothing comes any more or too
 * slowly, VALIDATION_FAILED when the body does not end where it was announced to.
 */
export function readBody(raw: IncomingMessage, maxBytes: number, options: RemainingTimeOptions): Incoming {
  const remaining = new RemainingTime(options);
  const announced = raw.headers['content-length'];
  const length = announced === undefined ? null : Number(announced);
  const now = () => performance.now();
  let received = 0;
  let isOver = false;
  let failure: ServiceError | null = null;
  /** The last piece, if it did not fit into the block. */
  let rest: { chunk: Buffer; from: number } | null = null;
  let wanted: Filling | null = null;
  let stop: (() => void) | null = null;

  const end = (reason: ServiceError | null): void => {
    if (isOver) return;
    isOver = true;
    failure = reason;
    wanted?.settle();
  };

  const watch = (filling: Filling): void => {
    clearTimeout(filling.timer);
    // Bytes that arrived while the process was suspended are read before the body times out.
    const look = () => setImmediate(() => wanted === filling && endIfSlow(filling));
    filling.timer = setTimeout(look, Math.max(0, remaining.left(now())));
  };
  const endIfSlow = (filling: Filling): void => {
    if (remaining.left(now()) > 0) watch(filling);
    else end(commonErrors.REQUEST_TIMEOUT());
  };

  const take = (chunk: Buffer, from: number): void => {
    // The stream is paused while the service reads no bytes.
    if (wanted === null) return;
    const to = Math.min(chunk.length, from + wanted.block.length - wanted.filled);
    wanted.block.set(chunk.subarray(from, to), wanted.filled);
    wanted.filled += to - from;
    rest = to < chunk.length ? { chunk, from: to } : null;
    if (rest === null) letGo(chunk);
    if (wanted.filled >= wanted.least) wanted.settle();
  };

  const start = (): void => {
    if (length !== null && length > maxBytes) {
      end(tooLarge(maxBytes));
      return;
    }
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      remaining.came(chunk.length, now());
      if (received > maxBytes) end(tooLarge(maxBytes));
      else take(chunk, 0);
    };
    const forget = finished(raw, { writable: false }, (cause) =>
      end(cause || !isWhole(raw) ? cutOff(cause) : null),
    );
    raw.on('data', onData);
    stop = () => {
      forget();
      raw.off('data', onData).pause();
    };
  };

  return {
    length,
    fill: (block, least = block.length) =>
      new Promise((resolve, reject) => {
        const filling: Filling = {
          block,
          least,
          filled: 0,
          timer: undefined,
          settle: () => {
            clearTimeout(filling.timer);
            remaining.stop(now());
            wanted = null;
            if (!isOver) raw.pause();
            if (failure) reject(failure);
            else resolve(filling.filled);
          },
        };
        wanted = filling;
        remaining.start(now());
        if (rest) take(rest.chunk, rest.from);
        if (wanted === null) return;
        if (isOver) {
          filling.settle();
          return;
        }
        watch(filling);
        if (stop === null) start();
        else raw.resume();
      }),
    rate: () => remaining.rate(now()),
    shortenSilence: (sooner) => {
      remaining.shortenSilence(sooner, now());
      if (wanted) watch(wanted);
    },
    close: (reason) => {
      stop?.();
      // Only once, because the response lets the rest of the body flow and discards it.
      stop = null;
      end(reason ?? null);
    },
  };
}

/** A block that is being filled. */
interface Filling {
  block: Uint8Array;
  least: number;
  filled: number;
  timer: NodeJS.Timeout | undefined;
  settle(): void;
}
