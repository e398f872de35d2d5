import { type Variable, variables } from '../../src/config-variables.ts';

/**
 * `--pace P` lets life pass P times as fast: each duration of players, curators and visitors is divided by it, and so
 * is what the service waits for them. The table has all variables of the service that follow the pace.
 *
 * Durations of the machinery stay as they are: heartbeats, timeouts of the database and of handshakes, pings, and the
 * constants of the rules (a grace of at least 10 s, a queue place kept for 15 s, 15 s left after an outage). The limit
 * of `playing` follows the length of the map, which knows no pace, so it is P times as long as in life.
 */
interface Paced {
  variable: Variable;
  /** The effect of the pace on the default. */
  by: 'divided' | 'multiplied';
  /** Below this the machine decides who is in time, not the player. */
  least?: number;
}

/** A limit that players have to meet is never shorter: a busy machine needs some of it. */
const LEAST_LIMIT_SECONDS = 3;
/** A player who loses the connection before joining connects again within 5 s, and may wait 5 s more for admission. */
const LEAST_JOIN_SECONDS = 10;

const PACED: readonly Paced[] = [
  { variable: variables.joinMs, by: 'divided', least: LEAST_JOIN_SECONDS },
  { variable: variables.discardMs, by: 'divided', least: LEAST_LIMIT_SECONDS },
  { variable: variables.pickMs, by: 'divided', least: LEAST_LIMIT_SECONDS },
  { variable: variables.prepareMs, by: 'divided', least: LEAST_LIMIT_SECONDS },
  { variable: variables.scoreGraceMs, by: 'divided', least: LEAST_LIMIT_SECONDS },
  { variable: variables.countdownMs, by: 'divided' },
  { variable: variables.roundResultsMs, by: 'divided' },
  { variable: variables.reconnectGraceMs, by: 'divided' },
  { variable: variables.reconnectBudgetMs, by: 'divided', least: 60 },
  { variable: variables.rematchMs, by: 'divided' },
  { variable: variables.penaltyFirstMs, by: 'divided' },
  { variable: variables.matchmakingIntervalMs, by: 'divided', least: 50 },
  { variable: variables.drainDelayMs, by: 'divided' },
  // A song is played in a share of its length.
  { variable: variables.scoreEarliestShare, by: 'divided' },
  // Commands, uploads and connections of a player come more often.
  { variable: variables.rateLimitFactor, by: 'multiplied' },
];

export interface PacedValue {
  name: string;
  life: number;
  value: number;
}

/** Each variable with its value in life and at this pace. */
export const pacedValues = (pace: number): PacedValue[] =>
  PACED.map(({ variable, by, least = 0 }) => {
    const life = Number(variable.default);
    const value = by === 'divided' ? Math.max(life / pace, least) : life * pace;
    return { name: variable.name, life, value: Number(value.toPrecision(6)) };
  });

/** The variables of a node at this pace. */
export const pacedEnvironment = (pace: number): Record<string, string> =>
  Object.fromEntries(pacedValues(pace).map(({ name, value }) => [name, String(value)]));

/** The pairing rules of the queue: a window grows by the second, so it grows faster. */
export const pacedPairing = (pace: number) => ({
  initialGap: 150,
  gapPerSecond: Math.min(1000, 10 * pace),
  maxGap: null,
});
