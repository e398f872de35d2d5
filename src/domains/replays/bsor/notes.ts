/** In all columns. */
const BYTES_OF_NOTE = 11;

/** The note events of a replay as columns: some thousand small objects would cost ten times the memory. */
export class NoteEvents {
  count = 0;
  /** Seconds into the song, in the order of the file. */
  times = new Float32Array(64);
  ids = new Int32Array(64);
  /** One of `NOTE_KIND`. */
  kinds = new Uint8Array(64);
  /** Points of a good cut; two bounds, see {@link cutPoints}. */
  least = new Uint8Array(64);
  most = new Uint8Array(64);

  /** Bytes the columns take. */
  get memory(): number {
    return this.times.length * BYTES_OF_NOTE;
  }

  /** Grows with the events that are read, not with the number that the file claims. */
  add(time: number, id: number, kind: number, points: Points): void {
    if (this.count === this.times.length) this.#grow();
    const at = this.count++;
    this.times[at] = time;
    this.ids[at] = id;
    this.kinds[at] = kind;
    this.least[at] = points.least;
    this.most[at] = points.most;
  }

  #grow(): void {
    const grown = <A extends Float32Array | Int32Array | Uint8Array>(column: A, longer: A) => {
      longer.set(column);
      return longer;
    };
    const length = this.times.length * 2;
    this.times = grown(this.times, new Float32Array(length));
    this.ids = grown(this.ids, new Int32Array(length));
    this.kinds = grown(this.kinds, new Uint8Array(length));
    this.least = grown(this.least, new Uint8Array(length));
    this.most = grown(this.most, new Uint8Array(length));
  }
}

/** Most points of each part of a swing, and what is given for nothing. */
interface Scoring {
  before: number;
  after: number;
  centre: number;
  given: number;
}

const plain: Scoring = { before: 70, after: 30, centre: 15, given: 0 };
const afterGiven: Scoring = { before: 70, after: 0, centre: 15, given: 30 };
const beforeGiven: Scoring = { before: 0, after: 30, centre: 15, given: 70 };
const bothGiven: Scoring = { before: 0, after: 0, centre: 15, given: 100 };
const chainHead: Scoring = { before: 70, after: 0, centre: 15, given: 0 };
const chainLink: Scoring = { before: 0, after: 0, centre: 0, given: 20 };
const nothing: Scoring = { before: 0, after: 0, centre: 0, given: 0 };

/**
 * By scoring type, as the game numbers them plus two. The recorders write 0 where they know none. An arc gives
 * one half of the swing at each of its ends.
 */
const SCORING: readonly (Scoring | undefined)[] = [
  plain, // unknown
  undefined, // ignored
  nothing, // without score
  plain,
  afterGiven, // arc head
  beforeGiven, // arc tail
  chainHead,
  chainLink,
  bothGiven, // arc head and tail
  bothGiven, // chain head and arc tail
  chainLink, // chain link and arc head
  afterGiven, // chain head and arc head
  bothGiven, // chain head, arc head and tail
];

/** The id of a note is its scoring type × 10,000 + line × 1000 + layer × 100 + colour × 10 + direction. */
const TYPE_UNIT = 10_000;

/** Recorders of modded maps use longer ids, to have room for lines beyond the four: above those of the last type. */
const scoringType = (id: number): number =>
  Math.trunc(id / (id < SCORING.length * TYPE_UNIT ? TYPE_UNIT : 1000 * TYPE_UNIT));

/** Whether an id is one the game can make. */
export const isKnownNote = (id: number): boolean => id >= -1 && scoringType(id) < SCORING.length;

/** Old recorders wrote a bomb as a note without colour or direction: its id is −1 plus a multiple of 10. */
export const isBombId = (id: number): boolean => id === -1 || (id > 0 && id < 100_000 && id % 10 === 9);

/** Whether the game counts this event: not for an ignored note, and not for one without score. */
export const isScored = (id: number): boolean => {
  const scoring = SCORING[scoringType(Math.max(0, id))];
  return scoring !== undefined && scoring !== nothing;
};

/** The most that a note can give. */
export function mostPoints(id: number): number {
  const { before, after, centre, given } = SCORING[scoringType(Math.max(0, id))] ?? nothing;
  return before + after + centre + given;
}

/** Whether a note counts as one of the map's notes: the links of a chain do not. */
export const isWholeNote = (id: number): boolean => SCORING[scoringType(id)] !== chainLink;

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

export interface Points {
  least: number;
  most: number;
}

export const NO_POINTS: Points = { least: 0, most: 0 };

/** Within this of a half a float32 does not show to which side the game rounded. */
const HALF_TOLERANCE = 1e-5;

function rounded(exact: number): Points {
  const whole = Math.floor(exact);
  const share = exact - whole;
  return {
    least: whole + (share > 0.5 + HALF_TOLERANCE ? 1 : 0),
    most: whole + (share >= 0.5 - HALF_TOLERANCE ? 1 : 0),
  };
}

/**
 * The points of a good cut: round(70 × before) + round(30 × after) + round(15 × (1 − distance ÷ 0.3)), each
 * within 0…1, with what the scoring type gives for nothing. Exactly between two integers the game's rounding
 * depends on the order of its 32-bit operations, so both are possible: hence two bounds, nearly always equal.
 */
export function cutPoints(id: number, before: number, after: number, distance: number): Points {
  const scoring = SCORING[scoringType(id)] ?? nothing;
  const parts = [
    rounded(scoring.before * clamp(before)),
    rounded(scoring.after * clamp(after)),
    rounded(scoring.centre * (1 - clamp(distance / 0.3))),
  ];
  return {
    least: parts.reduce((sum, part) => sum + part.least, scoring.given),
    most: parts.reduce((sum, part) => sum + part.most, scoring.given),
  };
}
