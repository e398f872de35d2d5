import { NoteEvents } from './notes.ts';
import type { OnNote, Replay } from './replay.ts';
import { readSections } from './sections.ts';
import { type OnPublic, Source } from './source.ts';

interface ReaderOptions {
  /** Bytes of the file; where they are not known, a bound of them. A count that goes beyond is refused at once. */
  totalBytes: number;
  onNote?: OnNote;
  onPublic?: OnPublic;
}

/** Reads a replay in pieces. A count or length that the rest of the file cannot hold is refused. */
export function createReplayReader({ totalBytes, onNote, onPublic }: ReaderOptions) {
  const source = new Source(totalBytes, onPublic);
  const events = { notes: new NoteEvents(), wallTimes: [] as number[] };
  const reading = readSections(source, events, onNote);
  reading.next();
  return {
    /** Takes the next piece of the file, of any size. @throws ReplayError */
    write: (piece: Uint8Array) => source.push(piece, () => void reading.next()),
    /** The file is over. @throws ReplayError when it was too early */
    end: (): Replay => {
      source.finish();
      const last = reading.next();
      if (!last.done) throw new Error('The reader waits for more of a file that is over.');
      source.close();
      return last.value;
    },
    /** Bytes of memory that the events of the replay take. */
    get memory() {
      return events.notes.memory + events.wallTimes.length * Float64Array.BYTES_PER_ELEMENT;
    },
  };
}

/** Reads a whole replay. @throws ReplayError */
export function readReplay(file: Uint8Array): Replay {
  const reader = createReplayReader({ totalBytes: file.byteLength });
  reader.write(file);
  return reader.end();
}
