import {
  CUT,
  CUT_BYTES,
  FIRST_STRINGS,
  FRAME_BYTES,
  HEIGHT_BYTES,
  LAST_STRINGS,
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

export interface Cut {
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

/** What a replay is written from. */
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

/** Bytes that are filled in order. */
class Sheet {
  readonly bytes: Buffer;
  at = 0;

  constructor(length: number) {
    this.bytes = Buffer.alloc(length);
  }

  byte(value: number): void {
    this.at = this.bytes.writeUInt8(value, this.at);
  }
  int(value: number): void {
    this.at = this.bytes.writeInt32LE(value, this.at);
  }
  long(value: bigint): void {
    this.at = this.bytes.writeBigInt64LE(value, this.at);
  }
  floats(...values: readonly number[]): void {
    for (const value of values) this.at = this.bytes.writeFloatLE(value, this.at);
  }
}

const prefixed = (value: Uint8Array): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32LE(value.length);
  return Buffer.concat([length, value]);
};

const text = (value: string): Buffer => prefixed(Buffer.from(value, 'utf8'));

function infoSection(info: ReplayInfo): Buffer {
  const score = new Sheet(4);
  score.int(info.score);
  const tail = new Sheet(21);
  tail.floats(info.jumpDistance);
  tail.byte(info.leftHanded ? 1 : 0);
  tail.floats(info.height, info.startTime, info.failTime, info.speed);
  return Buffer.concat([
    Buffer.of(SECTION.INFO),
    ...FIRST_STRINGS.map((name) => text(info[name])),
    score.bytes,
    ...LAST_STRINGS.map((name) => text(info[name])),
    tail.bytes,
  ]);
}

/** A section of records of one size. */
function section<R>(
  id: number,
  size: number,
  items: readonly R[],
  write: (sheet: Sheet, item: R) => void,
): Buffer {
  const sheet = new Sheet(5 + size * items.length);
  sheet.byte(id);
  sheet.int(items.length);
  for (const item of items) write(sheet, item);
  return sheet.bytes;
}

const hasCut = ({ kind }: NoteEvent): boolean => kind === NOTE_KIND.GOOD || kind === NOTE_KIND.BAD;

function noteSection(notes: readonly NoteEvent[]): Buffer {
  const size = notes.reduce((sum, note) => sum + NOTE_BYTES + (hasCut(note) ? CUT_BYTES : 0), 0);
  const sheet = new Sheet(5 + size);
  sheet.byte(SECTION.NOTES);
  sheet.int(notes.length);
  for (const note of notes) {
    sheet.int(note.id);
    sheet.floats(note.time, note.spawnTime);
    sheet.int(note.kind);
    if (!hasCut(note)) continue;
    const { before, after, distance } = note.cut ?? { before: 0, after: 0, distance: 1 };
    const cut = sheet.at;
    // speedOK, directionOK, saberTypeOK; wasCutTooSoon stays false. All else of a cut stays 0.
    if (note.kind === NOTE_KIND.GOOD) sheet.bytes.fill(1, cut, cut + 3);
    sheet.bytes.writeFloatLE(distance, cut + CUT.DISTANCE);
    sheet.bytes.writeFloatLE(before, cut + CUT.BEFORE);
    sheet.bytes.writeFloatLE(after, cut + CUT.AFTER);
    sheet.at = cut + CUT_BYTES;
  }
  return sheet.bytes;
}

/** The parts of the file in their order: magic and version, then its sections. */
export function replaySections(draft: ReplayDraft): Buffer[] {
  const head = new Sheet(5);
  head.int(MAGIC);
  head.byte(VERSION);
  const { frames = [], notes = [], walls = [], heights = [], pauses = [], offsets, userData } = draft;
  const parts = [
    head.bytes,
    infoSection(draft.info),
    section(SECTION.FRAMES, FRAME_BYTES, frames, (sheet, { time, fps, head: pose, left, right }) => {
      sheet.floats(time);
      sheet.int(fps);
      sheet.floats(...pose, ...left, ...right);
    }),
    noteSection(notes),
    section(SECTION.WALLS, WALL_BYTES, walls, (sheet, { id, energy, time, spawnTime }) => {
      sheet.int(id);
      sheet.floats(energy, time, spawnTime);
    }),
    section(SECTION.HEIGHTS, HEIGHT_BYTES, heights, (sheet, { height, time }) => sheet.floats(height, time)),
    section(SECTION.PAUSES, PAUSE_BYTES, pauses, (sheet, { duration, time }) => {
      sheet.long(duration);
      sheet.floats(time);
    }),
  ];
  if (offsets) {
    const sheet = new Sheet(1 + OFFSETS_BYTES);
    sheet.byte(SECTION.OFFSETS);
    sheet.floats(...offsets.left, ...offsets.right);
    parts.push(sheet.bytes);
  }
  if (userData) {
    const entries = Object.entries(userData);
    const sheet = new Sheet(5);
    sheet.byte(SECTION.USER_DATA);
    sheet.int(entries.length);
    parts.push(
      Buffer.concat([sheet.bytes, ...entries.flatMap(([key, value]) => [text(key), prefixed(value)])]),
    );
  }
  return parts;
}

/** A replay as a file. */
export const writeReplay = (draft: ReplayDraft): Buffer => Buffer.concat(replaySections(draft));
