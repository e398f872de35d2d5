import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { createCovers } from './cover.ts';
import { mapErrors } from './errors.ts';
import { createGate } from './gate.ts';
import { createMapHost } from './host.ts';
import { type PlaylistFile, playlistFile } from './playlist.ts';
import { createResolver } from './resolver.ts';
import { fileHosts } from './rules.ts';
import * as store from './store.ts';

export interface MapsOptions {
  database: Pick<Database, 'prisma' | 'changes'>;
  clock: Clock;
  logger: FastifyBaseLogger;
  /** Public base address, without a trailing slash. */
  baseUrl: string;
  /** API base of the map host, without a trailing slash. */
  mapHostUrl: string;
  /** `host`, `host:port`, or `.domain` for any sub-domain: where files may lie. */
  mapHostFileHosts: readonly string[];
  /** Of this service: the map host wants to know who asks. */
  version: string;
  /** Told how long each request to the map host took, in milliseconds, whatever became of it. */
  onAsked?(milliseconds: number): void;
  /** How long one request to the map host may take, in milliseconds. */
  mapHostTimeoutMs?: number;
  /** How long a batch waits for its turns to ask the map host, in milliseconds. */
  mapBatchPatienceMs?: number;
}

const MAP_HOST_TIMEOUT_MS = 5_000;
const DOWNLOAD_TABLES = ['Pool', 'PoolMap'] as const;
/** What somebody writes into the database by hand is seen after this long. */
const DOWNLOADS_KNOWN_MS = 30_000;

export type Maps = ReturnType<typeof createService>;

