import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { commandLine, wrongUsage } from './command-line.ts';
import { summarise } from './test-summary.ts';

const root = path.join(import.meta.dirname, '..');
const BUSY_PROCESSES = 4;
const DATES = {
  /** Midnight and the end of a month come while the tests run, on a day that most years do not have. */
  'leap-day': '2028-02-29 23:59:00',
  later: '2030-06-30 12:00:00',
} as const;
const PARTS = ['busy', ...Object.keys(DATES)];

const USAGE = `npm run test-conditions -- [part …]

\`npm test\` three times in a row on a machine that is busy with something else, and once each under two other dates. No test
gets a second attempt. Debian's faketime gives the dates, also to PostgreSQL and every process that the tests start. It does
not change the times of files, Redis, or timers of PostgreSQL such as statement_timeout.

  part             ${PARTS.join(', ')}; all of them without any
  --runs N         how often a busy machine is tried; 3
  --files F        only these tests; may be repeated`;

const { positionals, values } = commandLine(
  USAGE,
  {
    runs: { type: 'string', default: '3' },
    files: { type: 'string', multiple: true, default: [] },
  },
  true,
);
const wanted = positionals.length > 0 ? positionals : PARTS;
const runs = Number(values.runs);
const unknown = wanted.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) wrongUsage(`There is no part ${unknown.join()}.`, USAGE);
if (!(runs >= 1)) wrongUsage('--runs takes a number from 1.', USAGE);
if (wanted.some((part) => part !== 'busy') && spawnSync('faketime', ['--version']).error) {
  console.error('There is no faketime on the PATH: apt-get install faketime');
  process.exit(1);
}

let testing: ChildProcess | undefined;
const busy: ChildProcess[] = [];
const rest = (): void => {
  for (const child of busy.splice(0)) child.kill();
};
process.on('exit', rest);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    testing?.kill(signal);
    process.exit(1);
  });

/** @returns how it went, in a line, and whether it went well */
async function test(name: string, wrapper: readonly string[]): Promise<{ line: string; ok: boolean }> {
  const report = path.join(root, 'reports', `${name}.json`);
  mkdirSync(path.dirname(report), { recursive: true });
  rmSync(report, { force: true });
  const options = ['--retry=0', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const [program = 'npm', ...args] = [...wrapper, 'npm', 'test', '--', ...options, ...values.files];
  console.log(`\n== ${name} ==`);
  const startedAt = performance.now();
  const code = await new Promise<number | null>((resolve) => {
    // The wrapper reads its date in the zone of the machine.
    testing = spawn(program, args, { cwd: root, stdio: 'inherit', env: { ...process.env, TZ: 'UTC' } });
    testing.once('close', resolve);
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  let counted = 'no report';
  try {
    counted = summarise(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    // It ended before it could write one.
  }
  const ok = code === 0;
  return { ok, line: `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(12)}  ${counted}, ${seconds} s` };
}

const results: Awaited<ReturnType<typeof test>>[] = [];
for (const part of wanted) {
  if (part === 'busy') {
    for (let nth = 0; nth < BUSY_PROCESSES; nth += 1)
      busy.push(spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
    for (let run = 1; run <= runs; run += 1) results.push(await test(`busy-${run}`, []));
    rest();
  } else results.push(await test(part, ['faketime', DATES[part as keyof typeof DATES]]));
}
console.log('');
for (const { line } of results) console.log(line);
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
