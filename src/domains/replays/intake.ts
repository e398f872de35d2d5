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

/** What all uploads of a node share. */
export function createIntake() {
  const turns = new Map<string, { last: Promise<void>; waiting: number }>();
  let bytes = 0;
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
     * Counts a file as it arrives, until `done` is called.
     * @throws UPLOADS_BUSY when all files that arrive are more than the process may hold
     */
    counted: (file: AsyncIterable<Uint8Array>): { file: AsyncIterable<Uint8Array>; done(): void } => {
      let own = 0;
      async function* counting(): AsyncGenerator<Uint8Array> {
        for await (const chunk of file) {
          own += chunk.length;
          bytes += chunk.length;
          if (bytes > BOUNDS.replaysAtOnce.value) throw replayErrors.UPLOADS_BUSY({ headers: RETRY_AFTER });
          yield chunk;
        }
      }
      return {
        file: counting(),
        done: () => {
          bytes -= own;
          own = 0;
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
