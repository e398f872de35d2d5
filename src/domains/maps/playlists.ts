import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { existing } from '../../platform/errors.ts';
import { drawCover } from './cover.ts';
import { mapErrors } from './errors.ts';
import { type PlaylistHead, playlistFile } from './playlist.ts';
import * as store from './store.ts';

interface PlaylistsOptions {
  database: Database;
  clock: Clock;
  /** Public base address, without a trailing slash. */
  baseUrl: string;
}

/** The playlists of seasons, pools and categories, with their covers. */
export function createPlaylists({ database: { prisma }, clock, baseUrl }: PlaylistsOptions) {
  const playlistUrlOf = (poolGuid: string) => `${baseUrl}/pools/${poolGuid}/playlist.bplist`;
  const coverFor = (guid: string, categories: readonly store.PlaylistCategory[]) =>
    drawCover({ guid, colors: categories.flatMap(({ color }) => color ?? []) });
  const titleOf = ({ seasonName, name, namesakes }: store.PlaylistPool) =>
    `${seasonName} – ${name}${namesakes === 0 ? '' : ` (${namesakes + 1})`}`;

  const playlistFrom = async ({
    guid,
    poolGuids,
    category,
    ...about
  }: PlaylistHead & {
    guid: string;
    poolGuids: readonly string[];
    category?: store.PlaylistCategory;
  }) =>
    playlistFile(
      about,
      await store.songsOf(prisma, poolGuids, category?.categoryGuid),
      await coverFor(guid, category ? [category] : await store.categoriesOf(prisma, poolGuids)),
    );

  return {
    /** Whether there is a playlist of the season. */
    hasPlaylist: async (): Promise<boolean> => (await store.findPlaylistSeason(prisma, clock.now())) !== null,

    /**
     * The playlist of the season. `validUntil` is the start of the next season, which changes it without a write.
     * @throws PLAYLIST_NOT_AVAILABLE before anything was published
     */
    playlist: async () => {
      const now = clock.now();
      const { seasonGuid, seasonName, poolGuids } = existing(
        await store.findPlaylistSeason(prisma, now),
        mapErrors.PLAYLIST_NOT_AVAILABLE,
      );
      const file = await playlistFrom({
        guid: seasonGuid,
        title: seasonName,
        description: `All maps of ${seasonName}.`,
        syncUrl: `${baseUrl}/maps/playlist.bplist`,
        poolGuids,
      });
      return { ...file, validUntil: await store.nextSeasonStart(prisma, now) };
    },

    /** The playlist of a pool that is or was published; null for any other pool. */
    playlistOf: async (poolGuid: string) => {
      const pool = await store.findPlaylistPool(prisma, poolGuid);
      if (pool === null) return null;
      return playlistFrom({
        guid: poolGuid,
        title: titleOf(pool),
        description: `The maps of the pool ${pool.name} of ${pool.seasonName}.`,
        syncUrl: playlistUrlOf(poolGuid),
        poolGuids: [poolGuid],
      });
    },

    /** The playlist of one category of a pool; null when the pool was never published or has no such map. */
    playlistOfCategory: async (poolGuid: string, categoryGuid: string) => {
      const pool = await store.findPlaylistPool(prisma, poolGuid);
      const categories = pool === null ? [] : await store.categoriesOf(prisma, [poolGuid]);
      const category = categories.find((one) => one.categoryGuid === categoryGuid);
      if (pool === null || category === undefined) return null;
      return playlistFrom({
        guid: `${poolGuid} ${categoryGuid}`,
        title: `${titleOf(pool)} – ${category.name}`,
        description: `The maps of the category ${category.name} in the pool ${pool.name} of ${pool.seasonName}.`,
        syncUrl: `${baseUrl}/pools/${poolGuid}/categories/${categoryGuid}/playlist.bplist`,
        poolGuids: [poolGuid],
        category,
      });
    },

    /** The cover of a pool that is or was published, a PNG; null for any other pool. */
    coverOf: async (poolGuid: string) => {
      if ((await store.findPlaylistPool(prisma, poolGuid)) === null) return null;
      return coverFor(poolGuid, await store.categoriesOf(prisma, [poolGuid]));
    },

    /** The address of the playlist of a pool, and the link that makes a playlist manager load it. */
    playlistLinks: (poolGuid: string) => ({
      playlistUrl: playlistUrlOf(poolGuid),
      oneClickUrl: `bsplaylist://playlist/${playlistUrlOf(poolGuid)}`,
    }),
  };
}
