import type { Clock } from './clock.ts';

/** Of lines that say the same, so many are written in a minute. */
const MOST_LINES = 5;
const EVERY_MS = 60_000;

/**
 * Keeps what somebody may bring about as often as they like from filling the log.
 * @returns asked before a line: how many of its kind were left out since the last one, or null when it is one of
 * them. Kinds are names of ours, of which there are few.
 */
export function sampleLines(clock: Clock): (kind: string) => { leftOut: number } | null {
  const kinds = new Map<string, { endsAt: number; written: number; leftOut: number }>();
  return (kind) => {
    const now = clock.now();
    const known = kinds.get(kind) ?? { endsAt: 0, written: 0, leftOut: 0 };
    kinds.set(kind, known);
    if (now >= known.endsAt) Object.assign(known, { endsAt: now + EVERY_MS, written: 0 });
    if (known.written >= MOST_LINES) {
      known.leftOut += 1;
      return null;
    }
    const { leftOut } = known;
    Object.assign(known, { written: known.written + 1, leftOut: 0 });
    return { leftOut };
  };
}
