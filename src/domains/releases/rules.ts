import { compare, eq, rcompare, valid } from 'semver';
import type { ServiceError } from '../../platform/errors.ts';
import { releaseErrors } from './errors.ts';

/**
 * The version rules, for status, handshake, queue, replays and live publishing alike. Plugin versions are
 * semantic versions (semver.org 2.0.0): pre-releases come before their release, build metadata does not
 * count. Game versions are opaque and ordered as a person would: 1.9 before 1.10.
 */

const natural = new Intl.Collator('en', { numeric: true });

export const byGameVersion = (a: string, b: string): number => natural.compare(a, b) || (a < b ? -1 : 1);

/** The version in one way of writing, without build metadata; null for what is not a semantic version. */
export const pluginVersionOf = (text: string): string | null =>
  // The library is more generous: it takes a `v` before the version, and spaces around it.
  /^\d\S*$/.test(text) ? valid(text) : null;

/** Whether both are one version; what is none is no version's equal. */
export const isSameVersion = (a: string, b: string): boolean =>
  pluginVersionOf(a) !== null && pluginVersionOf(b) !== null && eq(a, b);

/** The newest of some versions; null of none. */
export const newest = (versions: readonly string[]): string | null => [...versions].sort(rcompare)[0] ?? null;

/** Each version once, oldest first. */
export const distinct = (versions: readonly string[]): string[] =>
  [...versions].sort(compare).filter((version, at, all) => at === 0 || !eq(version, all[at - 1] ?? version));

export interface PluginVersions {
  /** Versions that may play, oldest first, each once. */
  accepted: readonly string[];
  /** The newest published one; null while nothing is published. */
  served: string | null;
}

/**
 * Which versions may play: the configured ones, else the published ones (specification, section 4, rule 2).
 * @param published versions of the releases that are served
 */
export const pluginVersions = (
  configured: readonly string[] | undefined,
  published: readonly string[],
): PluginVersions => ({ accepted: distinct(configured ?? published), served: newest(published) });

export const isAccepted = ({ accepted }: PluginVersions, version: string): boolean =>
  accepted.some((one) => isSameVersion(one, version));

/** The refusal of a plugin version, naming the one to get: what is served, if it may play, else the newest that may. */
export function notAccepted(versions: PluginVersions, version: string): ServiceError {
  const { accepted, served } = versions;
  const wanted = served !== null && isAccepted(versions, served) ? served : newest(accepted);
  const given = pluginVersionOf(version) ?? 'of an unknown form';
  return releaseErrors.PLUGIN_VERSION_NOT_ACCEPTED({
    message:
      wanted === null
        ? `Plugin version ${given} is not accepted: at the moment none is.`
        : `Plugin version ${given} is not accepted any more. Please get version ${wanted}.`,
  });
}
