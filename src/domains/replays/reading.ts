import { createReplayReader, type Replay, ReplayError } from './bsor/index.ts';
import { createCutDigest } from './cuts.ts';
import { replayErrors } from './errors.ts';
import type { Consumer } from './intake.ts';

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

/** A replay that is read while its file arrives. */
export interface Reading extends Consumer {
  /** The replay, and the digest of its cuts on a map of so many notes; after `end`. */
  result(notesOfMap: number): { replay: Replay; cutsSha256: string | null };
}

/**
 * Reads a file as a replay. `write` and `end` throw REPLAY_UNREADABLE as soon as it is none.
 * @param length bytes of the file; null: not known
 */
export function openReading(length: number | null): Reading {
  const cuts = createCutDigest();
  // Whoever sends a body that is longer than a replay can have is told so where it is received, not here.
  const bounds = length === null ? { maxBytes: Number.POSITIVE_INFINITY } : { totalBytes: length };
  const reader = createReplayReader({ ...bounds, onNote: cuts.add });
  let replay: Replay | null = null;
  return {
    write: (piece) => readable(() => reader.write(piece)),
    end: () => {
      replay = readable(reader.end);
    },
    get memory() {
      return reader.memory;
    },
    result: (notesOfMap) => {
      if (replay === null) throw new Error('The file has not ended.');
      return { replay, cutsSha256: cuts.digest(notesOfMap) };
    },
  };
}