/** Maps as the map host knows them, and what of the published pools is given to game clients. */
export function createService(options: MapsOptions) {
  const { database, clock, logger, baseUrl, mapHostUrl } = options;
  const { prisma } = database;
  const files = fileHosts(options.mapHostFileHosts, mapHostUrl);
  const gate = createGate({ database, clock, logger, origin: new URL(mapHostUrl).origin });
  const host = createMapHost({
    gate,
    clock,
    onAsked: options.onAsked,
    url: mapHostUrl,
    userAgent: `CompetitiveMatchService/${options.version} (+${baseUrl})`,
    timeoutMs: options.mapHostTimeoutMs ?? MAP_HOST_TIMEOUT_MS,
  });
  /** Addresses that were handed out, by hash: a map that many download costs no query until a pool changes. */
  let downloads = { mark: -1, since: 0, addresses: new Map<string, string>() };
  database.changes.watch(DOWNLOAD_TABLES);
  const knownDownloads = (): Map<string, string> => {
    const mark = database.changes.mark(DOWNLOAD_TABLES);
    if (mark !== downloads.mark || performance.now() - downloads.since > DOWNLOADS_KNOWN_MS)
      downloads = { mark, since: performance.now(), addresses: new Map() };
    return downloads.addresses;
  };
  const playlistUrlOf = (poolGuid: string) => `${baseUrl}/pools/${poolGuid}/playlist.bplist`;

  const categoryPlaylistUrlOf = (poolGuid: string, categoryGuid: string) =>
    `${baseUrl}/pools/${poolGuid}/categories/${categoryGuid}/playlist.bplist`;
  const draw = createCovers();
  const colorsOf = (categories: readonly { color: string | null }[]) =>
    categories.flatMap(({ color }) => color ?? []);
  const titleOf = ({ seasonName, name, namesakes }: store.PlaylistPool) =>
    `${seasonName} – ${name}${namesakes === 0 ? '' : ` (${namesakes + 1})`}`;

  return {
    ...createResolver({
      database,
      clock,
      logger,
      host,
      files,
      batchPatienceMs: options.mapBatchPatienceMs,
    }),

    /** What somebody on duty should know of the map host; null while all is well. */
    hostStatus: gate.status,

    /** How many questions wait on this node for a turn to ask the map host. */
    waitingForHost: gate.waiting,

    /** Upper-case hashes of all maps in published pools, sorted, each once. */
    hashes: (): Promise<string[]> => store.publishedHashes(prisma),

    /**
     * Where the map host keeps the file of exactly this hash, as stored when the map was added.
     * @param hash upper case
     * @throws MAP_NOT_FOUND unless it is in a pool that is or was published, and on an allowed host
     */
    downloadUrlOf: async (hash: string): Promise<string> => {
      // Taken before anything is read: what is read while a pool changes is kept for nobody.
      const known = knownDownloads();
      const address = known.get(hash);
      if (address !== undefined) return address;
      const stored = await store.downloadUrlsOf(prisma, hash);
      for (const one of stored) {
        // Looked at again: the list of hosts may have become shorter since.
        const accepted = files.accept(one);
        if (accepted === null) continue;
        known.set(hash, accepted);
        return accepted;
      }
      throw stored.length === 0
        ? mapErrors.MAP_NOT_FOUND()
        : mapErrors.MAP_NOT_FOUND({ message: 'The file of this map is where nobody is sent any more.' });
    },

    /**
     * All that is to be played now, and until when that is so by itself: a season begins at its time,
     * whether anybody writes then or not.
     * @throws PLAYLIST_NOT_AVAILABLE before anything was published
     */
    playlist: async (): Promise<PlaylistFile & { validUntil: number | null }> => {
      const now = clock.now();
      const found = await store.findPlaylistSeason(prisma, now);
      if (found === null) throw mapErrors.PLAYLIST_NOT_AVAILABLE();
      const file = playlistFile({
        title: found.seasonName,
        description: `All maps of ${found.seasonName}.`,
        syncUrl: `${baseUrl}/maps/playlist.bplist`,
        songs: await store.songsOf(prisma, found.poolGuids),
        cover: await draw({
          guid: found.seasonGuid,
          colors: colorsOf(await store.categoriesOf(prisma, found.poolGuids)),
        }),
      });
      return { ...file, validUntil: await store.nextSeasonStart(prisma, now) };
    },

    /** The maps of one pool that is or was published; null for any other. */
    playlistOf: async (poolGuid: string): Promise<PlaylistFile | null> => {
      const pool = await store.findPlaylistPool(prisma, poolGuid);
      if (pool === null) return null;
      return playlistFile({
        title: titleOf(pool),
        description: `The maps of the pool ${pool.name} of ${pool.seasonName}.`,
        syncUrl: playlistUrlOf(pool.poolGuid),
        songs: await store.songsOf(prisma, [pool.poolGuid]),
        cover: await draw({
          guid: pool.poolGuid,
          colors: colorsOf(await store.categoriesOf(prisma, [pool.poolGuid])),
        }),
      });
    },

    /** Those of them that are in one category; null where the pool was never published or has none. */
    playlistOfCategory: async (poolGuid: string, categoryGuid: string): Promise<PlaylistFile | null> => {
      const pool = await store.findPlaylistPool(prisma, poolGuid);
      const categories = pool === null ? [] : await store.categoriesOf(prisma, [poolGuid]);
      const category = categories.find((one) => one.categoryGuid === categoryGuid);
      if (pool === null || category === undefined) return null;
      return playlistFile({
        title: `${titleOf(pool)} – ${category.name}`,
        description: `The maps of the category ${category.name} in the pool ${pool.name} of ${pool.seasonName}.`,
        syncUrl: categoryPlaylistUrlOf(poolGuid, categoryGuid),
        songs: await store.songsOf(prisma, [poolGuid], categoryGuid),
        cover: await draw({ guid: `${poolGuid} ${categoryGuid}`, colors: colorsOf([category]) }),
      });
    },

    /** The cover of {@link playlistOf}, a PNG; null for a pool that was never published. */
    coverOf: async (poolGuid: string): Promise<Buffer | null> => {
      if ((await store.findPlaylistPool(prisma, poolGuid)) === null) return null;
      return draw({ guid: poolGuid, colors: colorsOf(await store.categoriesOf(prisma, [poolGuid])) });
    },

    /** Where {@link playlistOf} is served, and the link that makes a playlist manager fetch it. */
    playlistLinks: (poolGuid: string) => ({
      playlistUrl: playlistUrlOf(poolGuid),
      oneClickUrl: `bsplaylist://playlist/${playlistUrlOf(poolGuid)}`,
    }),
  };
}
