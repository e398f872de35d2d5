/**
 * Weng and Lin's Bayesian approximation for the Bradley-Terry model (Journal of Machine Learning Research
 * 12, 2011, algorithm 1) for two players. `docs/ratings.md` explains it with worked numbers; ADR 0023 says why it
 * is written out here.
 */

/** The estimate of a player's strength: a normal distribution with mean `mu` and standard deviation `sigma`. */
export interface Strength {
  mu: number;
  sigma: number;
}

export const NEWCOMER: Strength = { mu: 25, sigma: 25 / 3 };

/** Spread of a player's form from one match to the next. */
const BETA = 25 / 6;
/** Doubt added before every match, so that a strength can always change. */
const TAU = 25 / 300;
/** The least share of a variance that one match leaves. */
const KAPPA = 0.0001;

const SHOWN_START = 1000;
/**
 * Shown points for one point of `mu`. With 30, a lead of 200 points between settled players wins about
 * three matches in four, which is what 200 points mean on the scale of chess.
 */
const SHOWN_PER_MU = 30;

/** Three quarters of a newcomer's doubt: between equals, the tenth match ends it. */
const SETTLED_SIGMA = (NEWCOMER.sigma * 3) / 4;

/** The shown rating of a strength: an integer, 1000 for a newcomer. */
export const shownRating = ({ mu }: Pick<Strength, 'mu'>): number =>
  Math.round(SHOWN_START + (mu - NEWCOMER.mu) * SHOWN_PER_MU);

/** The shown rating of a player who has none in a queue and season. */
export const NEWCOMER_RATING = shownRating(NEWCOMER);

export const isProvisional = ({ sigma }: Pick<Strength, 'sigma'>): boolean => sigma > SETTLED_SIGMA;

/** Red's share of the match: 1 won, 0.5 drawn, 0 lost. */
export type MatchScore = 1 | 0.5 | 0;

/** A strength before a match: with the doubt that time has added. */
const withDoubt = ({ mu, sigma }: Strength): Strength => ({
  mu,
  sigma: Math.sqrt(sigma * sigma + TAU * TAU),
});

/** The spread of the difference between two players, their doubts and forms taken together. */
const spreadOf = (one: Strength, other: Strength): number =>
  Math.sqrt(one.sigma * one.sigma + other.sigma * other.sigma + 2 * BETA ** 2);

const expectation = (one: Strength, other: Strength, spread: number): number =>
  1 / (1 + Math.exp((other.mu - one.mu) / spread));

/** The share of a match that the model expects `one` to win, 0…1. */
export function expectedScore(one: Strength, other: Strength): number {
  const [a, b] = [withDoubt(one), withDoubt(other)];
  return expectation(a, b, spreadOf(a, b));
}

/**
 * Algorithm 1 for one of two players, with the paper's own choice of gamma, sigma ÷ c. The order of the operations
 * decides the last bits of what is stored: a ladder that is rated again has to come to the same numbers.
 */
function updated(one: Strength, other: Strength, score: number): Strength {
  const variance = one.sigma * one.sigma;
  const c = spreadOf(one, other);
  const expected = expectation(one, other, c);
  const step = variance / c;
  const gamma = Math.sqrt(variance) / c;
  const delta = ((gamma * step) / c) * expected * (1 - expected);
  return {
    mu: one.mu + step * (score - expected),
    sigma: one.sigma * Math.sqrt(Math.max(1 - delta, KAPPA)),
  };
}

/** Both strengths after a match. A draw moves them towards each other. */
export function afterMatch(
  red: Strength,
  blue: Strength,
  score: MatchScore,
): { red: Strength; blue: Strength } {
  const [one, other] = [withDoubt(red), withDoubt(blue)];
  return { red: updated(one, other, score), blue: updated(other, one, 1 - score) };
}

/** The part of a match from which ratings are computed. `score` is that of red; null when the match does not count. */
export interface CountedMatch {
  /** `playerGuid` of either seat. */
  red: string;
  blue: string;
  score: MatchScore | null;
}

export interface StrengthChange {
  before: Strength;
  after: Strength;
}

/** The changes of both strengths by a match; without a score they stay. */
export function changesBy(
  { red, blue }: { red: Strength; blue: Strength },
  score: MatchScore | null,
): { red: StrengthChange; blue: StrengthChange } {
  const after = score === null ? { red, blue } : afterMatch(red, blue, score);
  return { red: { before: red, after: after.red }, blue: { before: blue, after: after.blue } };
}

/** An ended match with its stored changes; null: there are none, because it has not counted so far. */
export interface MatchToRate extends CountedMatch {
  stored: { red: StrengthChange; blue: StrengthChange } | null;
}

/** A match that is rated again; null: the player's strength before it is the stored one, and the match does not count. */
export interface RatedAgain<Match> {
  match: Match;
  red: StrengthChange | null;
  blue: StrengthChange | null;
}

export const isSameStrength = (one: Strength, other: Strength): boolean =>
  one.mu === other.mu && one.sigma === other.sigma;

export const isSameChange = (one: StrengthChange, other: StrengthChange): boolean =>
  isSameStrength(one.before, other.before) && isSameStrength(one.after, other.after);

/**
 * Rates matches of a ladder again, each player's in order, after some players' strengths have come out differently.
 * @param changed these strengths just before the first of the matches, by player; afterwards those that differ from the
 *   stored ones just after the last of them
 * @returns the matches of players whose strengths differ; all others come out as they are stored
 */
export function rateAgain<Match extends MatchToRate>(
  matches: readonly Match[],
  changed: Map<string, Strength>,
): RatedAgain<Match>[] {
  const unmoved = (strength: Strength | undefined) =>
    strength ? { before: strength, after: strength } : null;
  return matches.flatMap((match) => {
    const [red, blue] = [changed.get(match.red), changed.get(match.blue)];
    if (red === undefined && blue === undefined) return [];
    if (match.score === null) return [{ match, red: unmoved(red), blue: unmoved(blue) }];
    const { stored } = match;
    if (stored === null) throw new Error('A match that counts has not been rated.');
    const before = { red: red ?? stored.red.before, blue: blue ?? stored.blue.before };
    const changes = changesBy(before, match.score);
    for (const seat of ['red', 'blue'] as const) {
      const { after } = changes[seat];
      if (isSameStrength(after, stored[seat].after)) changed.delete(match[seat]);
      else changed.set(match[seat], after);
    }
    return [{ match, ...changes }];
  });
}

export interface Tally {
  wins: number;
  losses: number;
  draws: number;
  /** Wins since the last match that was not won. */
  winStreak: number;
}

export const EMPTY_TALLY: Tally = { wins: 0, losses: 0, draws: 0, winStreak: 0 };

/** The tally after one more match with this share of it. */
export const counted = ({ wins, losses, draws, winStreak }: Tally, score: MatchScore): Tally => ({
  wins: wins + Number(score === 1),
  losses: losses + Number(score === 0),
  draws: draws + Number(score === 0.5),
  winStreak: score === 1 ? winStreak + 1 : 0,
});

/**
 * Ranks of consecutive rows of a ladder in standard competition ranking (1, 2, 2, 4).
 * @param better players with a higher rating than the first row.
 * @param before players listed before the first row: the better ones, and equals that come first.
 */
export function ranks(rows: readonly { rating: number }[], better: number, before: number): number[] {
  let rank = better + 1;
  return rows.map((row, index) => {
    const previous = rows[index - 1];
    if (previous !== undefined && previous.rating !== row.rating) rank = before + index + 1;
    return rank;
  });
}
