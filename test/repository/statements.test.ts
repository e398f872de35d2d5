import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const generated = 'src/platform/database/generated/';
const files = globSync('src/**/*.ts', { cwd: root })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !file.startsWith(generated) && !file.startsWith('src/local/'));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

test('domains have their statements in stores', () => {
  // An import check cannot see a client that was passed in.
  const statement =
    /\b(db|tx|prisma)\.(\$(queryRaw|executeRaw)|\w+\.(find|create|update|upsert|delete|count|aggregate|groupBy))|\bstatement[<(]/;
  const withStatements = files.filter(
    (file) => file.startsWith('src/domains/') && statement.test(read(file)),
  );
  const isStore = (file: string) => /(^|[/-])store\.ts$/.test(file);
  expect(withStatements.filter(isStore).length).toBeGreaterThan(10);
  expect(withStatements.filter((file) => !isStore(file))).toEqual([]);
});

test('SQL runs through Prisma or as a named statement', () => {
  const otherWay = /\$(query|execute)RawUnsafe|\b(pool|client|lock|connection|on)\s*\.query[<(]/;
  expect(files.filter((file) => otherWay.test(read(file))).sort()).toEqual([
    // Asks a new connection about its server.
    'src/platform/database/connection-check.ts',
    // Before there is a pool.
    'src/platform/database/migrations.ts',
    // Runs named statements.
    'src/platform/database/statement.ts',
    // Runs named statements on the connection of the heartbeat.
    'src/platform/node-session.ts',
  ]);
  const names = files.flatMap((file) =>
    [...read(file).matchAll(/= statement(?:<[^;]*?>)?\(\s*'([^']+)'/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(10);
  expect(names, 'names are unique').toEqual([...new Set(names)]);
});
