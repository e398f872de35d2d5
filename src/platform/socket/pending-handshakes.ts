import { networksOf } from '../address.ts';
import { BOUNDS } from '../limits.ts';

/**
 * Counts the open connections of each address whose handshake is not done, because each costs memory for a while.
 * @param factor of the rates: above 1 it multiplies the bound; 0: no bound
 */
export function countPendingHandshakes(factor: number) {
  const most = factor === 0 ? Number.POSITIVE_INFINITY : BOUNDS.pendingHandshakes.value * Math.max(1, factor);
  const counts = new Map<string, number>();
  return {
    /** Whether the address, or the network around it, has as many as it may have. */
    isFull: (address: string): boolean =>
      networksOf(address).some(({ name, share }) => (counts.get(name) ?? 0) >= most * share),
    /** Counts a connection. @returns ends the count of this one; further calls do nothing */
    begin: (address: string): (() => void) => {
      const names = networksOf(address).map(({ name }) => name);
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
      return () => {
        for (const name of names.splice(0)) {
          const left = (counts.get(name) ?? 1) - 1;
          if (left > 0) counts.set(name, left);
          else counts.delete(name);
        }
      };
    },
  };
}
