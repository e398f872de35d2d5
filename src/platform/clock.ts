/** The time, as whole milliseconds since 1970 (UTC). Replaced in tests, where time is moved by hand. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The source of seeds and other unpredictable bytes. Replaced in tests and in repeatable demos. */
export interface Randomness {
  bytes(length: number): Uint8Array;
}

export const systemRandomness: Randomness = {
  bytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};

/** The number of values of twelve bits. */
const COUNTED = 2 ** 12;
/** The last identifier: its milliseconds since 1970, the digits made of them, and its count within them. */
let madeAt = 0;
let prefix = '';
let count = COUNTED;

/** Whether a text is an identifier, as `newGuid` makes them. */
export const isGuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/**
 * A new identifier: UUID version 7, so that primary keys grow with time. Each is greater than the one before in this
 * process: identifiers within a millisecond are counted, and the time never goes back (RFC 9562, 6.2, method 1). When the
 * count of a millisecond is used up, the next millisecond begins early.
 */
export function newGuid(): string {
  const random = crypto.randomUUID();
  const now = Date.now();
  if (now > madeAt || count === COUNTED) {
    madeAt = Math.max(now, madeAt + 1);
    const time = madeAt.toString(16).padStart(12, '0');
    prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    // Not from zero, so that two processes rarely count alike.
    count = Number.parseInt(random.slice(0, 3), 16) % (COUNTED / 2);
  }
  const counted = (count++).toString(16).padStart(3, '0');
  // The rest of a random UUID: its variant and 62 random bits.
  return `${prefix}${counted}${random.slice(18)}`;
}

/** ISO 8601 in UTC with milliseconds, the one form times have on the wire. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const isoTimeOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : isoTime(milliseconds);
