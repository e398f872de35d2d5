import semver from 'semver';

/** The version in one way of writing, without build metadata; null for what is not a semantic version. */
export const pluginVersionOf = (text: string): string | null => semver.valid(text);

/** Whether both are one version; build metadata makes no difference (SemVer 2.0.0, 10). */
export const isSameVersion = (a: string, b: string): boolean =>
  semver.valid(a) !== null && semver.valid(b) !== null && semver.eq(a, b);

/** The newest of these versions, or null of none. */
export const newestVersion = (versions: readonly string[]): string | null =>
  versions.filter((version) => semver.valid(version) !== null).sort(semver.rcompare)[0] ?? null;
