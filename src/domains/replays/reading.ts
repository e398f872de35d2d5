import { createHash } from 'node:crypto';
import { createReplayReader, type Replay, ReplayError } from './bsor/index.ts';
import { createCutDigest } from './cuts.ts';
import { replayErrors } from './errors.ts';

/** @throws REPLAY_UNREADABLE in place of what the reader says */
function readable<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof ReplayError)) throw cause;
    const { message, byteOffset } = cause;
    throw replayErrors.REPLAY_UNREADABLE({ message, details: { byteOffset }, cause });
  }
}

/**
 * Reads a file as a replay while it arrives. `write` and `end` throw REPLAY_UNREADABLE as soon as the bytes are no valid
 * replay.
 * @param length bytes of the file; null: not known
 */
export function openReading(length: number | null) {
  const cuts = createCutDigest();
  const publicHash = createHash('sha256');
  // A body that is longer than a replay can have is refused where it is received, not here.
  const reader = createReplayReader({
    totalBytes: length ?? Number.POSITIVE_INFINITY,
    onNote: cuts.add,
    onPublic: (bytes) => publicHash.update(bytes),
  });
  let replay: Replay | null = null;
  return {
    write: (piece: Uint8Array) => readable(() => reader.write(piece)),
    end: () => {
      replay = readable(reader.end);
    },
    get memory() {
      return reader.memory;
    },
    /** The replay, the digest of its cuts on a map of so many notes, and the hash of the public's copy; once, after `end`. */
    result: (notesOfMap: number) => {
      if (replay === null) throw new Error('The file has not ended.');
      return { replay, cutsSha256: cuts.digest(notesOfMap), publicSha256: publicHash.digest('hex') };
    },
  };
}
