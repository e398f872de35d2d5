import { expect, test } from 'vitest';
import { type Count, countPackages, type Lockfile, problemsOf } from '../../scripts/packages.ts';

const lockfile: Lockfile = {
  '': { dependencies: { server: '1', client: '1' } },
  'node_modules/server': { dependencies: { shared: '2', deep: '1' } },
  'node_modules/client': {
    dependencies: { shared: '1' },
    optionalDependencies: { 'client-linux': '1', 'client-musl': '1', 'client-mac': '1', 'client-any': '1' },
    peerDependencies: { compiler: '1', tool: '1' },
  },
  'node_modules/client-linux': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'node_modules/client-musl': { os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  'node_modules/client-mac': { os: ['darwin'], cpu: ['arm64'] },
  'node_modules/client-any': { os: ['!win32'] },
  'node_modules/compiler': {},
  'node_modules/tool': { dev: true, dependencies: { 'of-tool': '1' } },
  'node_modules/of-tool': { dev: true },
  'node_modules/shared': {},
  'node_modules/server/node_modules/shared': { dependencies: { deep: '1' } },
  'node_modules/deep': {},
};

test('the packages that one platform installs for production are counted, with the dependency that brings each', () => {
  expect(countPackages(lockfile)).toEqual({
    total: 8,
    brought: { server: { all: 3, alone: 3 }, client: { all: 5, alone: 5 } },
  });
});

test('a package that two dependencies bring counts for neither', () => {
  const shared = { ...lockfile, 'node_modules/client': { dependencies: { deep: '1' } } };
  expect(countPackages(shared).brought).toEqual({
    server: { all: 3, alone: 2 },
    client: { all: 2, alone: 1 },
  });
});

test('a dependency that brings more than before is named, and fewer are accepted', () => {
  const before: Count = { total: 8, brought: { server: { all: 3, alone: 3 }, client: { all: 5, alone: 5 } } };
  const now: Count = {
    total: 18,
    brought: { server: { all: 3, alone: 3 }, client: { all: 6, alone: 6 }, newcomer: { all: 9, alone: 9 } },
  };
  expect(problemsOf(before, before)).toEqual([]);
  expect(problemsOf(before, now)).toEqual([]);
  expect(problemsOf(now, before)).toEqual([
    '18 packages are installed for production, 8 were.',
    '  newcomer brings 9 (before: 0), 9 of them alone',
    '  client brings 6 (before: 5), 6 of them alone',
    'If they are worth it: node scripts/packages.ts write',
  ]);
});

test('more than 250 packages fail, also when they are recorded', () => {
  const many: Count = { total: 251, brought: { all: { all: 251, alone: 251 } } };
  expect(problemsOf(many, many)).toEqual([
    '251 packages are installed for production, 251 were.',
    'More than 250 are not wanted.',
  ]);
});
