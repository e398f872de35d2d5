import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { NOTE_KIND, readReplay } from '../../src/domains/replays/index.ts';
import { type Play, playMap } from '../../src/local/play.ts';

/** Plays of each map, made before the run, because making them takes processor time. */
export interface Plays {
  /** The play whose accuracy is nearest to this one. */
  of(map: { hash: string; maxScore: number }, accuracy: number): Prepared;
}

export interface Prepared {
  score: Omit<Play, 'replay'>;
  /** The replay as it is uploaded. Each call makes other bytes, so that no upload counts as a copy. */
  file(): Promise<Buffer>;
}

export interface PoolMap {
  hash: string;
  name: string;
  characteristic: string;
  difficulty: string;
  modifiers: string[];
  durationSeconds: number;
  maxScore: number;
}

/** Mean accuracy of the cuts, from the worst play to the best one; misses cost more. */
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
        return { score, file: variationsOf(replay) };
      }),
    ]),
  );
  return {
    of: ({ hash, maxScore }, accuracy) => {
      const distance = ({ score }: Prepared) => Math.abs(score.rawScore / maxScore - accuracy);
      const [play] = prepared.get(hash)?.toSorted((a, b) => distance(a) - distance(b)) ?? [];
      if (play === undefined) throw new Error(`Nobody prepared a play of ${hash}.`);
      return play;
    },
  };
}

const compressed = promisify(gzip);
const LEVEL = { level: 1 };

/** Bytes of a note, and of what a cut adds. */
const NOTE_BYTES = 16;
const CUT_BYTES = 72;
/** Sections without records, behind the notes: walls, heights, pauses. */
const TAIL_BYTES = 15;
/** Behind four flags: how fast the saber was, which decides no points. */
const SPEED_IN_CUT = 4;

/**
 * A file of gzip may have several members (RFC 1952, 2.2), so what is the same in all variations is compressed once.
 * @returns makes a file whose first cut was done at another speed each time
 */
function variationsOf(replay: Buffer): () => Promise<Buffer> {
  const { notes } = readReplay(replay);
  const kinds = Array.from({ length: notes.count }, (_, nth) => notes.kinds[nth]);
  const isCut = (kind: number | undefined) => kind === NOTE_KIND.GOOD || kind === NOTE_KIND.BAD;
  const sizes = kinds.map((kind) => NOTE_BYTES + (isCut(kind) ? CUT_BYTES : 0));
  const from = replay.length - TAIL_BYTES - sizes.reduce((sum, size) => sum + size, 0);
  const before = sizes.slice(0, kinds.findIndex(isCut)).reduce((sum, size) => sum + size, 0);
  const speedAt = from + before + NOTE_BYTES + SPEED_IN_CUT;
  const head = gzipSync(replay.subarray(0, speedAt), LEVEL);
  const tail = gzipSync(replay.subarray(speedAt + Float32Array.BYTES_PER_ELEMENT), LEVEL);
  return async () => {
    const speed = Buffer.alloc(Float32Array.BYTES_PER_ELEMENT);
    speed.writeFloatLE(5 + Math.random() * 20);
    return Buffer.concat([head, await compressed(speed, LEVEL), tail]);
  };
}
