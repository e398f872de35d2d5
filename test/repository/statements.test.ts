import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** What an import check cannot see: a client that was handed over, and is asked. */
const STATEMENT =
  /\b(db|tx|prisma)\.(\$(queryRaw|executeRaw)|\w+\.(find|create|update|upsert|delete|count|aggregate|groupBy))|pool\.query\(/;

const root = path.resolve(import.meta.dirname, '../..');
const isStore = (file: string) => /(^|[/-])store\.ts$/.test(file);
const files = globSync('src/domains/**/*.ts', { cwd: root }).map((file) => file.replaceAll(path.sep, '/'));
const asks = (file: string) => STATEMENT.test(readFileSync(path.join(root, file), 'utf8'));

test('every statement stands in a store', () => {
  expect(files.filter(isStore).filter(asks).length).toBeGreaterThan(10);
  expect(files.filter((file) => !isStore(file) && asks(file))).toEqual([]);
});
