import {
  CUT,
  CUT_BYTES,
  FRAME_BYTES,
  HEAD_BYTES,
  HEIGHT_BYTES,
  MAGIC,
  NOTE_BYTES,
  NOTE_KIND,
  OFFSETS_BYTES,
  PAUSE_BYTES,
  type ReplayInfo,
  SECTION,
  VERSION,
  WALL_BYTES,
} from './format.ts';
import { type InfoSection, LONGEST_INFO, readInfo, type Span, UNFINISHED } from './info.ts';
import { cutPoints, isBombId, isKnownNote, NO_POINTS, NoteEvents } from './notes.ts';
import { Source, type Waiting } from './source.ts';

/** A replay as far as anybody here asks: no object per frame, and of the poses only whether they can be. */
export interface Replay {
  /** Bytes of the file. */
  bytes: number;
  info: ReplayInfo;
  frames: FrameSummary;
  notes: NoteEvents;
  /** Seconds into the song of each collision with a wall, in the order of the file. */
  wallTimes: readonly number[];
  /** Where the file tells of the person: name and height, and the changes of the height. */
  personal: InfoSection['spans'] & { heights: Span };
}

export interface FrameSummary {
  count: number;
  /** Seconds into the song; 0 without frames. */
  firstTime: number;
  lastTime: number;
  /** How often the time went back. */
  backwards: number;
  /** Seconds. */
  longestGap: number;
  /** Of a sample: how many have the head or a hand where none can be. */
  oddPoses: number;
}

export interface ReaderOptions {
  /** Bytes of the file where they are known: what goes beyond is refused as soon as it is announced. */
  totalBytes?: number;
  /** A longer file is refused. */
  maxBytes?: number;
  /** Is shown the record of every note event: `size` bytes of `view` from `at` on, good until it returns. */
  onNote?(view: DataView, at: number, size: number): void;
}

export interface ReplayReader {
  /** Takes the next piece of the file, of any size. @throws ReplayError */
  write(piece: Uint8Array): void;
  /** The file is over. @throws ReplayError when it was too early */
  end(): Replay;
  /** Bytes of memory that what was read takes. */
  readonly memory: number;
}

/** What is kept of a file while it is read, and grows with it. */
interface Kept {
  notes: NoteEvents;
  wallTimes: number[];
}

const MAX_BYTES = 64 * 1024 * 1024;
/** Ten times what the densest map of all has: more would only keep the process busy. */
const MOST_EVENTS = 200_000;
/** The frames whose poses are looked at: some a second. */
const SAMPLE_EVERY = 16;
/** Metres from the middle of the room; with any real room and any offset of it nobody gets that far. */
const FARTHEST = 1000;
/** Bytes of the shortest entry of the user data: the lengths of an empty key and of an empty value. */
const SHORTEST_ENTRY = 8;
/** Longer keys are nonsense. */
const LONGEST_KEY = 4096;
/** A pose: three floats of the position, four of the rotation. */
const POSE_BYTES = 28;
const FIRST_POSE = 8;

/** Reads a replay that comes in pieces. Every count and length is held to what can still come. */
export function createReplayReader({
  totalBytes,
  maxBytes = MAX_BYTES,
  onNote,
}: ReaderOptions = {}): ReplayReader {
  const source = new Source(totalBytes ?? null, maxBytes);
  const kept: Kept = { notes: new NoteEvents(), wallTimes: [] };
  const reading = readAll(source, kept, onNote);
  reading.next();
  return {
    write: (piece) => {
      source.push(piece);
      reading.next();
      source.keepRest();
    },
    end: () => {
      source.finish();
      const last = reading.next();
      if (!last.done) throw new Error('The reader waits for more of a file that is over.');
      return last.value;
    },
    get memory() {
      return kept.notes.memory + kept.wallTimes.length * Float64Array.BYTES_PER_ELEMENT;
    },
  };
}

/** Reads a replay that is there as a whole. @throws ReplayError */
export function readReplay(file: Uint8Array): Replay {
  const source = new Source(file.byteLength, MAX_BYTES);
  source.push(file);
  source.finish();
  const read = readAll(source, { notes: new NoteEvents(), wallTimes: [] }).next();
  if (!read.done) throw new Error('The reader waits for more of a file that is over.');
  return read.value;
}

