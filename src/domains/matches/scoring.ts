import { matchErrors } from './errors.ts';
import type { MatchMap, Score } from './state.ts';

/** The value of a play, and whether its numbers are possible. Source: docs/rules.md, *Scores*. */

/** Speed of the song under a modifier, in hundredths. */
const SPEED: Record<string, number> = { SS: 80, FS: 120, SFS: 150 };

/** The share that a modifier adds to the score, in hundredths. NF counts only when it was triggered. */
const BONUS: Record<string, number> = {
  NW: -5,
  NB: -10,
  NA: -30,
  SS: -30,
  FS: 8,
  SFS: 10,
  DA: 7,
  GN: 11,
  ZM: -100,
};
const NO_FAIL_TRIGGERED = -50;

/** How long the map takes under its modifiers, in milliseconds, rounded up. */
export function playingMs({ durationSeconds, modifiers }: MatchMap): number {
  const speed = modifiers.map((code) => SPEED[code]).find((percent) => percent !== undefined) ?? 100;
  return Math.ceil((durationSeconds * 1000 * 100) / speed);
}

/** Players may pause a map: scores are waited for this many times its playing time, plus the grace. */
const PATIENCE = 1.5;

/** Until when the scores of a map are waited for that started at this time; milliseconds since 1970. */
export const scoresDueAt = (map: MatchMap, startedAt: number, graceMs: number): number =>
  startedAt + Math.ceil(PATIENCE * playingMs(map)) + graceMs;

/**
 * The score after modifiers: floor(rawScore × (1 + Σ)), Σ not below −1. Counted in whole hundredths, since
 * 1 + .08 + .07 is not 1.15 in binary fractions. 1,000,000 with FS and DA: 1,000,000 × 115 ÷ 100.
 */
export function modifiedScoreOf(
  rawScore: number,
  modifiers: readonly string[],
  noFailTriggered: boolean,
): number {
  const sum = modifiers.reduce((total, code) => total + (BONUS[code] ?? 0), 0);
  const percent = 100 + sum + (noFailTriggered ? NO_FAIL_TRIGGERED : 0);
  return Math.floor((rawScore * Math.max(0, percent)) / 100);
}

/** 0…1; half of it when the play went on only by No Fail. */
export const accuracyOf = (map: MatchMap, { rawScore, noFailTriggered }: Score): number =>
  rawScore / map.maxScore / (noFailTriggered ? 2 : 1);

/**
 * Refuses a score that cannot be true.
 * @param playedMs time since the map started, milliseconds
 * @param earliestShare share of the playing time that a play which did not fail takes at least
 * @throws SCORE_IMPOSSIBLE saying what does not fit
 */
export function requirePossible(map: MatchMap, score: Score, playedMs: number, earliestShare: number): void {
  const refuse = (message: string): never => {
    throw matchErrors.SCORE_IMPOSSIBLE({ message });
  };
  const { rawScore, modifiedScore, missCount, badCutCount, fullCombo, noFailTriggered, failed } = score;
  if (rawScore < 0 || rawScore > map.maxScore)
    refuse(`rawScore ${rawScore} is not within 0 and ${map.maxScore}, the maximum score of this map.`);
  if (noFailTriggered && !map.modifiers.includes('NF'))
    refuse('No Fail cannot be triggered: this map is played without it.');
  if (fullCombo && missCount + badCutCount > 0)
    refuse(`A full combo cannot have ${missCount} misses and ${badCutCount} bad cuts.`);
  const expected = modifiedScoreOf(rawScore, map.modifiers, noFailTriggered);
  if (modifiedScore !== expected)
    refuse(
      `modifiedScore ${modifiedScore} does not follow from rawScore ${rawScore}: it would be ${expected}.`,
    );
  const earliestMs = earliestShare * playingMs(map);
  if (!failed && playedMs < earliestMs)
    refuse(
      `A finished score after ${(playedMs / 1000).toFixed(1)} s is too early: this map takes at least ${(earliestMs / 1000).toFixed(1)} s.`,
    );
}
