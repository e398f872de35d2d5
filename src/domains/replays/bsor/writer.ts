import {
  CUT,
  CUT_BYTES,
  FIRST_STRINGS,
  LAST_STRINGS,
  MAGIC,
  NOTE_KIND,
  type ReplayInfo,
  SECTION,
  VERSION,
} from './format.ts';

/** Position x, y, z in metres; rotation x, y, z, w. */
export type Pose = readonly [number, number, number, number, number, number, number];

export interface Frame {
  /** Seconds into the song. */
  time: number;
  fps: number;
  head: Pose;
  left: Pose;
  right: Pose;
}

interface Cut {
  /** Shares of the swing before and after the cut, 1 and more: all of it. */
  before: number;
  after: number;
  /** Metres from the middle of the note; 0.3 and more give nothing. */
  distance: number;
}

export interface NoteEvent {
  id: number;
  /** Seconds into the song. */
  time: number;
  spawnTime: number;
  /** One of NOTE_KIND; `cut` belongs to a good and a bad one. */
  kind: number;
  cut?: Cut;
}

/** The content of a replay to write. */
export interface ReplayDraft {
  info: ReplayInfo;
  frames?: readonly Frame[];
  notes?: readonly NoteEvent[];
  walls?: readonly { id: number; energy: number; time: number; spawnTime: number }[];
  heights?: readonly { height: number; time: number }[];
  pauses?: readonly { duration: bigint; time: number }[];
  /** Sections that only newer recorders write. */
  offsets?: { left: Pose; right: Pose };
  userData?: Readonly<Record<string, Uint8Array>>;
}

const byte = (value: number): Buffer => Buffer.of(value);
function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}
function long(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(value);
  return bytes;
}
function floats(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  let at = 0;
  for (const value of values) at = bytes.writeFloatLE(value, at);
  return bytes;
}
const prefixed = (value: Uint8Array): Buffer => Buffer.concat([int(value.length), value]);
const text = (value: string): Buffer => prefixed(Buffer.from(value, 'utf8'));

/** The section with the score, the second one of a file. */
export const infoSection = (info: ReplayInfo): Buffer =>
  Buffer.concat([
    byte(SECTION.INFO),
    ...FIRST_STRINGS.map((name) => text(info[name])),
    int(info.score),
    ...LAST_STRINGS.map((name) => text(info[name])),
    floats(info.jumpDistance),
    byte(info.leftHanded ? 1 : 0),
    floats(info.height, info.startTime, info.failTime, info.speed),
  ]);

/** A section of records. @param write the parts of a record */
const section = <R>(id: number, items: readonly R[], write: (item: R) => Buffer[]): Buffer =>
  Buffer.concat([byte(id), int(items.length), ...items.flatMap(write)]);

function cutOf({ kind, cut = { before: 0, after: 0, distance: 1 } }: NoteEvent): Buffer[] {
  if (kind !== NOTE_KIND.GOOD && kind !== NOTE_KIND.BAD) return [];
  const bytes = Buffer.alloc(CUT_BYTES);
  // speedOK, directionOK, saberTypeOK; wasCutTooSoon stays false. All else of a cut stays 0.
  if (kind === NOTE_KIND.GOOD) bytes.fill(1, 0, 3);
  bytes.writeFloatLE(cut.distance, CUT.DISTANCE);
  bytes.writeFloatLE(cut.before, CUT.BEFORE);
  bytes.writeFloatLE(cut.after, CUT.AFTER);
  return [bytes];
}

/** The parts of the file in their order: magic and version, then its sections. */
export function replaySections(draft: ReplayDraft): Buffer[] {
  const { frames = [], notes = [], walls = [], heights = [], pauses = [], offsets, userData } = draft;
  const entries = Object.entries(userData ?? {});
  return [
    Buffer.concat([int(MAGIC), byte(VERSION)]),
    infoSection(draft.info),
    section(SECTION.FRAMES, frames, ({ time, fps, head, left, right }) => [
      floats(time),
      int(fps),
      floats(...head, ...left, ...right),
    ]),
    section(SECTION.NOTES, notes, (note) => [
      int(note.id),
      floats(note.time, note.spawnTime),
      int(note.kind),
      ...cutOf(note),
    ]),
    section(SECTION.WALLS, walls, ({ id, energy, time, spawnTime }) => [
      int(id),
      floats(energy, time, spawnTime),
    ]),
    section(SECTION.HEIGHTS, heights, ({ height, time }) => [floats(height, time)]),
    section(SECTION.PAUSES, pauses, ({ duration, time }) => [long(duration), floats(time)]),
    ...(offsets ? [Buffer.concat([byte(SECTION.OFFSETS), floats(...offsets.left, ...offsets.right)])] : []),
    ...(userData
      ? [section(SECTION.USER_DATA, entries, ([key, value]) => [text(key), prefixed(value)])]
      : []),
  ];
}

/** A replay as a file. */
export const writeReplay = (draft: ReplayDraft): Buffer => Buffer.concat(replaySections(draft));
