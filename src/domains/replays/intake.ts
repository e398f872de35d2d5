import { commonErrors } from '../../platform/errors.ts';
import type { Incoming } from '../../platform/http/incoming.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { replayErrors } from './errors.ts';

/** Bounds what uploads take of the process: memory of all together, and one upload of a player at a time. */

const KIB = 1024;
/** Uploads of one player that may wait for the one before; a plugin has no reason for more. */
const WAITING_PER_PLAYER = 2;
/** Sizes of the memory that a file is read into, one after the other. The first one is read as the file arrives. */
const BLOCK_BYTES = [8 * KIB, 64 * KIB, 256 * KIB] as const;
/** Memory is reserved when the first bytes have come. */
const FIRST_BYTES = 64;
/** Memory of an upload beside its block: buffers of the connection, of unpacking and of reading. */
const BASE_BYTES = 192 * KIB;
const RETRY_AFTER = { 'retry-after': '5' };

const busy = () => replayErrors.UPLOADS_BUSY({ headers: RETRY_AFTER });

/** Reads a file while it arrives. */
export interface Consumer {
  /** The next piece. Refuses the file by throwing. */
  write(piece: Uint8Array): void;
  /** The file is over. */
  end(): void;
  /** Bytes of memory that its results take. */
  readonly memory: number;
}

/** A file that arrives. */
export type Upload = ReturnType<ReturnType<typeof createIntake>['open']>;

interface Reservation {
  file: Incoming;
  bytes: number;
  /** The whole file has come: from now on the service itself decides how long the memory is used. */
  isWhole: boolean;
}

/**
 * The memory of all uploads. An upload reserves more as its file comes; where that exceeds the limit, the slowest
 * upload ends, perhaps the one that asks.
 * @param limit bytes of all together
 */
function createMemory(limit: number) {
  const reservations = new Set<Reservation>();
  let reserved = 0;
  const release = (reservation: Reservation) => {
    if (reservations.delete(reservation)) reserved -= reservation.bytes;
  };
  const slowest = () =>
    [...reservations]
      .filter(({ isWhole }) => !isWhole)
      .map((reservation) => ({ reservation, rate: reservation.file.rate() }))
      .sort((a, b) => a.rate - b.rate)[0]?.reservation;
  return {
    release,
    /** Sets the bytes of an upload. @throws UPLOADS_BUSY when it is the slowest, or was ended before */
    reserve: (reservation: Reservation, bytes: number) => {
      if (reservation.bytes === 0) reservations.add(reservation);
      else if (!reservations.has(reservation)) throw busy();
      reserved += bytes - reservation.bytes;
      reservation.bytes = bytes;
      while (reserved > limit) {
        const ended = slowest() ?? reservation;
        release(ended);
        if (ended === reservation) throw busy();
        ended.file.close(busy());
      }
    },
  };
}

/**
 * The memory and the queues that all uploads of a node share.
 * @param memoryBytes of all uploads together
 */
export function createIntake(memoryBytes: number = BOUNDS.replayMemory.value) {
  /** By player. `uploads` counts the running one as well. */
  const queues = new Map<string, { last: Promise<unknown>; uploads: number; current: Incoming | null }>();
  const memory = createMemory(memoryBytes);

  async function* piecesOf(reservation: Reservation, consumer?: Consumer): AsyncGenerator<Uint8Array> {
    const { file } = reservation;
    const first = new Uint8Array(FIRST_BYTES);
    const begun = await file.fill(first, 1);
    let block = new Uint8Array(0);
    for (let nth = 0; !reservation.isWhole; nth += 1) {
      const length = BLOCK_BYTES[Math.min(nth, BLOCK_BYTES.length - 1)] as number;
      memory.reserve(reservation, BASE_BYTES + length + (consumer?.memory ?? 0));
      if (block.length !== length) block = Buffer.allocUnsafeSlow(length);
      let filled = 0;
      const consume = (bytes: number) => {
        if (bytes > 0) consumer?.write(block.subarray(filled, filled + bytes));
        filled += bytes;
      };
      if (nth === 0) {
        block.set(first.subarray(0, begun));
        for (let bytes = begun; bytes > 0; ) {
          consume(bytes);
          bytes = filled < length ? await file.fill(block.subarray(filled), 1) : 0;
        }
      } else consume(await file.fill(block));
      reservation.isWhole = filled < length;
      if (filled > 0) yield block.subarray(0, filled);
    }
    consumer?.end();
  }

  return {
    /**
     * Runs uploads of one player one after the other, so that a file that is sent twice is stored once. While others
     * wait, the current upload may be silent for a short time only: a plugin whose connection broke sends its file
     * again over another one and waits for the first.
     * @throws RATE_LIMITED when too many wait already
     */
    inTurn: async <T>(playerGuid: string, file: Incoming, work: () => Promise<T>) => {
      const queue = queues.get(playerGuid) ?? { last: Promise.resolve(), uploads: 0, current: null };
      if (queue.uploads > WAITING_PER_PLAYER)
        throw commonErrors.RATE_LIMITED({
          message: 'Your replays are published one at a time. Publish this one again in a moment.',
          headers: RETRY_AFTER,
        });
      queues.set(playerGuid, queue);
      queue.uploads += 1;
      queue.current?.shortenSilence(BOUNDS.replaySilence.value);
      const turn = queue.last.then(() => {
        queue.current = file;
        if (queue.uploads > 1) file.shortenSilence(BOUNDS.replaySilence.value);
        return work();
      });
      queue.last = turn.catch(() => {});
      try {
        return await turn;
      } finally {
        queue.uploads -= 1;
        if (queue.uploads === 0) queues.delete(playerGuid);
      }
    },

    /** Opens a file that is to be read. */
    open: (file: Incoming) => {
      const reservation: Reservation = { file, bytes: 0, isWhole: false };
      return {
        /** Its bytes where that is known before it has come; else null. */
        length: file.length,
        /**
         * The pieces of the file. Each is valid until the next one, and was given to `consumer` before.
         * @throws UPLOADS_BUSY when it was ended to make room for others, and what the file or `consumer` throws
         */
        pieces: (consumer?: Consumer) => piecesOf(reservation, consumer),
        /** Releases its memory. */
        close: () => {
          file.close();
          memory.release(reservation);
        },
      };
    },
  };
}
