import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * How many packages a production installation has, and which dependency brings how many: read from the lockfile,
 * without network. `node scripts/packages.ts check` fails when there are more than were written down, or too many;
 * `write` writes down what there is now, for a change that is worth its packages.
 */

/** The limit: nobody can review more packages. */
const MOST = 250;

/** An entry of `packages` in package-lock.json (version 3), as far as it matters here. */
interface Entry {
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}
export type Lockfile = Record<string, Entry>;

export interface Count {
  total: number;
  /** By top-level dependency: how many it brings, itself included, and how many would go with it. */
  brought: Record<string, { all: number; alone: number }>;
}

/** The platform of the image: packages are counted for it on every machine. Binaries for other platforms do not count. */
const PLATFORM = { os: 'linux', cpu: 'x64', libc: 'glibc' } as const;

const runsThere = (entry: Entry): boolean =>
  (['os', 'cpu', 'libc'] as const).every((key) => {
    const names = entry[key];
    if (names === undefined) return true;
    return names.some((name) => name.startsWith('!'))
      ? !names.includes(`!${PLATFORM[key]}`)
      : names.includes(PLATFORM[key]);
  });

/** Where Node finds a package that is asked for in the folder `from`; null: not installed for production there. */
function resolve(lockfile: Lockfile, from: string, name: string): string | null {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, folder.lastIndexOf('node_modules/')).replace(/\/$/, '')
  ) {
    const found = `${folder}${folder && '/'}node_modules/${name}`;
    const entry = lockfile[found];
    if (entry !== undefined) return entry.dev || !runsThere(entry) ? null : found;
    if (folder === '') return null;
  }
}

/** All that comes with these top-level dependencies, by its place in node_modules. */
function closure(lockfile: Lockfile, names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const visit = (from: string, name: string): void => {
    const place = resolve(lockfile, from, name);
    if (place === null || found.has(place)) return;
    found.add(place);
    const { dependencies, optionalDependencies, peerDependencies } = lockfile[place] ?? {};
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      visit(place, next);
  };
  for (const name of names) visit('', name);
  return found;
}

export function countPackages(lockfile: Lockfile): Count {
  const names = Object.keys(lockfile['']?.dependencies ?? {});
  const total = closure(lockfile, names).size;
  const brought = names.map((name) => {
    const rest = names.filter((other) => other !== name);
    return [
      name,
      { all: closure(lockfile, [name]).size, alone: total - closure(lockfile, rest).size },
    ] as const;
  });
  return { total, brought: Object.fromEntries(brought) };
}

/** The problems of the present number. */
export function problemsOf(now: Count, before: Count): string[] {
  if (now.total <= before.total && now.total <= MOST) return [];
  const grown = Object.entries(now.brought)
    .filter(([name, { all }]) => all > (before.brought[name]?.all ?? 0))
    .sort(([, a], [, b]) => b.alone - a.alone)
    .map(
      ([name, { all, alone }]) =>
        `  ${name} brings ${all} (before: ${before.brought[name]?.all ?? 0}), ${alone} of them alone`,
    );
  const limit =
    now.total > MOST
      ? `More than ${MOST} are not wanted.`
      : 'If they are worth it: node scripts/packages.ts write';
  return [`${now.total} packages are installed for production, ${before.total} were.`, ...grown, limit];
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, '..');
  const written = path.join(import.meta.dirname, 'packages.json');
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Lockfile;
  };
  const now = countPackages(packages);
  if (now.total === 0) throw new Error('The lockfile has no packages.');
  if (process.argv[2] === 'write') writeFileSync(written, `${JSON.stringify(now, null, 2)}\n`);
  else {
    const problems = problemsOf(now, JSON.parse(readFileSync(written, 'utf8')) as Count);
    for (const line of problems) console.error(line);
    if (problems.length > 0) process.exitCode = 1;
    else console.log(`${now.total} packages are installed for production.`);
  }
}
