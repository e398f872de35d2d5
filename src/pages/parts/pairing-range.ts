import { type PairingRules, windowAfter } from '../../domains/pairing/rules.ts';

/** The range of ratings in which a player is paired, by the rule of pairing itself. */
export interface PairingRange {
  /** Seconds of waiting. */
  seconds: number;
  lowest: number;
  highest: number;
}

/** The ratings that somebody of this rating meets after waiting so long, with somebody who has waited as long. */
export function rangeAfter(rules: PairingRules, rating: number, seconds: number): PairingRange {
  const gap = windowAfter(rules, seconds * 1000);
  // Ratings are integers, and a gap need not be one.
  return { seconds, lowest: Math.ceil(rating - gap), highest: Math.floor(rating + gap) };
}
