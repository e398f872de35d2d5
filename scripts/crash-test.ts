import { parseArgs } from 'node:util';
import { type CrashTestResult, runCrashTest } from '../test/crash/run.ts';

/**
 * `npm run crash-test -- --kills 200 --seed anything`: kills real service processes at random moments and
 * at fault points while players play, and examines what is left. Exits with 1 when anything is wrong.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now()) },
    players: { type: 'string', default: '24' },
  },
});
const kills = Number(values.kills);
const players = Number(values.players);
const { seed } = values;
if (![kills, players].every((number) => Number.isInteger(number) && number >= 2)) {
  console.error('--kills and --players take whole numbers from 2.');
  process.exit(1);
}

const run = async (name: string, nodes: number, share: number): Promise<[string, CrashTestResult]> => [
  name,
  await runCrashTest({
    nodes,
    players,
    kills: share,
    seed: `${seed} ${name}`,
    onProgress: (line) => console.log(`${name}: ${line}`),
  }),
];

console.log(`Crash test with seed ${seed}: ${kills} kills, ${players} players in each arena.`);
const half = Math.ceil(kills / 2);
const results = await Promise.all([run('one node', 1, half), run('two nodes', 2, kills - half)]);
console.log('Fifty matches between two nodes, nothing killed.');
const quiet = await runCrashTest({ nodes: 2, players, kills: 0, matches: 50, seed: `${seed} quiet` });
results.push(['fifty matches', quiet]);

console.table(
  Object.fromEntries(
    results.map(([name, { deaths, reasons, problems, ...rest }]) => [
      name,
      {
        ...rest,
        seconds: Math.round(rest.seconds),
        ...deaths,
        ends: JSON.stringify(reasons),
        problems: problems.length,
      },
    ]),
  ),
);
const problems = results.flatMap(([name, result]) => result.problems.map((problem) => `${name}: ${problem}`));
for (const problem of problems.slice(0, 50)) console.error(problem);
console.log(problems.length === 0 ? 'Nothing was lost.' : `${problems.length} problems.`);
process.exit(problems.length === 0 ? 0 : 1);
