import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PROOF, PURE } from '../../.dependency-cruiser.ts';

const root = path.resolve(import.meta.dirname, '../..');
const all = globSync('src/{domains,platform}/**/*.ts', { cwd: root }).map((file) =>
  file.replaceAll(path.sep, '/'),
);
const matching = (pattern: string) => all.filter((file) => new RegExp(pattern).test(file));
const pure = matching(PURE);
const proof = matching(PROOF);

/** Impurities that an import check does not see: globals whose value changes with time. */
const IMPURE =
  /\b(Date\.now|new Date\(\)|Math\.random|performance\.|process\.|crypto\.random|randomUUID|setTimeout|setInterval|fetch\()/;

test('the pure files are found', () => {
  expect(pure).toEqual(
    expect.arrayContaining(['src/domains/matches/machine.ts', 'src/domains/matches/phases/playing.ts']),
  );
  expect(pure.length).toBeGreaterThan(15);
  expect(proof).toContain('src/domains/matches/proof.ts');
});

test.each(pure)('%s uses no clock, no randomness and no environment', (file) => {
  expect(IMPURE.exec(readFileSync(path.join(root, file), 'utf8'))?.[0]).toBeUndefined();
});

test.each(proof)('%s uses no global of Node, because browsers run it', (file) => {
  expect(
    /\b(Buffer|process|global)\b[.[]/.exec(readFileSync(path.join(root, file), 'utf8'))?.[0],
  ).toBeUndefined();
});
