import { randomBytes } from 'node:crypto';

/** The time, as whole milliseconds since 1970 (UTC). Replaced in tests, where time is moved by hand. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Where seeds and other unpredictable bytes come from. Replaced in tests and in repeatable demos. */
export interface Randomness {
  bytes(length: number): Uint8Array;
}

export const systemRandomness: Randomness = { bytes: (length) => randomBytes(length) };

/** What twelve bits can count. */
const COUNTED = 2 ** 12;
/** Digits of the random part of an identifier, the variant among them. */
const DIGITS = 16;
const VARIANTS = '89ab';
/** Of the last identifier: its milliseconds since 1970, the digits made of them, and its count within them. */
let madeAt = 0;
let prefix = '';
let count = COUNTED;
/** Random digits not used so far are those from `used` on. */
let random = '';
let used = 0;

/** Takes random digits, which are fetched for many identifiers at once. */
function randomDigits(length: number): string {
  if (used + length > random.length) {
    random = randomBytes(4096).toString('hex');
    used = 0;
  }
  used += length;
  return random.slice(used - length, used);
}

/**
 * A new identifier: UUID version 7, so that primary keys grow with time, and each of this process greater than
 * the one before: what is made within a millisecond is counted, and the time never goes back (RFC 9562, 6.2,
 * method 1). Where a millisecond does not suffice to count in, the next is begun early.
 */
export function newGuid(): string {
  const now = Date.now();
  if (now > madeAt || count === COUNTED) {
    madeAt = Math.max(now, madeAt + 1);
    const time = madeAt.toString(16).padStart(12, '0');
    prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    // Not from zero, so that two processes rarely count alike.
    count = Number.parseInt(randomDigits(3), 16) % (COUNTED / 2);
  }
  const counted = count.toString(16).padStart(3, '0');
  count += 1;
  const digits = randomDigits(DIGITS);
  const variant = VARIANTS[Number.parseInt(digits[0] ?? '', 16) % VARIANTS.length];
  return `${prefix}${counted}-${variant}${digits.slice(1, 4)}-${digits.slice(4)}`;
}

/** ISO 8601 in UTC with milliseconds, the one form times have on the wire. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const isoTimeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : isoTime(milliseconds);
