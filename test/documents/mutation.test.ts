import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const files = globSync('src/domains/{matches,pairing,ratings}/**/*.ts', { cwd: ROOT });

test('what survives mutation testing is explained at places that exist', () => {
  const text = readFileSync(path.join(ROOT, 'docs/mutation.md'), 'utf8');
  const missing = [...text.matchAll(/^\| (`[^|]*?`) \|/gm)].flatMap(([, place = '']) => {
    const named = [...place.matchAll(/`(.*?)`/g)].map(([, name = '']) => name);
    const places = named.filter((name) => name.endsWith('.ts'));
    const sources = places.flatMap((name) => files.filter((file) => file.endsWith(`/${name}`)));
    const code = sources.map((file) => readFileSync(path.join(ROOT, file), 'utf8')).join('\n');
    return named.filter((name) =>
      name.endsWith('.ts')
        ? !files.some((file) => file.endsWith(`/${name}`))
        : !name.endsWith('/') && !new RegExp(`\\b${name}\\b`).test(code),
    );
  });
  expect(missing).toEqual([]);
});
