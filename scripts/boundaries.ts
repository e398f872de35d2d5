import { readdirSync } from 'node:fs';
import path from 'node:path';
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import configuration, { DOMAINS } from '../.dependency-cruiser.ts';

/**
 * `node scripts/boundaries.ts` checks the imports under `src` against `.dependency-cruiser.ts`.
 * A run that cannot read TypeScript finds no modules and reports no violation, so what it saw is
 * compared with the files on disk.
 */

const GENERATED = 'src/platform/database/generated/';

/** One line for each violation and for each module that was not checked; empty: all is right. */
export async function findViolations(baseDir: string): Promise<{ problems: string[]; modules: number }> {
  const { forbidden, options } = configuration;
  const { output } = await cruise(['src'], {
    ...options,
    ruleSet: { forbidden },
    validate: true,
    baseDir,
  } as ICruiseOptions);
  const { modules, summary } = output as ICruiseResult;

  const onDisk = readdirSync(path.join(baseDir, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /[.]tsx?$/.test(entry.name))
    .map((entry) => path.relative(baseDir, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((file) => !file.startsWith(GENERATED));
  const seen = new Set(modules.map(({ source }) => source));
  const imports = modules.flatMap(({ dependencies }) => dependencies);
  const domains = new Set(onDisk.flatMap((file) => /^src\/domains\/([^/]+)\//.exec(file)?.[1] ?? []));

  const problems = [
    ...summary.violations.map(
      ({ rule, from, to, cycle }) =>
        `${rule.name}: ${from} → ${cycle ? cycle.map(({ name }) => name).join(' → ') : to}`,
    ),
    ...onDisk.filter((file) => !seen.has(file)).map((file) => `not looked at: ${file}`),
    ...[...domains]
      .filter((domain) => !DOMAINS.includes(domain))
      .map((domain) => `no place in the order: ${domain}`),
  ];
  if (onDisk.length === 0 || imports.length === 0) problems.push('nothing was looked at');
  return { problems, modules: onDisk.length };
}

if (import.meta.main) {
  const { problems, modules } = await findViolations(path.join(import.meta.dirname, '..'));
  for (const problem of problems) console.error(problem);
  console.log(`${modules} modules looked at, ${problems.length} problems.`);
  if (problems.length > 0) process.exitCode = 1;
}
