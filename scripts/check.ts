import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** `npm run check`: everything that must hold of the repository besides its tests. All checks run, also after a failure. */
const checks: [name: string, command: string, ...args: string[]][] = [
  ['types', 'tsc', '--noEmit'],
  ['lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['boundaries', 'node', 'scripts/boundaries.ts'],
  ['dead code', 'knip'],
  ['documents', 'node', 'scripts/documents.ts', 'check'],
  ['references', 'redocly', 'lint', 'docs/openapi.json', 'docs/asyncapi.json'],
  ['bundle', 'node', 'scripts/bundle.ts', 'check'],
  ['migrations', 'node', 'scripts/migrations.ts', 'check'],
  ['size', 'node', 'scripts/size.ts', 'check'],
  ['packages', 'node', 'scripts/packages.ts', 'check'],
];

const root = path.join(import.meta.dirname, '..');
const tools = path.join(root, 'node_modules/.bin');
// The linter of the references would look for a newer one of itself.
const env = {
  ...process.env,
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  PATH: `${tools}${path.delimiter}${process.env.PATH}`,
};

const failed: string[] = [];
for (const [name, command, ...args] of checks) {
  const startedAt = performance.now();
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(10)}  ${seconds.padStart(5)} s`);
  if (status === 0) continue;
  failed.push(name);
  console.error([stdout, stderr, error?.message].filter(Boolean).join('\n').trim());
}
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}.`);
  process.exitCode = 1;
}
