import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isFresh } from '../../scripts/bundle.ts';

const bundle = path.resolve(import.meta.dirname, '../../src/pages/bundle');

describe('a bundle of the pages', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'matches-bundle-'));
    await cp(bundle, folder, { recursive: true });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('is fresh when it is complete', () => {
    expect(isFresh(folder)).toBe(true);
  });

  test.each(['sources.json', 'manifest.json', '.js', '.js.gz', '.css.gz'])(
    'is not fresh without %s',
    async (end) => {
      const one = (await readdir(folder)).find((name) => name.endsWith(end)) ?? '';
      await rm(path.join(folder, one));
      expect(isFresh(folder)).toBe(false);
    },
  );
});
