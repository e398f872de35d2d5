import { type Config, loadConfig } from '../src/config.ts';
import { openSurroundings } from '../src/local/surroundings.ts';
import { type Database, openDatabase } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrations.ts';
import { benchCrowdEnds } from './crowd-ends.ts';
import { longestWaitOfCrowd, matchesOfCrowd } from './crowd-made.ts';
import { benchCrowdReturns } from './crowd-returns.ts';
import { type Bench, type BenchOptions, type Claim, measure } from './harness.ts';

const MADE_PER_SECOND = 250;
/** Seconds. Players of equal ratings may be paired at once, so they wait only for the service. */
const LONGEST_WAIT = 10;

async function inDatabase<T>(work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const around = await openSurroundings({ database: { durable: true } });
  const database = openDatabase({ url: around.databaseUrl });
  try {
    await migrate(around.databaseUrl);
    return await work(database, loadConfig(around.nodes[0].environment));
  } finally {
    await database.close();
    await around.stop();
  }
}

const benchMade: Bench = () =>
  inDatabase(async (database, config) => {
    const rates = await measure('Matches of a crowd', [matchesOfCrowd(database, config)]);
    return [...rates].map(([name, rate]) => ({
      text: `${name}, a second`,
      measured: rate,
      atLeast: MADE_PER_SECOND,
    }));
  });

const benchJoins: Bench = () =>
  inDatabase(async (database, config) => [
    {
      text: '2,000 join within ten seconds: the longest wait for a match, s',
      measured: await longestWaitOfCrowd(database, config),
      atMost: LONGEST_WAIT,
    },
  ]);

/** Crowds on one node; two processors for everything are enough. */
export const parts: Record<string, Bench> = {
  returns: benchCrowdReturns,
  joins: benchJoins,
  made: benchMade,
  ends: benchCrowdEnds,
};

export async function bench(options: BenchOptions = {}): Promise<Claim[]> {
  const claims: Claim[] = [];
  for (const part of Object.values(parts)) claims.push(...(await part(options)));
  return claims;
}
