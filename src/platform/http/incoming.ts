import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';
import { commonErrors, type ServiceError } from '../errors.ts';

/** A body as it arrives, in memory of whoever reads it. */
export interface Incoming {
  /**
   * Fills a block from its beginning; one at a time.
   * @returns how many bytes came: fewer than there is room for only at the end of the body, 0 behind it
   */
  fill(block: Uint8Array): Promise<number>;
  /** From now on nothing may come for this long only. */
  hurry(idleMs: number): void;
  /** Nobody reads on. */
  close(): void;
}

export interface IncomingOptions {
  maxBytes: number;
  /** How long nothing may come. */
  idleMs: number;
}

/**
 * Whether a body came to its end, from a client that is still there and whose connection turned out to be
 * HTTP: who sends more than was announced has sent something else than it meant.
 */
export const isWhole = (raw: IncomingMessage): boolean => raw.complete && raw.socket.writable;

const tooLarge = (maxBytes: number) =>
  commonErrors.PAYLOAD_TOO_LARGE({ message: `This is larger than ${maxBytes / 1024 / 1024} MiB.` });

export const cutOff = (cause?: unknown) =>
  commonErrors.VALIDATION_FAILED({ message: 'The body is not as long as announced.', cause });

/**
 * Node makes an array of its own for every piece of a body. Left to the collector, 64 KiB each, they make it
 * walk the whole heap for every ten uploads, which costs as much as to hash and to write them.
 */
function letGo({ buffer, length }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

/**
 * Reads the body of a request. Nothing of it is taken before the first block is there to be filled.
 * `fill` throws PAYLOAD_TOO_LARGE as soon as that is known, REQUEST_TIMEOUT when nothing comes any more,
 * VALIDATION_FAILED when the body does not end where it was announced to.
 */
export function readBody(raw: IncomingMessage, { maxBytes, ...options }: IncomingOptions): Incoming {
  let { idleMs } = options;
  let received = 0;
  let isOver = false;
  let failure: ServiceError | null = null;
  /** What came last, when the block was full before its end. */
  let rest: { chunk: Buffer; from: number } | null = null;
  let wanted: { block: Uint8Array; filled: number; idle: NodeJS.Timeout; settle(): void } | null = null;
  let stop: (() => void) | null = null;

  const end = (reason: ServiceError | null): void => {
    if (isOver) return;
    isOver = true;
    failure = reason;
    wanted?.settle();
  };

  const waitForMore = () => setTimeout(() => end(commonErrors.REQUEST_TIMEOUT()), idleMs);

  const take = (chunk: Buffer, from: number): void => {
    // While nobody wants any more, nothing flows.
    if (wanted === null) return;
    const to = Math.min(chunk.length, from + wanted.block.length - wanted.filled);
    wanted.block.set(chunk.subarray(from, to), wanted.filled);
    wanted.filled += to - from;
    wanted.idle.refresh();
    rest = to < chunk.length ? { chunk, from: to } : null;
    if (rest === null) letGo(chunk);
    if (wanted.filled === wanted.block.length) wanted.settle();
  };

  const start = (): void => {
    if (Number(raw.headers['content-length'] ?? 0) > maxBytes) {
      end(tooLarge(maxBytes));
      return;
    }
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
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
    fill: (block) =>
      new Promise((resolve, reject) => {
        const filling = {
          block,
          filled: 0,
          idle: waitForMore(),
          settle: () => {
            clearTimeout(filling.idle);
            wanted = null;
            if (!isOver) raw.pause();
            if (failure) reject(failure);
            else resolve(filling.filled);
          },
        };
        wanted = filling;
        if (rest) take(rest.chunk, rest.from);
        if (wanted === null) return;
        if (isOver) filling.settle();
        else if (stop === null) start();
        else raw.resume();
      }),
    hurry: (sooner) => {
      idleMs = Math.min(idleMs, sooner);
      if (wanted === null) return;
      clearTimeout(wanted.idle);
      wanted.idle = waitForMore();
    },
    close: () => {
      stop?.();
      // Once: whoever answers lets the rest flow to nowhere.
      stop = null;
      end(null);
    },
  };
}
