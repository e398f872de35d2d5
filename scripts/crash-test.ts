import { FAULTS, type Fault } from '../test/crash/faults.ts';
import { type CrashTestOptions, type CrashTestResult, runCrashTest } from '../test/crash/run.ts';
import { hasFaketime } from '../test/harness/faketime.ts';
import { hasRedis } from '../test/harness/redis.ts';
import { commandLine, wrongUsage } from './command-line.ts';

const USAGE = `npm run crash-test -- --kills 200 --seed anything

Real service processes are killed at random moments and at fault points, stopped, cut off from their database and from Redis
while players play; then the checker decides whether anything was lost. Exits with 1 when anything is wrong.

  --kills N      how often a process dies; 200, with --clocks 0
  --nodes K      only an arena of K nodes; else one of one node and one of two, side by side
  --faults a,b   what else goes wrong, of ${FAULTS.join(', ')}; all of them
  --clocks S     the last node's clock is S seconds ahead: fifty matches with equal clocks, fifty with these
  --players P    players in each arena; 24
  --seed X       the same random choices again; the speed of the processes still differs`;

const { values } = commandLine(USAGE, {
  kills: { type: 'string' },
  nodes: { type: 'string' },
  faults: { type: 'string', default: FAULTS.join() },
  clocks: { type: 'string', default: '0' },
  players: { type: 'string', default: '24' },
  seed: { type: 'string', default: String(Date.now()) },
});
const clockSeconds = Number(values.clocks);
const kills = Number(values.kills ?? (clockSeconds === 0 ? 200 : 0));
const players = Number(values.players);
const nodes = values.nodes === undefined ? null : Number(values.nodes);
const faults = values.faults.split(',').filter((name) => name !== '') as Fault[];
const { seed } = values;

/** A limit may come this much further from its due time by clocks that differ, at the 99th percentile. */
const CLOCKS_MAY_COST_MS = 50;
const WORST_LIMIT_MS = 1000;
const MATCHES = 50;

const complaints = [
  !Number.isInteger(kills) || kills < 0 ? '--kills takes a whole number.' : null,
  !Number.isInteger(players) || players < 2 ? '--players takes a whole number from 2.' : null,
  nodes !== null && (!Number.isInteger(nodes) || nodes < 1) ? '--nodes takes a whole number from 1.' : null,
  !Number.isFinite(clockSeconds) ? '--clocks takes seconds.' : null,
  ...faults.map((fault) =>
    FAULTS.includes(fault) ? null : `--faults knows ${FAULTS.join()}, not ${fault}.`,
  ),
].filter((complaint) => complaint !== null);
if (complaints.length > 0) wrongUsage(complaints.join('\n'), USAGE);
// The harness ends all processes it started when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const results: [string, CrashTestResult][] = [];
const problems: string[] = [];

async function run(
  name: string,
  about: Omit<CrashTestOptions, 'players' | 'seed'>,
): Promise<CrashTestResult> {
  const result = await runCrashTest({
    ...about,
    players,
    seed: `${seed} ${name}`,
    onProgress: (line) => console.log(`${name}: ${line}`),
  });
  const { matches, acrossNodes, seconds } = result;
  console.log(
    `${name}: ${matches} matches, ${acrossNodes} of them between nodes, ${result.problems.length} problems, ` +
      `${Math.round(seconds)} s`,
  );
  results.push([name, result]);
  problems.push(...result.problems.map((problem) => `${name}: ${problem}`));
  return result;
}

/** Kills and everything else that goes wrong, in one arena or in two side by side. */
async function runKills(): Promise<void> {
  if (kills === 0) return;
  const about = (nodes: number, kills: number): Omit<CrashTestOptions, 'players' | 'seed'> => ({
    nodes,
    kills,
    faults,
    clockSeconds: hasFaketime ? clockSeconds : 0,
    // With fewer matches the run proves nothing.
    matches: Math.ceil(kills / 5),
  });
  if (nodes !== null) {
    await run(`${nodes} node${nodes === 1 ? '' : 's'}`, about(nodes, kills));
    return;
  }
  const half = Math.ceil(kills / 2);
  await Promise.all([run('one node', about(1, half)), run('two nodes', about(2, kills - half))]);
}

/** Limits that pass in every round, so that there are some hundred of them to measure. */
const MEASURED = { COUNTDOWN_SECONDS: '1', ROUND_RESULTS_SECONDS: '1' };

async function runClocks(): Promise<void> {
  const about = { nodes: Math.max(2, nodes ?? 2), kills: 0, matches: MATCHES, environment: MEASURED };
  const equal = (await run('equal clocks', about)).lateness;
  const apart = (await run(`${clockSeconds} s apart`, { ...about, clockSeconds })).lateness;
  const busy =
    equal.worstMs > WORST_LIMIT_MS
      ? `; with equal clocks one came ${equal.worstMs} ms late: this machine is too busy to measure it`
      : '';
  if (apart.p99Ms > equal.p99Ms + CLOCKS_MAY_COST_MS)
    problems.push(
      `limits come ${apart.p99Ms} ms from their due time (99 %), with equal clocks ${equal.p99Ms}${busy}`,
    );
  if (apart.worstMs > WORST_LIMIT_MS)
    problems.push(`a limit came ${apart.worstMs} ms from its due time${busy}`);
}

console.log(`Crash test with seed ${seed}: ${kills} kills, ${players} players in each arena.`);
if (faults.includes('redis') && !hasRedis)
  console.log('Skipped: redis, there is no redis-server on the PATH.');
if (clockSeconds !== 0 && !hasFaketime) console.log('Skipped: --clocks, there is no faketime on the PATH.');
await runKills();
if (clockSeconds !== 0 && hasFaketime) await runClocks();
else if (nodes !== 1) {
  console.log(`${MATCHES} matches between ${nodes ?? 2} nodes, nothing killed.`);
  await run('undisturbed', { nodes: nodes ?? 2, kills: 0, matches: MATCHES });
}

console.table(
  Object.fromEntries(
    results.map(([name, { deaths, disturbances, reasons, lateness, problems, ...rest }]) => [
      name,
      {
        ...rest,
        seconds: Math.round(rest.seconds),
        ...deaths,
        ...disturbances,
        limitsP99Ms: lateness.p99Ms,
        limitsWorstMs: lateness.worstMs,
        ends: JSON.stringify(reasons),
        problems: problems.length,
      },
    ]),
  ),
);
for (const problem of problems.slice(0, 50)) console.error(problem);
console.log(problems.length === 0 ? 'Nothing was lost.' : `${problems.length} problems.`);
process.exit(problems.length === 0 ? 0 : 1);
