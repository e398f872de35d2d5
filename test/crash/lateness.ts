import { statesOf } from '../../src/domains/matches/play.ts';
import { RULEBOOK } from '../../src/domains/matches/rulebook.ts';
import type { MatchState } from '../../src/domains/matches/state.ts';
import type { StoredMatch } from '../history/check.ts';
import type { Note } from '../history/recording.ts';

/** How far from its due time limits passed, in milliseconds, early ones counted like late ones. */
export interface Lateness {
  limits: number;
  p99Ms: number;
  worstMs: number;
}

/**
 * Compares when each limit was due with when the first player was told that it had passed, by the clock of the
 * clients: the clocks of the nodes are not used.
 * @param origin what the clock of the notes counts from, milliseconds since 1970
 */
export function latenessOf(
  matches: readonly StoredMatch[],
  told: readonly (Note & { kind: 'told' })[],
  origin: number = performance.timeOrigin,
): Lateness {
  const firstTold = new Map<string, number>();
  for (const { at, shown } of told) {
    const key = `${shown.matchGuid} ${shown.version}`;
    if (!firstTold.has(key)) firstTold.set(key, origin + at);
  }
  const gaps = matches.flatMap(({ matchGuid, log, state: { rulesVersion } }) => {
    const rules = RULEBOOK.of(rulesVersion);
    let states: MatchState[] = [];
    try {
      states = statesOf(log, rules);
    } catch {
      // The checker of histories says what is wrong with such a log.
    }
    return log.flatMap(({ event }, at) => {
      const state = states[at - 1];
      const seenAt = firstTold.get(`${matchGuid} ${at + 1}`);
      const due = event.type === 'limitPassed' && state ? rules.dueAt(state) : null;
      return due === null || seenAt === undefined ? [] : Math.abs(seenAt - due);
    });
  });
  const inOrder = gaps.toSorted((a, b) => a - b);
  return {
    limits: gaps.length,
    p99Ms: Math.round(inOrder[Math.ceil(inOrder.length * 0.99) - 1] ?? 0),
    worstMs: Math.round(inOrder.at(-1) ?? 0),
  };
}
