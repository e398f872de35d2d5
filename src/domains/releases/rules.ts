import { compareBuild, eq, rcompare, valid } from 'semver';
import type { ServiceError } from '../../platform/errors.ts';
import { releaseErrors } from './errors.ts';

/**
 * The version rules, for status, handshake, queue, replays and live publishing alike. Plugin versions are
 * semantic versions (semver.org 2.0.0): pre-releases come before their release, build metadata does not
 * count. Game versions are opaque and ordered as a person would: 1.9 before 1.10.
 */

const natural = new Intl.Collator('en', { numeric: true });

export const byGameVersion = (a: string, b: string): number => natural.compare(a, b) || (a < b ? -1 : 1);

/** The normalised version without build metadata; null when it is not a semantic version. */
export const pluginVersionOf = (text: string): string | null =>
  // The library also accepts a leading `v` and spaces; this does not.
  /^\d\S*$/.test(text) ? valid(text) : null;

/** Whether both are the same version; false when either is not a version. */
export const isSameVersion = (a: string, b: string): boolean =>
  pluginVersionOf(a) !== null && pluginVersionOf(b) !== null && eq(a, b);

/** The newest of these versions; null when there are none. */
export const newest = (versions: readonly string[]): string | null => [...versions].sort(rcompare)[0] ?? null;

/** Each version once as it is written, oldest first. */
const distinct = (versions: readonly string[]): string[] => [...new Set(versions)].sort(compareBuild);

export interface PluginVersions {
  /** Versions that may play, oldest first, each once. */
  accepted: readonly string[];
  /** Versions of the releases that are served. */
  published: readonly string[];
}

/** Which versions may play: the configured ones, else the published ones. Source: docs/releases.md, *Which versions may play*. */
export const pluginVersions = (
  configured: readonly string[] | undefined,
  published: readonly string[],
): PluginVersions => ({ accepted: distinct(configured ?? published), published });

export const isAccepted = ({ accepted }: PluginVersions, version: string): boolean =>
  accepted.some((one) => isSameVersion(one, version));

/** The refusal of a plugin version. It names the newest version that is accepted and published, else the newest accepted. */
export function notAccepted(versions: PluginVersions, version: string): ServiceError {
  const available = versions.published.filter((one) => isAccepted(versions, one));
  const wanted = newest(available) ?? newest(versions.accepted);
  const given = pluginVersionOf(version) ?? 'of an unknown form';
  return releaseErrors.PLUGIN_VERSION_NOT_ACCEPTED({
    message:
      wanted === null
        ? `Plugin version ${given} is not accepted: at the moment none is.`
        : `Plugin version ${given} is not accepted. Please get version ${wanted}.`,
  });
}
