/**
 * BSOR ("Beat Saber Open Replay") version 1, as its open specification and real files have it. Everything is
 * little-endian. Magic and version are followed by sections, each begun by a byte that names it.
 */

export const MAGIC = 0x442d3d69;
export const VERSION = 1;

/** In the order of the file. Those from `OFFSETS` on came later: older files end before them. */
export const SECTION = {
  INFO: 0,
  FRAMES: 1,
  NOTES: 2,
  WALLS: 3,
  HEIGHTS: 4,
  PAUSES: 5,
  OFFSETS: 6,
  USER_DATA: 7,
} as const;

/** Magic and version. */
export const HEAD_BYTES = 5;
/** float time, int fps, and position and rotation (7 floats) of the head and both hands. */
export const FRAME_BYTES = 92;
/** int id, float eventTime, float spawnTime, int kind. */
export const NOTE_BYTES = 16;
/** A good or bad cut follows the event with these bytes. */
export const CUT_BYTES = 72;
/** Where in it the three floats are that decide the points. */
export const CUT = { DISTANCE: 56, BEFORE: 64, AFTER: 68 } as const;
/** int id, float energy, float time, float spawnTime. */
export const WALL_BYTES = 16;
/** float height, float time. */
export const HEIGHT_BYTES = 8;
/** long duration, float time. */
export const PAUSE_BYTES = 12;
/** Position and rotation of both controllers. */
export const OFFSETS_BYTES = 56;

/** The kinds of events of a note. */
export const NOTE_KIND = { GOOD: 0, BAD: 1, MISS: 2, BOMB: 3 } as const;

/** The strings of the info section in their order; `score` stands between `difficulty` and `mode`. */
export const FIRST_STRINGS = [
  'version',
  'gameVersion',
  'timestamp',
  'playerID',
  'playerName',
  'platform',
  'tracking',
  'hmd',
  'controller',
  'hash',
  'songName',
  'mapper',
  'difficulty',
] as const;
export const LAST_STRINGS = ['mode', 'environment', 'modifiers'] as const;

/** The header of a replay. All of it is a claim. */
export interface ReplayInfo
  extends Record<(typeof FIRST_STRINGS)[number] | (typeof LAST_STRINGS)[number], string> {
  /** Before modifiers. */
  score: number;
  jumpDistance: number;
  leftHanded: boolean;
  /** Height of the player, in metres. */
  height: number;
  /** Seconds into the song; not 0 in practice. */
  startTime: number;
  /** Seconds into the song; 0: not failed. */
  failTime: number;
  /** Not 0 in practice. */
  speed: number;
}

/** The file is no replay, or an incomplete one. */
export class ReplayError extends Error {
  /** Where in the file the trouble begins. */
  readonly byteOffset: number;

  constructor(message: string, byteOffset: number) {
    super(message);
    this.name = 'ReplayError';
    this.byteOffset = byteOffset;
  }
}
