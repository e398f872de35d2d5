import { gzipSync } from 'node:zlib';
import { type Play, playMap } from '../../src/local/play.ts';

/** Plays of each map, made before the run: while it runs nobody has time for that. */
export interface Plays {
  /** The play whose accuracy comes next to this one. */
  of(map: { hash: string }, accuracy: number): Prepared;
}
export type Prepared = Omit<Play, 'replay'> & { file: Buffer };

export interface PoolMap {
  hash: string;
  name: string;
  characteristic: string;
  difficulty: string;
  modifiers: string[];
  durationSeconds: number;
  maxScore: number;
}

/** From here to the best one, in equal steps. */
const LEAST_ACCURACY = 0.7;
const MOST_ACCURACY = 0.98;

/** @param variants plays of each map; with more of them fewer rounds end equal */
export function preparePlays(maps: readonly PoolMap[], variants: number): Plays {
  const step = (MOST_ACCURACY - LEAST_ACCURACY) / Math.max(1, variants - 1);
  const prepared = new Map(
    maps.map((map) => [
      map.hash,
      Array.from({ length: variants }, (_, nth): Prepared => {
        const { replay, ...score } = playMap({
          map,
          player: { platformId: '0', name: 'Player' },
          accuracy: LEAST_ACCURACY + nth * step,
          seed: `load ${nth}`,
          startedAt: Date.now(),
          gameVersion: '1.40.0_load',
        });
        return { ...score, file: gzipSync(replay, { level: 1 }) };
      }),
    ]),
  );
  return {
    of: ({ hash }, accuracy) => {
      const plays = prepared.get(hash);
      const nth = Math.round((accuracy - LEAST_ACCURACY) / step) || 0;
      const play = plays?.[Math.min(variants - 1, Math.max(0, nth))];
      if (play === undefined) throw new Error(`Nobody prepared a play of ${hash}.`);
      return play;
    },
  };
}
