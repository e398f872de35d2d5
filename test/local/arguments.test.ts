import { afterEach, expect, test } from 'vitest';
import { optionsFrom } from '../../src/local/arguments.ts';
import { optionsOf } from '../../src/local/dev-options.ts';

const { argv } = process;
afterEach(() => {
  process.argv = argv;
});

test.each([
  ['--oponent', "Unknown option '--oponent'. --help shows the options."],
  ['now', "Unexpected argument 'now'. "],
])('programs of the local stack refuse %s with advice', (argument, advice) => {
  process.argv = [...argv.slice(0, 2), argument];
  expect(() => optionsFrom({ opponent: { type: 'boolean' } })).toThrow(advice);
});

test.each([
  [['--pace', 'fast'], '--pace must be one of quick, real, not "fast".'],
  [['--opponent', '--script', 'win'], '--script must be one of drop, discard-nothing,'],
  [['--script', 'drop'], '--script needs --opponent.'],
  [['--data', ''], '--data must name a folder.'],
])('npm run dev -- %j is refused with advice', (args, advice) => {
  process.argv = [...argv.slice(0, 2), ...args];
  expect(optionsOf).toThrow(advice);
});
