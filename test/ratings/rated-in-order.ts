import {
  afterMatch,
  type CountedMatch,
  NEWCOMER,
  type Strength,
  type StrengthChange,
} from '../../src/domains/ratings/rules.ts';

/** The rule of a ladder, written down naively: its matches one after another, from the first one on. */
export function ratedInOrder<Match extends CountedMatch>(
  matches: readonly Match[],
): { match: Match; red: StrengthChange; blue: StrengthChange }[] {
  const now = new Map<string, Strength>();
  return matches.map((match) => {
    const before = { red: now.get(match.red) ?? NEWCOMER, blue: now.get(match.blue) ?? NEWCOMER };
    const after = match.score === null ? before : afterMatch(before.red, before.blue, match.score);
    now.set(match.red, after.red).set(match.blue, after.blue);
    return {
      match,
      red: { before: before.red, after: after.red },
      blue: { before: before.blue, after: after.blue },
    };
  });
}
