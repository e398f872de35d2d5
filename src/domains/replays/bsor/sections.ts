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
  SECTION,
  VERSION,
  WALL_BYTES,
} from './format.ts';
import { type InfoSection, readInfo, type Span } from './info.ts';
import { cutPoints, isBombId, isKnownNote, NO_POINTS, type NoteEvents, type Points } from './notes.ts';
import type { FrameSummary, OnNote, Replay } from './replay.ts';
import type { Source, Waiting } from './source.ts';

/** Ten times the number of the densest map. Sorting more events would keep the process busy. */
const MOST_EVENTS = 200_000;
/** The pose of every 16th frame is checked. */
const SAMPLE_EVERY = 16;
/** Metres from the middle of the room; no real room and offset gets that far. */
const FARTHEST = 1000;
/** A part of a rotation is within 1; the rest is for rounding. */
const MOST_ROTATION = 1.01;
/** Bytes of the shortest entry of the user data: the lengths of an empty key and of an empty value. */
const SHORTEST_ENTRY = 8;
/** Many more than any recorder adds. Small ones would keep the process busy: a file of zeros has one in each 8 bytes. */
const MOST_ENTRIES = 1000;
const LONGEST_KEY = 4096;
/** A pose: three floats of the position, four of the rotation. */
const POSE_BYTES = 28;
const POSITION_BYTES = 12;
const FIRST_POSE = 8;

/**
 * Reads a whole file.
 * @param events the events are added to these
 */
export function* readSections(
  source: Source,
  { notes, wallTimes }: { notes: NoteEvents; wallTimes: number[] },
  onNote?: OnNote,
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
  // Recorders disagree about the order of the two times; the later one is the collision.
  const addWall = () =>
    wallTimes.push(Math.max(numberAt(source, 8, 'time of a wall'), numberAt(source, 12, 'time of a wall')));
  yield* records(source, WALL_BYTES, addWall, MOST_EVENTS);
  yield* section(source, SECTION.HEIGHTS);
  const heights: Span = { at: source.offset, length: 0 };
  source.beginPersonal();
  yield* records(source, HEIGHT_BYTES, () => numberAt(source, 4, 'time of a height'));
  source.endPersonal();
  heights.length = source.offset - heights.at;
  yield* section(source, SECTION.PAUSES);
  yield* records(source, PAUSE_BYTES, () => numberAt(source, 8, 'time of a pause'));
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
  // Each attempt has more bytes than the one before. The texts have a greatest length, so an attempt reads or refuses them.
  for (let wanted = 1; ; wanted = source.available + 1) {
    yield* source.need(wanted);
    const found = readInfo(source.rest, source.offset);
    if (found === null) continue;
    const end = source.offset + found.length;
    for (const span of [found.spans.playerName, found.spans.height]) {
      source.at += span.at - source.offset;
      source.beginPersonal();
      source.at += span.length;
      source.endPersonal();
    }
    source.at += end - source.offset;
    return found;
  }
}

/**
 * The number of records of a section, or of the bytes of a text.
 * @param shortest bytes that one of them has at least
 * @throws ReplayError when it is more than `most`, or than the rest of the file can hold
 */
function* count(source: Source, shortest: number, most = Number.POSITIVE_INFINITY): Waiting<number> {
  yield* source.need(4);
  const found = source.view.getInt32(source.at, true);
  if (found < 0 || found > most || !source.canHave(4 + found * shortest))
    source.refuse(`The number ${found} is not possible here.`);
  source.at += 4;
  return found;
}

/** Calls `read` for each record of a section with the source at its beginning. All have one size. */
function* records(source: Source, size: number, read: () => void, most?: number): Waiting<void> {
  for (let left = yield* count(source, size, most); left > 0; ) {
    yield* source.need(size);
    const ready = Math.min(left, Math.floor(source.available / size));
    for (let nth = 0; nth < ready; nth += 1, source.at += size) read();
    left -= ready;
  }
}

/**
 * A float of the record that the source is at.
 * @param within bytes from the beginning of the record
 * @throws ReplayError when it is infinite or not a number
 */
function numberAt(source: Source, within: number, what: string): number {
  const value = source.view.getFloat32(source.at + within, true);
  if (!Number.isFinite(value)) source.refuse(`The ${what} is not a number.`, within);
  return value;
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
  yield* records(source, FRAME_BYTES, () => {
    const time = numberAt(source, 0, 'time of a frame');
    if (frames.count === 0) frames.firstTime = time;
    else if (time < frames.lastTime) frames.backwards += 1;
    else if (time - frames.lastTime > frames.longestGap) frames.longestGap = time - frames.lastTime;
    if (frames.count % SAMPLE_EVERY === 0 && !isPossible(source.view, source.at)) frames.oddPoses += 1;
    frames.lastTime = time;
    frames.count += 1;
  });
  return frames;
}

/** Whether the head and both hands of a frame have a possible position and rotation. */
function isPossible(view: DataView, frame: number): boolean {
  for (let pose = FIRST_POSE; pose < FRAME_BYTES; pose += POSE_BYTES) {
    for (let at = 0; at < POSE_BYTES; at += 4) {
      const most = at < POSITION_BYTES ? FARTHEST : MOST_ROTATION;
      // Also false for NaN.
      const isWithin = Math.abs(view.getFloat32(frame + pose + at, true)) < most;
      if (!isWithin) return false;
    }
  }
  return true;
}

function* readNotes(source: Source, notes: NoteEvents, onNote?: OnNote): Waiting<void> {
  const total = yield* count(source, NOTE_BYTES, MOST_EVENTS);
  while (notes.count < total) {
    if (source.available < NOTE_BYTES) yield* source.need(NOTE_BYTES);
    const id = source.view.getInt32(source.at, true);
    const kind = source.view.getInt32(source.at + 12, true);
    if (!isKnownNote(id)) source.refuse(`There is no note ${id}.`);
    const time = numberAt(source, 4, 'time of a note');
    numberAt(source, 8, 'time of a note');
    if (kind < NOTE_KIND.GOOD || kind > NOTE_KIND.BOMB)
      source.refuse(`Nothing of the kind ${kind} can happen to a note.`, 12);
    const hasCut = kind === NOTE_KIND.GOOD || kind === NOTE_KIND.BAD;
    const size = NOTE_BYTES + (hasCut ? CUT_BYTES : 0);
    if (source.available < size) yield* source.need(size);
    if (isBombId(id)) notes.add(time, id, NOTE_KIND.BOMB, NO_POINTS);
    else notes.add(time, id, kind, kind === NOTE_KIND.GOOD ? pointsAt(source, id) : NO_POINTS);
    onNote?.(source.view, source.at, size);
    source.at += size;
  }
}

/** The points of the good cut that the source is at. */
function pointsAt(source: Source, id: number): Points {
  const rating = (within: number) => numberAt(source, NOTE_BYTES + within, 'rating of a cut');
  return cutPoints(id, rating(CUT.BEFORE), rating(CUT.AFTER), rating(CUT.DISTANCE));
}

/** Sections that newer recorders add. Nothing reads their content, but their form has to be right. */
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
  const entries = yield* count(source, SHORTEST_ENTRY, MOST_ENTRIES);
  for (let nth = 0; nth < entries; nth += 1) {
    yield* skip(source, yield* count(source, 1, LONGEST_KEY));
    yield* skip(source, yield* count(source, 1));
  }
}

function* skip(source: Source, bytes: number): Waiting<void> {
  for (let left = bytes; left > 0; ) {
    yield* source.need(1);
    const step = Math.min(left, source.available);
    source.at += step;
    left -= step;
  }
}
