import { commandLine, wrongUsage } from '../scripts/command-line.ts';
import { type Bench, isKept } from './harness.ts';

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

async function find(name: string): Promise<Bench> {
  const [topic = '', part] = name.split('/');
  const load = topics[topic];
  if (load === undefined) return wrongUsage(`There is no topic ${topic}.`, USAGE);
  const { bench, parts = {} } = await load();
  if (part === undefined) return bench;
  const found = parts[part];
  if (found === undefined)
    return wrongUsage(`The tables of ${topic} are ${Object.keys(parts).join(', ')}, not ${part}.`, USAGE);
  return found;
}

const USAGE = `npm run bench -- [topic …]

Measures, and exits with 1 when a promised number is not reached.

  topic         ${Object.keys(topics).join(', ')}; all without any. topic/table is one table of a topic, such as matches/commands
  --seconds S, --rounds R   shorter, for topics whose rounds take long, such as hostile/senders
  --history N   what a history of so many matches costs (matches, reads)`;

const { positionals: names, values } = commandLine(
  USAGE,
  {
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    history: { type: 'string' },
  },
  true,
);
const options = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
if (Object.values(options).some((value) => !(value >= 1))) wrongUsage('Options take a number from 1.', USAGE);
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
