import type { Clock } from './clock.ts';
import { windowLimit } from './rate-limit.ts';

/** The most lines of one kind in a minute. */
const LINES = { most: 5, everyMs: 60_000 };

/**
 * Limits the lines of events that clients can cause without limit.
 * @returns called before a line: how many lines of its kind were left out since the last one; null: leave this one out as
 * well. There are only a few kinds.
 */
export function sampleLines(clock: Clock): (kind: string) => { leftOut: number } | null {
  const lines = windowLimit('lines', LINES, { factor: 1, clock, redis: null });
  const leftOut = new Map<string, number>();
  return (kind) => {
    const before = leftOut.get(kind) ?? 0;
    const isWritten = lines.take(kind) === 0;
    leftOut.set(kind, isWritten ? 0 : before + 1);
    return isWritten ? { leftOut: before } : null;
  };
}
