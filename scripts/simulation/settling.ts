import { pair } from '../../src/domains/pairing/rules.ts';
import {
  afterMatch,
  isProvisional,
  NEWCOMER,
  type Strength,
  shownRating,
} from '../../src/domains/ratings/rules.ts';
import { chanceToWin } from './day.ts';
import { RULES } from './matchers.ts';
import { type Random, seeded } from './random.ts';
import { mean, quantile } from './statistics.ts';

/** How soon a newcomer's rating matches the player's strength. */

const MATCHES = 100;
const NEWCOMERS = 2000;
/** Few enough that opponents are not always the same, and about 80 points apart as on a whole day. */
const WAITING_AT_ONCE = 10;
/** `sigma` of somebody with about a hundred matches. */
const SETTLED_SIGMA = 2.3;
/** The typical gap between opponents under the windows, on the scale of `mu`: about 80 points. */
const USUAL_GAP = 80 / 30;

/** Milliseconds of waiting, a day: every window is wide enough by then, so everybody plays the same number of matches. */
const LATE = 86_400_000;

interface Learner {
  truth: number;
  believed: Strength;
}

/** After so many matches each: how far ratings are from the truth, in points. */
export interface Settled {
  matches: number;
  meanError: number;
  /** Nine in ten are nearer. */
  error90: number;
  /** How well the ratings match the true strengths on any scale: the correlation, at most 1. */
  correlation: number;
  /** The share still provisional, 0…1. */
  provisional: number;
}

const newcomers = (random: Random): Learner[] =>
  Array.from({ length: NEWCOMERS }, () => ({
    truth: NEWCOMER.mu + NEWCOMER.sigma * random.bell(),
    believed: NEWCOMER,
  }));

function settled(matches: number, learners: readonly Learner[]): Settled {
  const errors = learners.map(({ truth, believed }) =>
    Math.abs(shownRating(believed) - shownRating({ mu: truth })),
  );
  return {
    matches,
    correlation: correlation(
      learners.map(({ truth }) => truth),
      learners.map(({ believed }) => believed.mu),
    ),
    meanError: mean(errors),
    error90: quantile(errors, 0.9),
    provisional: learners.filter(({ believed }) => isProvisional(believed)).length / learners.length,
  };
}

/** Pearson's. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  const covariance = mean(a.map((value, at) => (value - meanA) * ((b[at] ?? 0) - meanB)));
  const variance = (values: readonly number[], middle: number) =>
    mean(values.map((value) => (value - middle) ** 2));
  const spread = Math.sqrt(variance(a, meanA) * variance(b, meanB));
  return spread === 0 ? 0 : covariance / spread;
}

function follow(learners: readonly Learner[], everybodyPlays: () => void): Settled[] {
  const found = [settled(0, learners)];
  for (let matches = 1; matches <= MATCHES; matches += 1) {
    everybodyPlays();
    found.push(settled(matches, learners));
  }
  return found;
}

const scoreOf = (random: Random, red: number, blue: number) =>
  random.even() < chanceToWin(red, blue) ? 1 : 0;

/** Newcomers are paired with settled players of about the same rating. */
export function amongSettled(seed: number): Settled[] {
  const random = seeded(seed);
  const learners = newcomers(random);
  return follow(learners, () => {
    for (const learner of learners) {
      const believed = { mu: learner.believed.mu + USUAL_GAP * random.bell(), sigma: SETTLED_SIGMA };
      const truth = believed.mu + SETTLED_SIGMA * random.bell();
      const score = scoreOf(random, learner.truth, truth);
      learner.believed = afterMatch(learner.believed, believed, score).red;
    }
  });
}

/** The first days of a season: everybody begins with 1000 and meets others who do. */
export function amongNewcomers(seed: number): Settled[] {
  const random = seeded(seed);
  const learners = newcomers(random);
  return follow(learners, () => {
    const shuffled = learners.map((learner) => ({ learner, at: random.even() })).sort((a, b) => a.at - b.at);
    for (let at = 0; at < shuffled.length; at += WAITING_AT_ONCE) {
      const waiting = shuffled.slice(at, at + WAITING_AT_ONCE).map(({ learner }, turn) => ({
        learner,
        playerGuid: String(at + turn),
        rating: shownRating(learner.believed),
        joinedAt: turn,
      }));
      const pairs = pair(waiting, { rules: RULES, now: LATE, recentEnd: () => null });
      for (const [{ learner: red }, { learner: blue }] of pairs) {
        const after = afterMatch(red.believed, blue.believed, scoreOf(random, red.truth, blue.truth));
        red.believed = after.red;
        blue.believed = after.blue;
      }
    }
  });
}
