import { compare, eq, rcompare } from 'semver';

/**
 * Plugin versions are semantic versions (semver.org 2.0.0): pre-releases come before their release, build
 * metadata does not count. Game versions are opaque and ordered as a person would: 1.9 before 1.10.
 */

const natural = new Intl.Collator('en', { numeric: true });

export const byGameVersion = (a: string, b: string): number => natural.compare(a, b) || (a < b ? -1 : 1);

/** The newest of some versions; null of none. */
export const newest = (versions: readonly string[]): string | null => [...versions].sort(rcompare)[0] ?? null;

/** Each version once, oldest first. */
export const distinct = (versions: readonly string[]): string[] =>
  [...versions].sort(compare).filter((version, at, all) => at === 0 || !eq(version, all[at - 1] ?? version));
