import { FIRST_STRINGS, LAST_STRINGS, ReplayError, type ReplayInfo } from './format.ts';

/** Bytes, or UTF-16 units of old recorders. Longer than any name or title; the recorders themselves stop at a tenth of it. */
const LONGEST_STRING = 4096;
/** jumpDistance, leftHanded, height, startTime, failTime, speed. */
const TAIL_BYTES = 21;

/** A part of a file. */
export interface Span {
  /** Bytes from the beginning of the file. */
  at: number;
  length: number;
}

export interface InfoSection {
  info: ReplayInfo;
  /** Bytes of the section. */
  length: number;
  /** The player's name with its length before it, and the player's height. */
  spans: { playerName: Span; height: Span };
}

/** How many bytes a string has whose length says `length`; null when that is not known yet. */
type Measure = (bytes: Uint8Array, start: number, length: number) => number | null;

const inBytes: Measure = (_bytes, _start, length) => length;

/** Bytes of the UTF-8 sequence a byte begins; 0: it begins none. */
const sequenceLength = (byte: number): number =>
  byte < 0x80 ? 1 : byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;

/** Old recorders counted UTF-16 units, as C# strings do, and wrote UTF-8. */
const inUnits: Measure = (bytes, start, length) => {
  let at = start;
  for (let units = 0; units < length; ) {
    const byte = bytes[at];
    if (byte === undefined) return null;
    const size = sequenceLength(byte);
    if (size === 0) throw new ReplayError('A text is not UTF-8.', at);
    units += size === 4 ? 2 : 1;
    at += size;
  }
  return at - start;
};

const utf8 = new TextDecoder('utf-8');

/**
 * Reads the info section.
 * @param bytes from the beginning of the section on
 * @param offset of these bytes in the file
 * @returns null while the section is longer than the bytes that have come
 * @throws ReplayError
 */
export function readInfo(bytes: Uint8Array, offset: number): InfoSection | null {
  let refusal: unknown;
  for (const measure of [inBytes, inUnits]) {
    try {
      return readInfoAs(bytes, offset, measure);
    } catch (error) {
      // The lengths may count UTF-16 units. If both readings fail, the error of the first one is thrown.
      refusal ??= error;
    }
  }
  throw refusal;
}

function readInfoAs(bytes: Uint8Array, offset: number, measure: Measure): InfoSection | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  /** Whether so many bytes are there. */
  const has = (length: number) => at + length <= bytes.length;

  const text = () => {
    if (!has(4)) return null;
    const told = view.getInt32(at, true);
    if (told < 0 || told > LONGEST_STRING)
      throw new ReplayError(`A text cannot have the length ${told}.`, offset + at);
    const length = measure(bytes, at + 4, told);
    // A zero byte shows that the length is wrong: it reaches into the next field. This is noticed before the whole text has
    // arrived.
    const zero = bytes.subarray(at + 4, length === null ? undefined : at + 4 + length).indexOf(0);
    if (zero >= 0) throw new ReplayError('A text has a zero byte in it.', offset + at + 4 + zero);
    if (length === null || !has(4 + length)) return null;
    at += 4 + length;
    return utf8.decode(bytes.subarray(at - length, at));
  };
  const number = (what: string) => {
    const value = view.getFloat32(at, true);
    if (!Number.isFinite(value)) throw new ReplayError(`The ${what} is not a number.`, offset + at);
    at += 4;
    return value;
  };

  const info: Partial<ReplayInfo> = {};
  const spans: Partial<InfoSection['spans']> = {};
  for (const name of FIRST_STRINGS) {
    const start = at;
    const value = text();
    if (value === null) return null;
    info[name] = value;
    if (name === 'playerName') spans.playerName = { at: offset + start, length: at - start };
  }
  if (!has(4)) return null;
  info.score = view.getInt32(at, true);
  at += 4;
  for (const name of LAST_STRINGS) {
    const value = text();
    if (value === null) return null;
    info[name] = value;
  }
  if (!has(TAIL_BYTES)) return null;
  // No check uses it, so any value is accepted.
  info.jumpDistance = view.getFloat32(at, true);
  at += 4;
  const hand = view.getUint8(at);
  if (hand > 1) throw new ReplayError(`\`leftHanded\` cannot be ${hand}.`, offset + at);
  info.leftHanded = hand === 1;
  at += 1;
  spans.height = { at: offset + at, length: 4 };
  info.height = number('height');
  info.startTime = number('start time');
  info.failTime = number('fail time');
  info.speed = number('speed');
  return { info: info as ReplayInfo, length: at, spans: spans as InfoSection['spans'] };
}
