import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { isSameVersion, notAccepted } from '../auth/index.ts';
import { byGameVersion, distinct, newest } from './rules.ts';
import type { ReleaseList, ServerStatus } from './schemas.ts';
import { loadReleases } from './store.ts';

export interface ReleasesOptions {
  config: Pick<Config, 'BASE_URL' | 'PLUGIN_VERSIONS' | 'MAINTENANCE'>;
  database: Database;
  clock: Clock;
  /** Whether this node is about to stop. */
  isDraining(): boolean;
}

export interface PluginVersions {
  /** Versions that may connect, oldest first. */
  accepted: string[];
  /** The newest published one; null while nothing is published. */
  served: string | null;
}

export type Releases = ReturnType<typeof createReleases>;

/** Which plugin binaries there are, and which versions may play. */
export function createReleases({ config, database, clock, isDraining }: ReleasesOptions) {
  const load = async () =>
    (await loadReleases(database.prisma)).sort((a, b) => byGameVersion(a.gameVersion, b.gameVersion));

  /** PLUGIN_VERSIONS decides when it is set; else what is published (specification, section 4, rule 2). */
  const versions = async (): Promise<PluginVersions> => {
    const published = (await load()).map((release) => release.pluginVersion);
    return { accepted: distinct(config.PLUGIN_VERSIONS ?? published), served: newest(published) };
  };

  return {
    versions,

    list: async (): Promise<ReleaseList> => {
      const releases = await load();
      return {
        servedPluginVersion: newest(releases.map((release) => release.pluginVersion)),
        releases: releases.map((release) => ({
          gameVersion: release.gameVersion,
          pluginVersion: release.pluginVersion,
          fileName: release.fileName,
          sha256: release.sha256,
          size: release.size,
          uploadedAt: isoTime(release.uploadedAt),
          downloadUrl: `${config.BASE_URL}/plugin-releases/${encodeURIComponent(release.gameVersion)}/download`,
        })),
      };
    },

    status: async (): Promise<ServerStatus> => {
      const releases = await load();
      const { accepted, served } = await versions();
      return {
        online: true,
        status: isDraining() ? 'draining' : config.MAINTENANCE ? 'maintenance' : 'online',
        allowedGameVersions: releases.map((release) => release.gameVersion),
        acceptedPluginVersions: accepted,
        servedPluginVersion: served,
        time: isoTime(clock.now()),
      };
    },

    /** @throws PLUGIN_VERSION_NOT_ACCEPTED, whose message names the version to get */
    requireAccepted: async (pluginVersion: string): Promise<void> => {
      const { accepted, served } = await versions();
      if (!accepted.some((one) => isSameVersion(one, pluginVersion)))
        throw notAccepted(pluginVersion, accepted, served);
    },
  };
}
