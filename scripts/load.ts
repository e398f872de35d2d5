import { figuresOf } from '../test/load/figures.ts';
import { runLoad } from '../test/load/run.ts';
import { commandLine, wrongUsage } from './command-line.ts';
import { writePage } from './load/page.ts';

const USAGE = `npm run load -- --players 200 --minutes 3 --nodes 2 --pace 10

Real processes, real sockets, and players who think, download, play, lose their connection, come back and upload as people
do. Prints what it cost and whether anything was lost; exits with 1 when anything was.

  --players N   who are online; 200
  --minutes M   how long they play; 3
  --nodes K     service processes on one database, with Redis where there is one; 1
  --pace P      life passes so many times as fast; 10
  --restarts    each node is restarted once, and one is killed
  --seed X      the same players again; the machine is not part of it
  --statements  shows which statements took most of the time of PostgreSQL
  --profile F   writes a processor profile of each process of the service into this folder
  --write       puts the table into docs/load.md and the picture into docs/load.svg`;

const { values } = commandLine(USAGE, {
  players: { type: 'string', default: '200' },
  minutes: { type: 'string', default: '3' },
  nodes: { type: 'string', default: '1' },
  pace: { type: 'string', default: '10' },
  restarts: { type: 'boolean', default: false },
  seed: { type: 'string', default: 'load' },
  statements: { type: 'boolean', default: false },
  profile: { type: 'string' },
  write: { type: 'boolean', default: false },
});
const players = Number(values.players);
const minutes = Number(values.minutes);
const nodes = Number(values.nodes);
const pace = Number(values.pace);
const complaints = [
  !Number.isInteger(players) || players < 2 ? '--players takes a whole number from 2.' : null,
  !(minutes > 0) ? '--minutes takes a number above 0.' : null,
  !Number.isInteger(nodes) || nodes < 1 ? '--nodes takes a whole number from 1.' : null,
  !(pace >= 1) ? '--pace takes a number from 1.' : null,
].filter((complaint) => complaint !== null);
if (complaints.length > 0) wrongUsage(complaints.join('\n'), USAGE);
// The harness ends all processes it started when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const result = await runLoad({
  ...{ players, minutes, nodes, pace },
  seed: values.seed,
  restarts: values.restarts,
  profiles: values.profile,
  onProgress: (line) => console.log(line),
});
const figures = figuresOf(result);
console.log(`\n${figures.title}`);
console.table(
  Object.fromEntries(
    figures.times.map(({ what, times, ...ms }) => [
      what,
      {
        times,
        ...Object.fromEntries(
          Object.entries(ms).map(([name, value]) => [name, Math.round((value ?? 0) * 10) / 10]),
        ),
      },
    ]),
  ),
);
for (const [what, value] of figures.others) console.log(`${what.padEnd(56)} ${value}`);
if (values.statements) {
  console.log('\nStatements by the time they took:');
  for (const { text, calls, totalMs, meanMs } of result.totals.heaviest)
    console.log(
      `${totalMs.toFixed(0).padStart(9)} ms  ${String(calls).padStart(8)} × ${meanMs.toFixed(2)} ms  ${text.slice(0, 160)}`,
    );
  console.log('\nTables scanned from end to end:');
  for (const { table, times, rows, live } of result.totals.scans)
    console.log(
      `${String(times).padStart(9)} × ${table}, ${(rows / times).toFixed(0)} rows each, ${live} in the end`,
    );
  console.log('\nWhat sessions of PostgreSQL waited for, on average at a time:');
  for (const [event, sessions] of result.totals.waits.slice(0, 10))
    console.log(`${sessions.toFixed(2).padStart(9)}  ${event}`);
}
if (figures.kinds.length > 0) {
  console.error('\nWhat was wrong, by kind:');
  for (const [kind, times] of figures.kinds.slice(0, 30))
    console.error(`${String(times).padStart(7)} × ${kind}`);
  console.error('\nThe first of them:');
  for (const problem of result.problems.slice(0, 30)) console.error(problem);
}
if (values.write) await writePage(result, figures);
process.exit(result.problems.length === 0 ? 0 : 1);
