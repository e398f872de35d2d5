import { afterEach, expect, test } from 'vitest';
import { optionsFrom } from '../../src/local/arguments.ts';

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
