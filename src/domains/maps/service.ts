import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { existing, ServiceError } from '../../platform/errors.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { createMapCovers } from './covers.ts';
import { createDownloads } from './downloads.ts';
import { mapErrors } from './errors.ts';
import { createGate } from './gate.ts';
import { createMapHost } from './host.ts';
import { createPlaylists } from './playlists.ts';
import { createRequests } from './requests.ts';
import { createResolver } from './resolver.ts';
import { fileHosts, lookedUp } from './rules.ts';
import type { LookupQuery } from './schemas.ts';
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
  onAsked(milliseconds: number): void;
  /** How long one request to the map host may take, in milliseconds. */
  mapHostTimeoutMs?: number;
  /** How long a batch waits for its turns to ask the map host, in milliseconds. */
  mapBatchPatienceMs?: number;
}

const MAP_HOST_TIMEOUT_MS = 5_000;
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
  const resolver = createResolver({ ...options, host, files });

  return {
    ...resolver,
    ...createDownloads(database, files),
    ...createPlaylists(options),

    /** The map that a key, or a hash, would add now. Its cover is fetched afterwards. @throws MAP_NOT_FOUND, UPSTREAM_UNAVAILABLE */
    lookUp: async ({ key, hash = '' }: LookupQuery) => {
      const asked = key ?? hash;
      const version = existing((await resolver.resolveAll([asked])).get(asked), mapErrors.MAP_NOT_FOUND);
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
  };
}
