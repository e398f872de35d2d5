import { parseArgs } from 'node:util';
import { type Bench, isKept } from './harness.ts';

/**
 * `npm run bench -- pairing matches`: measures, and fails when a promised number is not reached.
 * `npm run bench -- matches/commands`: only one table of a topic that has several.
 * `npm run bench -- hostile/senders --seconds 5 --rounds 1`: shorter, for a topic whose rounds take long.
 * `npm run bench -- matches reads --history 1000000`: what a history of so many matches costs.
 */

const topics: Record<string, () => Promise<{ bench: Bench; parts?: Record<string, Bench> }>> = {
  pairing: () => import('./pairing.ts'),
  matches: () => import('./matches.ts'),
  reads: () => import('./reads.ts'),
  live: () => import('./live.ts'),
  auth: () => import('./auth.ts'),
  downloads: () => import('./downloads.ts'),
  replays: () => import('./replays.ts'),
  hostile: () => import('./hostile.ts'),
  crowd: () => import('./crowd.ts'),
  feed: () => import('./feed.ts'),
  audit: () => import('./audit.ts'),
};

/** @throws RangeError when there is no such topic, or no such table in it */
async function find(name: string): Promise<Bench> {
  const [topic = '', part] = name.split('/');
  const load = topics[topic];
  if (load === undefined)
    throw new RangeError(`There is '${Object.keys(topics).join("', '")}', no '${topic}'.`);
  const { bench, parts = {} } = await load();
  if (part === undefined) return bench;
  const found = parts[part];
  if (found === undefined)
    throw new RangeError(
      `The tables of '${topic}' that run alone are '${Object.keys(parts).join("', '")}', not '${part}'.`,
    );
  return found;
}

const { positionals: names, values } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string' }, rounds: { type: 'string' }, history: { type: 'string' } },
});
const options = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
if (Object.values(options).some((value) => !(value >= 1))) throw new RangeError('Numbers of 1 or more.');
if (names.length === 0) names.push(...Object.keys(topics));
for (const name of names) {
  const bench = await find(name);
  const claims = await bench(options);
  console.log('');
  for (const claim of claims) {
    const bound = claim.atLeast === undefined ? `at most ${claim.atMost}` : `at least ${claim.atLeast}`;
    console.log(
      `${isKept(claim) ? 'kept  ' : 'MISSED'}  ${claim.text}: ${claim.measured.toFixed(3)} (${bound})`,
    );
    if (!isKept(claim)) process.exitCode = 1;
  }
}
