import { randomBytes, randomUUIDv7 } from 'node:crypto';

/** The time, as milliseconds since 1970 (UTC). Replaced in tests, where time is moved by hand. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Where seeds and other unpredictable bytes come from. Replaced in tests and in repeatable demos. */
export interface Randomness {
  bytes(length: number): Uint8Array;
}

export const systemRandomness: Randomness = { bytes: (length) => randomBytes(length) };

/** A new identifier: UUID version 7 (RFC 9562), so that primary keys grow with time. */
export const newGuid = (): string => randomUUIDv7();

/** ISO 8601 in UTC with milliseconds, the one form times have on the wire. */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