function* readAll(
  source: Source,
  { notes, wallTimes }: Kept,
  onNote?: ReaderOptions['onNote'],
): Waiting<Replay> {
  yield* source.need(HEAD_BYTES);
  if (source.view.getInt32(source.at, true) !== MAGIC)
    source.refuse('This is not a replay of the BSOR format.');
  const version = source.view.getUint8(source.at + 4);
  if (version !== VERSION) source.refuse(`BSOR version ${version} is not known here, only ${VERSION}.`, 4);
  source.at += HEAD_BYTES;

  yield* section(source, SECTION.INFO);
  const { info, spans } = yield* readInfoSection(source);
  yield* section(source, SECTION.FRAMES);
  const frames = yield* readFrames(source);
  yield* section(source, SECTION.NOTES);
  yield* readNotes(source, notes, onNote);
  yield* section(source, SECTION.WALLS);
  yield* readWalls(source, wallTimes);
  yield* section(source, SECTION.HEIGHTS);
  const heights = yield* readHeights(source);
  yield* section(source, SECTION.PAUSES);
  yield* readPauses(source);
  yield* readLaterSections(source);
  return { bytes: source.offset, info, frames, notes, wallTimes, personal: { ...spans, heights } };
}

function* section(source: Source, expected: number): Waiting<void> {
  yield* source.need(1);
  const found = source.view.getUint8(source.at);
  if (found !== expected) source.refuse(`Section ${expected} is expected here, not ${found}.`);
  source.at += 1;
}

function* readInfoSection(source: Source): Waiting<InfoSection> {
  for (let wanted = 1; ; wanted = source.available + 1) {
    // With all that a section can need there and still unfinished, it would be none.
    yield* source.need(Math.min(wanted, LONGEST_INFO));
    const found = readInfo(source.rest, source.offset);
    if (found !== UNFINISHED) {
      source.at += found.length;
      return found;
    }
  }
}

/** The number of records of a section. @throws ReplayError unless so many can be and can still come */
function* count(source: Source, shortest: number, most = Number.POSITIVE_INFINITY): Waiting<number> {
  yield* source.need(4);
  const found = source.view.getInt32(source.at, true);
  if (found < 0 || found > most || !source.canHave(4 + found * shortest))
    source.refuse(`There cannot be ${found} records here.`);
  source.at += 4;
  return found;
}

/** Hands over every record of a section, of one size each, as the place where it begins. */
function* records(
  source: Source,
  size: number,
  read: (view: DataView, at: number) => void,
  most?: number,
): Waiting<void> {
  const total = yield* count(source, size, most);
  for (let left = total; left > 0; ) {
    yield* source.need(size);
    const { view } = source;
    const ready = Math.min(left, Math.floor(source.available / size));
    for (let nth = 0; nth < ready; nth += 1, source.at += size) read(view, source.at);
    left -= ready;
  }
}

function* readFrames(source: Source): Waiting<FrameSummary> {
  const frames: FrameSummary = {
    count: 0,
    firstTime: 0,
    lastTime: 0,
    backwards: 0,
    longestGap: 0,
    oddPoses: 0,
  };
  yield* records(source, FRAME_BYTES, (view, at) => {
    const time = view.getFloat32(at, true);
    if (!Number.isFinite(time)) source.refuse('The time of a frame is not a number.');
    if (frames.count === 0) frames.firstTime = time;
    else if (time < frames.lastTime) frames.backwards += 1;
    else if (time - frames.lastTime > frames.longestGap) frames.longestGap = time - frames.lastTime;
    if (frames.count % SAMPLE_EVERY === 0 && !isPossible(view, at)) frames.oddPoses += 1;
    frames.lastTime = time;
    frames.count += 1;
  });
  return frames;
}

/** Whether the head and both hands of a frame are somewhere and turned somehow. */
function isPossible(view: DataView, frame: number): boolean {
  for (let pose = frame + FIRST_POSE; pose < frame + FRAME_BYTES; pose += POSE_BYTES) {
    for (let at = pose; at < pose + 12; at += 4)
      if (!(Math.abs(view.getFloat32(at, true)) < FARTHEST)) return false;
    for (let at = pose + 12; at < pose + POSE_BYTES; at += 4)
      if (!(Math.abs(view.getFloat32(at, true)) < 1.01)) return false;
  }
  return true;
}

