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

const run = async (
  name: string,
  about: { nodes: number; kills: number; matches?: number },
): Promise<[string, CrashTestResult]> => {
  const result = await runCrashTest({
    ...about,
    players,
    seed: `${seed} ${name}`,
    onProgress: (line) => console.log(`${name}: ${line}`),
  });
  const { matches, problems, seconds } = result;
  console.log(`${name}: ${matches} matches, ${problems.length} problems, ${Math.round(seconds)} s`);
  return [name, result];
};

console.log(`Crash test with seed ${seed}: ${kills} kills, ${players} players in each arena.`);
const half = Math.ceil(kills / 2);
const results = await Promise.all([
  run('one node', { nodes: 1, kills: half }),
  run('two nodes', { nodes: 2, kills: kills - half }),
]);
console.log('Fifty matches between two nodes, nothing killed.');
results.push(await run('fifty matches', { nodes: 2, kills: 0, matches: 50 }));

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
