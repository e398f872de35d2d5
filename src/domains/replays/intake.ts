import { pipeline } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { commonErrors, ServiceError } from '../../platform/errors.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { replayErrors } from './errors.ts';

/** How uploads are held to what the process can bear. */

const MIB = 1024 * 1024;
export const MAX_REPLAY_BYTES = BOUNDS.replay.value;
/** Uploads of one player that may wait for the one before; a plugin has no reason for more. */
const WAITING_PER_PLAYER = 2;
/** Files arrive, are written and are read in blocks of this size. */
const BLOCK_BYTES = 256 * 1024;
const RETRY_AFTER = { 'retry-after': '5' };

const tooLarge = () =>
  commonErrors.PAYLOAD_TOO_LARGE({
    message: `A replay has ${MAX_REPLAY_BYTES / MIB} MiB at most after decoding.`,
  });

const notGzip = (byteOffset: number, cause: unknown) =>
  replayErrors.REPLAY_UNREADABLE({
    message: 'The body is announced as gzip, and is not, or not all of it.',
    details: { byteOffset },
    cause,
  });

/**
 * The file in a body.
 * @param encoding of the body: `gzip`, or undefined
 * @throws PAYLOAD_TOO_LARGE as soon as there is more than a replay can have, however little of it was sent;
 *   UNSUPPORTED_MEDIA_TYPE, REPLAY_UNREADABLE (not gzip), and whatever the body throws
 */
export function decoded(
  body: AsyncIterable<Uint8Array>,
  encoding: string | undefined,
): AsyncIterable<Uint8Array> {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity') return body;
  if (name !== 'gzip' && name !== 'x-gzip')
    throw commonErrors.UNSUPPORTED_MEDIA_TYPE({ message: 'Of content encodings only gzip is known here.' });
  return unzipped(body);
}

async function* unzipped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip: Gunzip = createGunzip({ chunkSize: 256 * 1024 });
  // Whatever goes wrong on either side ends both; it is thrown below, where the file is read.
  const arriving = pipeline(body, gunzip).catch(() => {});
  let size = 0;
  try {
    for await (const chunk of gunzip) {
      size += chunk.length;
      if (size > MAX_REPLAY_BYTES) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : notGzip(size, error);
  } finally {
    gunzip.destroy();
    await arriving;
  }
}

/** A file as it arrives. */
export interface Gathered {
  /** Yields the blocks as they fill. */
  file: AsyncIterable<Uint8Array>;
  /** Those that have come, whole once `file` has ended. */
  blocks: readonly Uint8Array[];
  /** Lets go of them: others are filled into them, so nobody may read them any more. */
  done(): void;
}

/** What all uploads of a node share. */
export function createIntake() {
  const turns = new Map<string, { last: Promise<void>; waiting: number }>();
  let bytes = 0;
  /** Blocks to be used again, as long as files arrive: new memory costs more than to fill it. */
  const spare: Buffer[] = [];
  let parsing = 0;
  const parsersWanted: (() => void)[] = [];

  return {
    /**
     * Uploads of one player come one after the other, so that the same file sent twice is stored once.
     * @throws RATE_LIMITED when too many wait already
     */
    inTurn: async <T>(playerGuid: string, work: () => Promise<T>): Promise<T> => {
      const turn = turns.get(playerGuid) ?? { last: Promise.resolve(), waiting: 0 };
      if (turn.waiting > WAITING_PER_PLAYER)
        throw commonErrors.RATE_LIMITED({
          message: 'Your replays are published one at a time. Publish this one again in a moment.',
          headers: RETRY_AFTER,
        });
      turns.set(playerGuid, turn);
      turn.waiting += 1;
      const before = turn.last;
      const mine = before.then(work);
      turn.last = mine.then(
        () => {},
        () => {},
      );
      try {
        return await mine;
      } finally {
        turn.waiting -= 1;
        if (turn.waiting === 0) turns.delete(playerGuid);
      }
    },

    /**
     * Gathers a file in blocks as it arrives, until `done` is called: they are written as they fill, and read
     * once all are there.
     * @throws UPLOADS_BUSY when all files that arrive are more than the process may hold
     */
    gathered: (file: AsyncIterable<Uint8Array>): Gathered => {
      const blocks: Uint8Array[] = [];
      const own: Buffer[] = [];
      const hold = (): Buffer => {
        if (bytes + BLOCK_BYTES > BOUNDS.replaysAtOnce.value)
          throw replayErrors.UPLOADS_BUSY({ headers: RETRY_AFTER });
        bytes += BLOCK_BYTES;
        const block = spare.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES);
        own.push(block);
        return block;
      };
      async function* gathering(): AsyncGenerator<Uint8Array> {
        let block: Buffer | null = null;
        let filled = 0;
        // Copied, since a client may send a file as millions of chunks of one byte.
        for await (const chunk of file) {
          for (let at = 0; at < chunk.length; ) {
            block ??= hold();
            const part = chunk.subarray(at, at + BLOCK_BYTES - filled);
            block.set(part, filled);
            filled += part.length;
            at += part.length;
            if (filled < BLOCK_BYTES) continue;
            blocks.push(block);
            yield block;
            block = null;
            filled = 0;
          }
        }
        if (block === null) return;
        blocks.push(block.subarray(0, filled));
        yield block.subarray(0, filled);
      }
      return {
        file: gathering(),
        blocks,
        done: () => {
          bytes -= own.length * BLOCK_BYTES;
          spare.push(...own.splice(0));
          if (bytes === 0) spare.length = 0;
          blocks.length = 0;
        },
      };
    },

    /** At most so many files are read at a time; the others wait their turn. */
    parse: async <T>(work: () => Promise<T>): Promise<T> => {
      while (parsing >= BOUNDS.replayParsers.value)
        await new Promise<void>((resolve) => void parsersWanted.push(resolve));
      parsing += 1;
      try {
        return await work();
      } finally {
        parsing -= 1;
        parsersWanted.shift()?.();
      }
    },
  };
}
