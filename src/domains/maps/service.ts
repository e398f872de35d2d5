import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { existing, ServiceError } from '../../platform/errors.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { createCovers } from './cover.ts';
import { createMapCovers } from './covers.ts';
import { mapErrors } from './errors.ts';
import { createGate } from './gate.ts';
import { createMapHost } from './host.ts';
import { type PlaylistFile, type PlaylistHead, playlistFile } from './playlist.ts';
import { createRequests } from './requests.ts';
import { createResolver } from './resolver.ts';
import { fileHosts, lookedUp } from './rules.ts';
import * as store from './store.ts';

export interface MapsOptions {
  database: Database;
  /** For the covers of maps. */
  storage: Storage;
  clock: Clock;
  logger: FastifyBaseLogger;
  /** Public base address, without a trailing slash. */
  baseUrl: string;
  /** API base of the map host, without a trailing slash. */
  mapHostUrl: string;
  /** `host`, `host:port`, or `.domain` for any sub-domain: where files may lie. */
  mapHostFileHosts: readonly string[];
  /** Version of this service, for the `User-Agent`. */
  version: string;
  /** Called with the duration of each request to the map host, in milliseconds. */
  onAsked?(milliseconds: number): void;
  /** How long one request to the map host may take, in milliseconds. */
  mapHostTimeoutMs?: number;
  /** How long a batch waits for its turns to ask the map host, in milliseconds. */
  mapBatchPatienceMs?: number;
}

const MAP_HOST_TIMEOUT_MS = 5_000;
const DOWNLOAD_TABLES = ['Pool', 'PoolMap'] as const;
/** A change that somebody makes in the database by hand shows after this time. */
const DOWNLOADS_KNOWN_MS = 30_000;

export type Maps = ReturnType<typeof createService>;

/** Looks up maps at the map host, and serves hashes, downloads and playlists of published pools. */
export function createService(options: MapsOptions) {
  const { database, clock, logger, baseUrl, mapHostUrl } = options;
  const { prisma } = database;
  const files = fileHosts(options.mapHostFileHosts, mapHostUrl);
  const { origin } = new URL(mapHostUrl);
  const gate = createGate({ database, clock, logger, origin });
  const client = {
    clock,
    userAgent: `CompetitiveMatchService/${options.version} (+${baseUrl})`,
    timeoutMs: options.mapHostTimeoutMs ?? MAP_HOST_TIMEOUT_MS,
  };
  const host = createMapHost({ ...client, gate, onAsked: options.onAsked, url: mapHostUrl });
  const covers = createMapCovers({
    ...options,
    files,
    isHostWell: () => gate.status() === null,
    requests: createRequests({
      ...client,
      gate: createGate({ database, clock, logger, origin: `${origin} covers` }),
      mayFollow: (address) => files.accept(address.href) !== null,
      types: /./,
      accept: 'image/jpeg, image/png, image/webp',
    }),
  });
  /** Cached download addresses by hash. A change of a pool invalidates them. */
  let downloads = { mark: -1, since: 0, addresses: new Map<string, string>() };
  database.changes.watch(DOWNLOAD_TABLES);
  const knownDownloads = () => {
    const mark = database.changes.mark(DOWNLOAD_TABLES);
    if (mark !== downloads.mark || performance.now() - downloads.since > DOWNLOADS_KNOWN_MS)
      downloads = { mark, since: performance.now(), addresses: new Map() };
    return downloads.addresses;
  };
  const playlistUrlOf = (poolGuid: string) => `${baseUrl}/pools/${poolGuid}/playlist.bplist`;
  const draw = createCovers();
  const coverFor = (guid: string, categories: readonly store.PlaylistCategory[]) =>
    draw({ guid, colors: categories.flatMap(({ color }) => color ?? []) });
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
    playlistFile({
      ...about,
      songs: await store.songsOf(prisma, poolGuids, category?.categoryGuid),
      cover: await coverFor(guid, category ? [category] : await store.categoriesOf(prisma, poolGuids)),
    });

  const resolver = createResolver({
    database,
    clock,
    logger,
    host,
    files,
    batchPatienceMs: options.mapBatchPatienceMs,
  });

  return {
    ...resolver,

    /** What adding the map of a key would take now. Its cover is fetched afterwards. @throws MAP_NOT_FOUND, UPSTREAM_UNAVAILABLE */
    lookUp: async (key: string) => {
      const version = existing((await resolver.resolveAll([key])).get(key) ?? null, mapErrors.MAP_NOT_FOUND);
      if (version instanceof ServiceError) throw version;
      await covers.lookedUp(version);
      return lookedUp(version);
    },

    /** Covers of maps. */
    covers,

    /** The problem of the map host to show to operators; null when there is none. */
    hostStatus: gate.status,

    /** Number of requests that wait on this node for a turn to ask the map host. */
    waitingForHost: gate.waiting,

    /** Upper-case hashes of all maps in published pools, sorted, each once. */
    hashes: () => store.publishedHashes(prisma),

    /**
     * The address of the file of exactly this hash, as stored when the map was added.
     * @param hash upper case
     * @throws MAP_NOT_FOUND unless the map is in a pool that is or was published, and its host is allowed
     */
    downloadUrlOf: async (hash: string) => {
      // Taken before the read: a pool that changes meanwhile invalidates what is read.
      const known = knownDownloads();
      const address = known.get(hash);
      if (address !== undefined) return address;
      const stored = await store.downloadUrlsOf(prisma, hash);
      for (const one of stored) {
        // The configured hosts may have changed since the map was added.
        const accepted = files.accept(one);
        if (accepted === null) continue;
        known.set(hash, accepted);
        return accepted;
      }
      throw stored.length === 0
        ? mapErrors.MAP_NOT_FOUND()
        : mapErrors.MAP_NOT_FOUND({
            message: 'The file of this map lies on a host that is no longer allowed.',
          });
    },

    /**
     * The playlist of the season. `validUntil` is the start of the next season, which changes it without a write.
     * @throws PLAYLIST_NOT_AVAILABLE before anything was published
     */
    playlist: async (): Promise<PlaylistFile & { validUntil: number | null }> => {
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
