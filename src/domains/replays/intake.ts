import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { commonErrors, ServiceError } from '../../platform/errors.ts';
import type { Incoming } from '../../platform/http/incoming.ts';
import { piecesOf } from '../../platform/http/uploads.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { replayErrors } from './errors.ts';

/** How uploads are held to what the process can bear. */

const MIB = 1024 * 1024;
export const MAX_REPLAY_BYTES = BOUNDS.replay.value;
/** Uploads of one player that may wait for the one before; a plugin has no reason for more. */
const WAITING_PER_PLAYER = 2;
/** Files arrive, are written and are read in blocks of this size. */
const BLOCK_BYTES = 256 * 1024;
/** How long after the last upload memory is kept for the next. */
const SPARE_MS = 60_000;
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
 * @throws UNSUPPORTED_MEDIA_TYPE; later PAYLOAD_TOO_LARGE as soon as there is more than a replay can have,
 *   however little of it was sent, REPLAY_UNREADABLE (not gzip), and whatever the body throws
 */
export function decoded(body: Incoming, encoding: string | undefined): Incoming {
  const name = encoding?.trim().toLowerCase() ?? 'identity';
  if (name === 'identity') return body;
  if (name !== 'gzip' && name !== 'x-gzip')
    throw commonErrors.UNSUPPORTED_MEDIA_TYPE({ message: 'Of content encodings only gzip is known here.' });
  return unzipped(body);
}

function unzipped(body: Incoming): Incoming {
  const gunzip = createGunzip({ chunkSize: BLOCK_BYTES });
  let chunks: AsyncIterator<Buffer> | null = null;
  let rest: Uint8Array = new Uint8Array(0);
  let size = 0;
  const start = (): AsyncIterator<Buffer> => {
    // Whatever goes wrong on either side ends both; it is thrown where the file is read.
    pipeline(piecesOf(body), gunzip).catch(() => {});
    return gunzip.iterator();
  };
  const more = async (): Promise<boolean> => {
    chunks ??= start();
    const next = await chunks.next().catch((error: unknown) => {
      throw error instanceof ServiceError ? error : notGzip(size, error);
    });
    if (next.done) return false;
    rest = next.value;
    size += rest.length;
    if (size > MAX_REPLAY_BYTES) throw tooLarge();
    return true;
  };
  return {
    fill: async (block) => {
      let filled = 0;
      while (filled < block.length && (rest.length > 0 || (await more()))) {
        const part = rest.subarray(0, block.length - filled);
        block.set(part, filled);
        filled += part.length;
        rest = rest.subarray(part.length);
      }
      return filled;
    },
    hurry: body.hurry,
    close: () => {
      gunzip.destroy();
      body.close();
    },
  };
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
  const turns = new Map<string, { last: Promise<void>; waiting: number; arriving: Incoming | null }>();
  let bytes = 0;
  /** Blocks to be used again: new memory costs more than to fill it, and the collector's work besides. */
  const spare: Buffer[] = [];
  let dropping: NodeJS.Timeout | undefined;
  let parsing = 0;
  const parsersWanted: (() => void)[] = [];

  return {
    /**
     * Uploads of one player come one after the other, so that the same file sent twice is stored once. While
     * others wait, the one before may not be silent for long: a line that broke says nothing, and the plugin
     * that sends its file again over another should not have to wait until that is believed.
     * @throws RATE_LIMITED when too many wait already
     */
    inTurn: async <T>(playerGuid: string, file: Incoming, work: () => Promise<T>): Promise<T> => {
      const turn = turns.get(playerGuid) ?? { last: Promise.resolve(), waiting: 0, arriving: null };
      if (turn.waiting > WAITING_PER_PLAYER)
        throw commonErrors.RATE_LIMITED({
          message: 'Your replays are published one at a time. Publish this one again in a moment.',
          headers: RETRY_AFTER,
        });
      turns.set(playerGuid, turn);
      turn.waiting += 1;
      turn.arriving?.hurry(BOUNDS.replaySilence.value);
      const before = turn.last;
      const mine = before.then(() => {
        turn.arriving = file;
        if (turn.waiting > 1) file.hurry(BOUNDS.replaySilence.value);
        return work();
      });
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
    gathered: (file: Incoming): Gathered => {
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
        for (let length = BLOCK_BYTES; length === BLOCK_BYTES; ) {
          const block = hold();
          length = await file.fill(block);
          if (length === 0) return;
          blocks.push(block.subarray(0, length));
          yield block.subarray(0, length);
        }
      }
      return {
        file: gathering(),
        blocks,
        done: () => {
          file.close();
          bytes -= own.length * BLOCK_BYTES;
          spare.push(...own.splice(0));
          clearTimeout(dropping);
          if (bytes === 0) dropping = setTimeout(() => bytes === 0 && spare.splice(0), SPARE_MS).unref();
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
