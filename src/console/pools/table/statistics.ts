import type { Shapes } from '../../api.ts';

export type MapStatistics = Shapes['MapStatistics'];

/** How much oftener the player who picked a map wins its round than the ratings say, as a share of the rounds. */
export interface Edge {
  edge: number;
  /** Half of the interval that holds the true edge in 95 of 100 cases. */
  margin: number;
  /** Whether the interval leaves out 0: chance alone hardly makes this edge. */
  isCertain: boolean;
}

/** Quantile of the normal distribution for 95 %. */
const QUANTILE = 1.96;

/**
 * The picker's edge of a map. Its variance is at most that of as many rounds with the mean chance (rounds of unequal
 * chances vary less), so the margin is rather too wide than too narrow.
 * @returns null before the first round that counted
 */
export function edgeOf({ played, wonByPicker, expectedWonByPicker }: MapStatistics): Edge | null {
  if (played === 0) return null;
  const edge = (wonByPicker - expectedWonByPicker) / played;
  const chance = Math.min(1, Math.max(0, expectedWonByPicker / played));
  const margin = QUANTILE * Math.sqrt((chance * (1 - chance)) / played);
  return { edge, margin, isCertain: Math.abs(edge) > margin };
}

/** Identifies a map in another pool: a copy has other guids. */
const nameOf = ({
  key,
  characteristic,
  difficulty,
}: Record<'key' | 'characteristic' | 'difficulty', string>) => `${key}/${characteristic}/${difficulty}`;

/** Finds the statistics of a map by key and difficulty. */
export function statisticsByMap({ maps }: Shapes['PoolStatistics']) {
  const byName = new Map(maps.map((map) => [nameOf(map), map]));
  return (map: Parameters<typeof nameOf>[0]): MapStatistics | null => byName.get(nameOf(map)) ?? null;
}
