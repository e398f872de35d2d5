import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const files = globSync('src/domains/{matches,pairing,ratings}/**/*.ts', { cwd: ROOT });

test('the page about mutation testing names files and functions that exist', () => {
  const text = readFileSync(path.join(ROOT, 'docs/mutation.md'), 'utf8');
  const places = [...text.matchAll(/^\| (`[^|]*?`) \|/gm)].map(([, place = '']) => place);
  expect(places.length).toBeGreaterThan(20);
  const missing = places.flatMap((place) => {
    const named = [...place.matchAll(/`(.*?)`/g)].map(([, name = '']) => name);
    const sources = named
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => files.filter((file) => file.endsWith(`/${name}`)));
    const code = sources.map((file) => readFileSync(path.join(ROOT, file), 'utf8')).join('\n');
    return named.filter((name) =>
      name.endsWith('.ts')
        ? !files.some((file) => file.endsWith(`/${name}`))
        : !name.endsWith('/') && !new RegExp(`\\b${name}\\b`).test(code),
    );
  });
  expect(missing).toEqual([]);
});
