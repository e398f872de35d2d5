import { createHash } from 'node:crypto';
import type { Randomness } from '../platform/clock.ts';

/**
 * Randomness that repeats: SHA-256 in counter mode over the seed. For demonstrations and tests only: the seed gives
 * every deal away.
 */
export function seededRandomness(seed: string): Randomness & { fraction(): number } {
  let counter = 0;
  const block = () => createHash('sha256').update(`${seed} ${counter++}`).digest();
  return {
    bytes: (length) => {
      const blocks = Array.from({ length: Math.ceil(length / 32) }, block);
      return Buffer.concat(blocks).subarray(0, length);
    },
    /** Uniform in 0 ≤ x < 1. */
    fraction: () => block().readUInt32BE(0) / 2 ** 32,
  };
}
