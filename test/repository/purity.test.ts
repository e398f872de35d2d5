import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PURE } from '../../.dependency-cruiser.ts';

const root = path.resolve(import.meta.dirname, '../..');
const pure = globSync('src/domains/**/*.ts', { cwd: root })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => new RegExp(PURE).test(file));

/** Impurities that an import check does not see: globals whose value changes with time. */
const IMPURE =
  /\b(Date\.now|new Date\(\)|Math\.random|performance\.|process\.|crypto\.random|randomUUID|setTimeout|setInterval|fetch\()/;

test('rules, machine and phases are found', () => {
  expect(pure).toEqual(
    expect.arrayContaining(['src/domains/matches/machine.ts', 'src/domains/matches/phases/playing.ts']),
  );
  expect(pure.length).toBeGreaterThan(15);
});

test.each(pure)('%s looks at no clock, no chance and no environment', (file) => {
  expect(IMPURE.exec(readFileSync(path.join(root, file), 'utf8'))?.[0]).toBeUndefined();
});
