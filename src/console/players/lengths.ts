import type { Shapes } from '../api.ts';
import { instantOrNone } from '../parts/instants.ts';

/** The lengths of a ban that can be chosen. */
export const LENGTHS = ['day', 'week', 'month', 'other', 'good'] as const;
export type Length = (typeof LENGTHS)[number];

const DAYS: Readonly<Partial<Record<Length, number>>> = { day: 1, week: 7, month: 30 };
const DAY_MS = 86_400_000;

/**
 * When a ban of this length ends.
 * @param other what a field for a day and time holds, for the length `other`
 * @param now milliseconds since 1970
 * @returns null: never; undefined: `other` is empty or no time
 */
export function endOf(length: Length, other: string, now: number): string | null | undefined {
  if (length === 'good') return null;
  const days = DAYS[length];
  return days === undefined ? instantOrNone(other) : new Date(now + days * DAY_MS).toISOString();
}

export const isInForce = ({ liftedAt, until }: Shapes['Ban']): boolean =>
  liftedAt === null && (until === null || Date.parse(until) > Date.now());
