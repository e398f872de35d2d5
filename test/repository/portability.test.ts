import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

/** Code that works on one operating system only, found in the source text. `docs/windows.md` says what was tried on Windows. */

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const files = (pattern: string): string[] =>
  globSync(pattern, { cwd: root }).map((file) => file.replaceAll(path.sep, '/'));
const sources = files('src/**/*.ts').filter((file) => !file.includes('/generated/'));

test('npm scripts are a program and its arguments, in a form that every shell understands', () => {
  const { scripts, devDependencies } = JSON.parse(read('package.json')) as {
    scripts: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const programs = ['node', 'vitest', 'stryker'];
  expect(Object.keys(devDependencies)).toEqual(expect.arrayContaining(['vitest', '@stryker-mutator/core']));
  const wrong = Object.entries(scripts).filter(
    ([, script]) => !/^[\w./ -]+$/.test(script) || !programs.includes(script.split(' ')[0] ?? ''),
  );
  expect(wrong).toEqual([]);
});

/** Files with such code that is run only on the system it is made for. */
const MAY: Record<string, string[]> = {
  '/proc': ['src/local/postgres-keeper.ts', 'src/local/postgres-running.ts'],
  '/dev': ['src/local/postgres-keeper.ts', 'src/local/postgres-binaries.ts'],
  '/tmp': ['src/local/postgres-binaries.ts'],
  '/var': ['src/local/postgres-binaries.ts'],
  spawn: ['src/local/postgres-binaries.ts', 'src/local/postgres-running.ts'],
};

test('sources have no folders of one system, start no program by name and make no path from a URL', () => {
  const found = sources.flatMap((file) => {
    const text = read(file).replaceAll(/^ *(\*|\/\/).*$/gm, '');
    const folders = [...text.matchAll(/['"`](\/(?:tmp|dev|proc|var|usr|etc|bin|home))\b/g)].map(
      ([, one = '']) => one,
    );
    const programs = [...text.matchAll(/\b(?:spawn|spawnSync|execFile|execFileSync|run)\(\s*'\w/g)].map(
      () => 'spawn',
    );
    const paths = [...text.matchAll(/import\.meta\.url\)\.pathname|shell: true/g)].map(([one]) => one);
    return [...folders, ...programs, ...paths]
      .filter((one) => !MAY[one]?.includes(file))
      .map((one) => `${file}: ${one}`);
  });
  expect(found).toEqual([]);
  // Every file in the list of exceptions exists.
  for (const file of Object.values(MAY).flat()) expect(sources).toContain(file);
});

test('imports spell the names of files exactly, also in upper and lower case', () => {
  const known = new Set(files('{src,kit,scripts}/**/*.ts'));
  const wrong = sources.flatMap((file) =>
    [...read(file).matchAll(/from '(\.{1,2}\/[^']+\.ts)'/g)]
      .map(([, to = '']) => path.posix.join(path.posix.dirname(file), to))
      .filter((to) => !known.has(to) && !to.includes('/generated/'))
      .map((to) => `${file} → ${to}`),
  );
  expect(wrong).toEqual([]);
});

test('no two file names differ only in upper and lower case, and texts have one kind of line end', () => {
  const names = globSync('{src,docs,scripts,test,prisma}/**/*', { cwd: root }).map((name) =>
    name.toLowerCase(),
  );
  expect(new Set(names).size).toBe(names.length);
  expect(read('.gitattributes')).toContain('* text=auto eol=lf');
  expect(sources.filter((file) => read(file).includes('\r\n'))).toEqual([]);
});

test('the CI runs everything on Linux, and the commands of the README on Windows and macOS', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml'));
  const commands = (job: string) => jobs[job].steps.map(({ run }: { run?: string }) => run).filter(Boolean);
  expect(jobs.linux['runs-on']).toBe('ubuntu-latest');
  expect(commands('linux')).toEqual(['.ci/run']);
  expect(jobs.others.strategy.matrix.os).toEqual(['windows-latest', 'macos-latest']);
  expect(jobs.others['runs-on']).toBe(`\${{ matrix.os }}`);
  for (const command of ['npm install && npm run demo', 'npm install && npm test']) {
    expect(read('README.md')).toContain(`$ ${command}`);
    for (const part of command.split(' && ')) expect(commands('others')).toContain(part);
  }
});
