import type { Clock } from './clock.ts';

/** The most lines of one kind in a minute. */
const MOST_LINES = 5;
const EVERY_MS = 60_000;

/**
 * Limits the lines of events that clients can cause without limit.
 * @returns called before a line: how many lines of its kind were left out since the last one; null: leave this one out as
 * well. There are only a few kinds.
 */
export function sampleLines(clock: Clock): (kind: string) => { leftOut: number } | null {
  const kinds = new Map<string, { endsAt: number; written: number; leftOut: number }>();
  return (kind) => {
    const now = clock.now();
    const known = kinds.get(kind) ?? { endsAt: 0, written: 0, leftOut: 0 };
    kinds.set(kind, known);
    // No minute ends later than this, unless the clock was set back since it began.
    if (now >= known.endsAt || known.endsAt > now + EVERY_MS)
      Object.assign(known, { endsAt: now + EVERY_MS, written: 0 });
    if (known.written >= MOST_LINES) {
      known.leftOut += 1;
      return null;
    }
    const { leftOut } = known;
    Object.assign(known, { written: known.written + 1, leftOut: 0 });
    return { leftOut };
  };
}
