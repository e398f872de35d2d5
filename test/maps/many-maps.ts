import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { createMaps, type Maps, type MapsOptions } from '../../src/domains/maps/index.ts';
import type { MapVersion } from '../../src/domains/maps/schemas.ts';
import type { ServiceError } from '../../src/platform/errors.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { manualClock } from '../harness/clock.ts';
import type { TestDatabase } from '../harness/database.ts';

/**
 * A map host that has a map for every key, unless the test answers otherwise. The hash of a map ends with its key:
 * key 1f has the hash aa…1f.
 */

export const hashOf = (key: string): string => key.padStart(40, 'a');

export const mapOf = (key: string, changes: object = {}) => ({
  id: key,
  name: `Map ${key}`,
  metadata: { duration: 100, songName: `Song ${key}`, levelAuthorName: 'Somebody' },
  versions: [
    {
      hash: hashOf(key),
      state: 'Published',
      diffs: [{ characteristic: 'Standard', difficulty: 'Expert', notes: 430, maxScore: 388_355 }],
    },
  ],
  ...changes,
});

export interface Asked {
  url: string;
  /** Which lookup: one map by `id` or `hash`, many by `ids` or `hashes`. */
  lookup: 'id' | 'ids' | 'hash' | 'hashes';
  names: string[];
  /** When it came, milliseconds of `performance.now()`. */
  at: number;
}

type Respond = (asked: Asked, response: ServerResponse, request: IncomingMessage) => void;

/** The right answer. */
export function wellBehaved({ lookup, names }: Asked, response: ServerResponse): void {
  const keyOf = (name: string) => (lookup === 'hash' || lookup === 'hashes' ? name.replace(/^a+/, '') : name);
  const [one = ''] = names;
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify(
      lookup === 'id' || lookup === 'hash'
        ? mapOf(keyOf(one))
        : Object.fromEntries(names.map((name) => [name, mapOf(keyOf(name))])),
    ),
  );
}

/** Starts the host; `respond` may be replaced at any time. */
export async function startManyMaps() {
  const asked: Asked[] = [];
  const host = {
    asked,
    respond: wellBehaved as Respond,
    url: '',
    port: 0,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  const server = createServer((request, response) => {
    const [, kind = '', wanted = ''] = /^\/maps\/(id|ids|hash)\/([^/?]+)/.exec(request.url ?? '') ?? [];
    const names = wanted.split(',');
    const one: Asked = {
      url: request.url ?? '',
      lookup: kind === 'hash' && names.length > 1 ? 'hashes' : (kind as 'id' | 'ids' | 'hash'),
      names,
      at: performance.now(),
    };
    asked.push(one);
    host.respond(one, response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  host.port = (server.address() as AddressInfo).port;
  host.url = `http://127.0.0.1:${host.port}`;
  return host;
}
export type ManyMaps = Awaited<ReturnType<typeof startManyMaps>>;

type Given = 'storage' | 'database' | 'mapHostUrl' | 'mapHostFileHosts';

/** The maps of a node, with this database and map host. */
export const openMaps = (options: Pick<MapsOptions, Given> & Partial<MapsOptions>): Maps =>
  createMaps({
    clock: manualClock(),
    logger: pino({ level: 'silent' }),
    baseUrl: 'https://matches.example.org',
    version: '1.2.3',
    metrics: createMetrics(),
    ...options,
  });

/** Removes the stored answers of the map host. */
export async function forgetAnswers({ prisma }: TestDatabase): Promise<void> {
  await prisma.hostMapKey.deleteMany();
  await prisma.hostMapVersion.deleteMany();
}

/** The code of the refusal of a look-up; `resolved` when it succeeds. */
export const codeOf = (asking: Promise<unknown>): Promise<string> =>
  asking.then(
    () => 'resolved',
    (error: ServiceError) => error.code ?? String(error),
  );

/** Resolves one key or hash. @throws the refusal */
export async function resolveOne(maps: Maps, asked: string, options = {}): Promise<MapVersion> {
  const resolved = (await maps.resolveAll([asked], options)).get(asked);
  if (resolved === undefined || resolved instanceof Error) throw resolved;
  return resolved;
}
