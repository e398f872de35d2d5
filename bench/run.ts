import { type Bench, isKept } from './harness.ts';

/** `npm run bench -- pairing matches`: measures, and fails when a promised number is not reached. */

const benches: Record<string, () => Promise<{ bench: Bench }>> = {
  pairing: () => import('./pairing.ts'),
  matches: () => import('./matches.ts'),
  reads: () => import('./reads.ts'),
  live: () => import('./live.ts'),
  auth: () => import('./auth.ts'),
  downloads: () => import('./downloads.ts'),
  replays: () => import('./replays.ts'),
};

const names = process.argv.slice(2);
if (names.length === 0) names.push(...Object.keys(benches));
for (const name of names) {
  const load = benches[name];
  if (load === undefined)
    throw new RangeError(`There is '${Object.keys(benches).join("', '")}', no '${name}'.`);
  const { bench } = await load();
  const claims = await bench();
  console.log('');
  for (const claim of claims) {
    const bound = claim.atLeast === undefined ? `at most ${claim.atMost}` : `at least ${claim.atLeast}`;
    console.log(
      `${isKept(claim) ? 'kept  ' : 'MISSED'}  ${claim.text}: ${claim.measured.toFixed(3)} (${bound})`,
    );
    if (!isKept(claim)) process.exitCode = 1;
  }
}
