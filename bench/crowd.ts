import { benchCrowdReturns } from './crowd-returns.ts';
import type { Bench, BenchOptions, Claim } from './harness.ts';

/** Ten thousand players on one node, on two processors for everything. */
export const parts: Record<string, Bench> = {
  returns: benchCrowdReturns,
};

export async function bench(options: BenchOptions = {}): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const part of Object.values(parts)) claims.push(...(await part(options)));
  return claims;
}
