import { spawnSync } from 'node:child_process';

/**
 * `npm run mutation`: changes the rules at random and checks that a test fails. With `--by explore` only the exploration of
 * small matches is asked, and only about the rules of a match. Everything else is an argument of Stryker.
 */

const given = process.argv.slice(2);
const at = given.indexOf('--by');
const by = at < 0 ? null : given[at + 1];
if (by !== null && by !== 'explore') {
  console.error('--by is followed by explore.');
  process.exit(2);
}
const others = at < 0 ? given : given.toSpliced(at, 2);
const config = by === null ? [] : ['stryker.explore.config.mjs'];
const { status } = spawnSync('stryker', ['run', ...config, ...others], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exit(status ?? 1);
