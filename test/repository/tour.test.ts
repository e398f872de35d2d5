import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

test('the tour of the code names twelve files, and each of them exists', () => {
  const page = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');
  const tour = page.split('\n## A tour of one hour\n')[1]?.split('\n## ')[0] ?? '';
  const files = [...tour.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = '']) => file);
  expect(files).toHaveLength(12);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});
