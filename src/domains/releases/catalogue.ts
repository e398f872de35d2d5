import type { Config } from '../../config.ts';
import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { existing } from '../../platform/errors.ts';
import { type PageQuery, readPage } from '../../platform/http/schemas.ts';
import { createHotFiles } from '../../platform/storage/hot-files.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { releaseErrors } from './errors.ts';
import { byGameVersion, isAccepted, isSameVersion, newest, notAccepted, pluginVersions } from './rules.ts';
import {
  type FormerRelease,
  historyKey,
  type PluginRelease,
  type ReleaseList,
  type ServerStatus,
} from './schemas.ts';
import type { StoredRelease } from './store.ts';
import * as store from './store.ts';

export interface CatalogueOptions {
  config: Pick<Config, 'baseUrl' | 'pluginVersions' | 'maintenance'>;
  database: Database;
  storage: Storage;
  clock: Clock;
  /** Whether this node is about to stop. */
  isDraining(): boolean;
}

/** Memory for cached files: the current plugin of a few game versions. */
const HOT_BYTES = 128 * 1024 * 1024;
/** A release that another node published is served here after at most this time; one of this node at once. */
const MANIFEST_MS = 250;

/** The key of a release in the storage. */
export const keyOf = (releaseGuid: string): string => `releases/${releaseGuid}`;

export type Catalogue = ReturnType<typeof createCatalogue>;

/** Reads of releases, and the plugin versions that may play. */
export function createCatalogue({ config, database, storage, clock, isDraining }: CatalogueOptions) {
  const { prisma } = database;
  const hotFiles = createHotFiles({ storage, maxBytes: HOT_BYTES });

  const describe = (release: StoredRelease): PluginRelease => {
    const { gameVersion, pluginVersion, fileName, sha256, size } = release;
    const uploadedAt = release.uploadedAt.toISOString();
    const downloadUrl = `${config.baseUrl}/plugin-releases/${gameVersion}/download`;
    return { gameVersion, pluginVersion, fileName, sha256, size, uploadedAt, downloadUrl };
  };

  /** The served releases, in the order of the game versions. */
  const loadServed = async () =>
    (await store.loadServed(prisma)).sort((a, b) => byGameVersion(a.gameVersion, b.gameVersion));

  const versionsOf = (served: readonly StoredRelease[]) =>
    pluginVersions(
      config.pluginVersions,
      served.map((release) => release.pluginVersion),
    );

  /** The release that is served. @throws RELEASE_NOT_FOUND */
  const servedFor = async (gameVersion: string, db: Db = prisma) =>
    existing(await store.servedFor(db, gameVersion), releaseErrors.RELEASE_NOT_FOUND);

  /** The served releases. Many requests ask for them and they rarely change, so they are cached for {@link MANIFEST_MS}. */
  let manifest: { mark: number; seenAt: number; served: Promise<StoredRelease[]> } | null = null;
  const recent = async () => {
    const mark = database.changes.mark(['PluginRelease']);
    if (manifest?.mark !== mark || performance.now() - manifest.seenAt > MANIFEST_MS)
      manifest = { mark, seenAt: performance.now(), served: loadServed() };
    const { served } = manifest;
    return served.catch((error: unknown) => {
      if (manifest?.served === served) manifest = null;
      throw error;
    });
  };
  const recentlyServed = async (gameVersion: string) =>
    (await recent()).find((release) => release.gameVersion === gameVersion) ?? servedFor(gameVersion);

  const versions = async () => versionsOf(await recent());

  return {
    versions,
    describe,
    servedFor,

    /** Game versions with a release. */
    gameVersions: async () => (await recent()).map((release) => release.gameVersion),

    list: async (): Promise<ReleaseList> => {
      const served = await loadServed();
      return {
        servedPluginVersion: newest(versionsOf(served).published),
        releases: served.map(describe),
      };
    },

    status: async (): Promise<ServerStatus> => {
      const releases = await loadServed();
      const { accepted, published } = versionsOf(releases);
      return {
        online: true,
        status: isDraining() ? 'draining' : config.maintenance ? 'maintenance' : 'online',
        allowedGameVersions: releases.map((release) => release.gameVersion),
        acceptedPluginVersions: [...accepted],
        servedPluginVersion: newest(published),
        time: isoTime(clock.now()),
      };
    },

    /**
     * Accepts a plugin version, or names the one to get.
     * @param running the version that the player's running match began with: it stays accepted for that match
     * @throws PLUGIN_VERSION_MISSING, PLUGIN_VERSION_NOT_ACCEPTED
     */
    requireAccepted: async (version: string | undefined, running: string | null = null) => {
      if (version === undefined || version === '') throw releaseErrors.PLUGIN_VERSION_MISSING();
      if (running !== null && isSameVersion(running, version)) return;
      if (isAccepted(await versions(), version)) return;
      // Another node may have published it a moment ago.
      const known = versionsOf(await loadServed());
      if (!isAccepted(known, version)) throw notAccepted(known, version);
    },

    /** A page of the releases of a game version, newest upload first. */
    history: async (gameVersion: string, query: PageQuery) => {
      const { items, nextCursor } = await readPage(
        query,
        historyKey,
        (after, limit) => store.loadPublished(prisma, gameVersion, { after: after?.[0], limit }),
        ({ releaseGuid }) => [releaseGuid],
      );
      return { items: items.map(asHistory), nextCursor };
    },

    /** The served release of a game version. @throws RELEASE_NOT_FOUND */
    served: recentlyServed,

    /**
     * The served release of a game version with its file: both of one release, whatever is published meanwhile.
     * @throws RELEASE_NOT_FOUND, STORAGE_UNAVAILABLE
     */
    file: async (gameVersion: string) => {
      const release = await recentlyServed(gameVersion);
      const key = keyOf(release.releaseGuid);
      const bytes = await hotFiles.read(key, ({ length }) => length === release.size);
      return { release, bytes: existing(bytes, releaseErrors.RELEASE_NOT_FOUND) };
    },
  };
}

const asHistory = ({ releaseGuid: _, signature, ...release }: StoredRelease): FormerRelease => ({
  ...release,
  signed: signature !== null,
  uploadedAt: release.uploadedAt.toISOString(),
  servedFrom: release.servedFrom.toISOString(),
  servedUntil: release.servedUntil?.toISOString() ?? null,
});