function* readNotes(source: Source, notes: NoteEvents, onNote?: ReaderOptions['onNote']): Waiting<void> {
  const total = yield* count(source, NOTE_BYTES, MOST_EVENTS);
  while (notes.count < total) {
    if (source.available < NOTE_BYTES) yield* source.need(NOTE_BYTES);
    let { view, at } = source;
    const id = view.getInt32(at, true);
    const time = view.getFloat32(at + 4, true);
    const spawnTime = view.getFloat32(at + 8, true);
    const kind = view.getInt32(at + 12, true);
    if (!isKnownNote(id)) source.refuse(`There is no note ${id}.`);
    if (!Number.isFinite(time) || !Number.isFinite(spawnTime))
      source.refuse('The time of a note is not a number.', 4);
    if (kind < NOTE_KIND.GOOD || kind > NOTE_KIND.BOMB)
      source.refuse(`Nothing of the kind ${kind} can happen to a note.`, 12);
    const isCut = kind === NOTE_KIND.GOOD || kind === NOTE_KIND.BAD;
    const size = NOTE_BYTES + (isCut ? CUT_BYTES : 0);
    if (source.available < size) {
      yield* source.need(size);
      ({ view, at } = source);
    }
    if (isBombId(id)) notes.add(time, id, NOTE_KIND.BOMB, NO_POINTS);
    else if (kind === NOTE_KIND.GOOD) {
      const cut = at + NOTE_BYTES;
      const before = view.getFloat32(cut + CUT.BEFORE, true);
      const after = view.getFloat32(cut + CUT.AFTER, true);
      const distance = view.getFloat32(cut + CUT.DISTANCE, true);
      if (!Number.isFinite(before) || !Number.isFinite(after) || !Number.isFinite(distance))
        source.refuse('The rating of a cut is not a number.', NOTE_BYTES + CUT.DISTANCE);
      notes.add(time, id, kind, cutPoints(id, before, after, distance));
    } else notes.add(time, id, kind, NO_POINTS);
    onNote?.(view, at, size);
    source.at = at + size;
  }
}

function* readWalls(source: Source, times: number[]): Waiting<void> {
  yield* records(
    source,
    WALL_BYTES,
    (view, at) => {
      // Recorders disagree about the order of the two; the collision is the later one.
      const time = Math.max(view.getFloat32(at + 8, true), view.getFloat32(at + 12, true));
      if (!Number.isFinite(time)) source.refuse('The time of a wall is not a number.', 8);
      times.push(time);
    },
    MOST_EVENTS,
  );
}

function* readHeights(source: Source): Waiting<Span> {
  const at = source.offset;
  yield* records(source, HEIGHT_BYTES, (view, record) => {
    if (!Number.isFinite(view.getFloat32(record + 4, true)))
      source.refuse('The time of a height is not a number.', 4);
  });
  return { at, length: source.offset - at };
}

function* readPauses(source: Source): Waiting<void> {
  yield* records(source, PAUSE_BYTES, (view, record) => {
    if (!Number.isFinite(view.getFloat32(record + 8, true)))
      source.refuse('The time of a pause is not a number.', 8);
  });
}

/** What newer recorders add. Nothing of it is judged, but nonsense is none the less for that. */
function* readLaterSections(source: Source): Waiting<void> {
  for (let last: number = SECTION.PAUSES; yield* source.hasMore(); ) {
    const found = source.view.getUint8(source.at);
    if (found <= last || found > SECTION.USER_DATA) source.refuse(`Section ${found} cannot come here.`);
    source.at += 1;
    last = found;
    if (found === SECTION.OFFSETS) yield* skip(source, OFFSETS_BYTES);
    else yield* readUserData(source);
  }
}

function* readUserData(source: Source): Waiting<void> {
  const entries = yield* count(source, SHORTEST_ENTRY);
  for (let nth = 0; nth < entries; nth += 1) {
    yield* skip(source, yield* length(source, LONGEST_KEY));
    yield* skip(source, yield* length(source));
  }
}

function* length(source: Source, longest = Number.POSITIVE_INFINITY): Waiting<number> {
  yield* source.need(4);
  const found = source.view.getInt32(source.at, true);
  if (found < 0 || found > longest || !source.canHave(4 + found))
    source.refuse(`A length cannot be ${found} here.`);
  source.at += 4;
  return found;
}

function* skip(source: Source, bytes: number): Waiting<void> {
  for (let left = bytes; left > 0; ) {
    yield* source.need(1);
    const step = Math.min(left, source.available);
    source.at += step;
    left -= step;
  }
}
