import { pino } from 'pino';
import { createAudit } from '../../src/domains/audit/index.ts';
import { createCategories } from '../../src/domains/categories/index.ts';
import { createMaps, type MapsOptions } from '../../src/domains/maps/index.ts';
import { createPools } from '../../src/domains/pools/index.ts';
import { createQueues } from '../../src/domains/queues/index.ts';
import { createSeasons } from '../../src/domains/seasons/index.ts';
import { loadCatalogue } from '../../src/local/map-host/catalogue.ts';
import { type MapHost, startMapHost } from '../../src/local/map-host/server.ts';
import { newGuid } from '../../src/platform/clock.ts';
import type { Principal } from '../../src/platform/http/principal.ts';
import { createPublicReads } from '../../src/platform/http/reads.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { type ManualClock, manualClock } from './clock.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';
import { createQuietHttp } from './http.ts';
import { temporaryStorage } from './storage.ts';

export const BASE_URL = 'http://localhost:3000';

/** The answer to one request. */
export interface Answer {
  status: number;
  headers: Record<string, string | undefined>;
  body: any;
}

/** A person who sends requests. */
export interface Caller {
  playerGuid: string;
  get(url: string, headers?: Record<string, string>): Promise<Answer>;
  head(url: string): Promise<Answer>;
  post(url: string, body?: unknown, headers?: Record<string, string>, signal?: AbortSignal): Promise<Answer>;
  patch(url: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(url: string, headers?: Record<string, string>): Promise<Answer>;
}

export interface Curation {
  database: TestDatabase;
  clock: ManualClock;
  mapHost: MapHost;
  queues: ReturnType<typeof createQueues>;
  /** The messages that players who wait in drained queues would get. */
  drained: { queueGuids: readonly string[]; reason: string }[];
  nobody: Caller;
  admin: Caller;
  pooler: Caller;
  /** Another person with the same role. */
  reviewer: Caller;
  /** Back to the beginning: no pools, no waiting players, a map host that answers. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The curation domains behind real HTTP on a database and a map host of their own. The
 * access table is tested elsewhere: here a header says who asks.
 */
export async function startCuration(options: Partial<MapsOptions> = {}): Promise<Curation> {
  const database = await cloneDatabase();
  const clock = manualClock();
  const mapHost = await startMapHost({ port: 0 });
  const drained: Curation['drained'] = [];

  const logger = pino({ level: 'silent' });
  const storage = await temporaryStorage();
  const maps = createMaps({
    database,
    storage,
    clock,
    logger,
    baseUrl: BASE_URL,
    mapHostUrl: mapHost.url,
    mapHostFileHosts: [mapHost.fileHost],
    version: '0.0.0',
    metrics: createMetrics(),
    ...options,
  });
  const queues = createQueues({
    database,
    clock,
    logger,
    onDraining: async (queueGuids, reason) => {
      drained.push({ queueGuids, reason });
    },
  });
  const pools = createPools({ database, logger, clock, maps, onRetired: queues.drainQueuesOfPool });

  const http = await createQuietHttp({
    clock,
    reads: createPublicReads({ changes: database.changes, clock }),
  });
  http.decorateRequest('principal', null);
  http.addHook('onRequest', async (request) => {
    const as = request.headers.authorization;
    if (as !== undefined) request.principal = asPrincipal(as);
  });
  const seasons = createSeasons({ database, clock });
  const categories = createCategories({ database, clock });
  const audit = createAudit({ database });
  for (const { routes } of [seasons, categories, maps, pools, queues, audit]) await routes(http);
  const url = await http.listen({ host: '127.0.0.1', port: 0 });

  const caller = (...roles: string[]): Caller => {
    const playerGuid = newGuid();
    const send = async (
      method: string,
      path: string,
      body: unknown,
      headers: Record<string, string> = {},
      signal?: AbortSignal,
    ): Promise<Answer> => {
      const answer = await fetch(`${url}${path}`, {
        method,
        signal,
        redirect: 'manual',
        headers: {
          ...(roles.length > 0 && { authorization: `${playerGuid} ${roles.join(' ')}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: text === '' ? null : JSON.parse(text),
      };
    };
    return {
      playerGuid,
      get: (path, headers) => send('GET', path, undefined, headers),
      head: (path) => send('HEAD', path, undefined),
      post: (path, body, headers, signal) => send('POST', path, body, headers, signal),
      patch: (path, body, headers) => send('PATCH', path, body, headers),
      delete: (path, headers) => send('DELETE', path, undefined, headers),
    };
  };

  return {
    database,
    clock,
    mapHost,
    queues,
    drained,
    nobody: caller(),
    admin: caller('role:admin'),
    pooler: caller('role:pooler'),
    reviewer: caller('role:pooler'),
    clear: async () => {
      const { prisma } = database;
      await prisma.match.deleteMany();
      await prisma.queueEntry.deleteMany();
      await prisma.queue.deleteMany();
      await prisma.pool.deleteMany();
      await prisma.mapCategory.deleteMany();
      await prisma.season.deleteMany();
      drained.length = 0;
      mapHost.fail(null);
    },
    stop: async () => {
      await http.close();
      await maps.covers.stop();
      await mapHost.stop();
      await database.drop();
    },
  };
}

function asPrincipal(header: string): Principal {
  const [playerGuid = '', ...roles] = header.split(' ');
  return {
    playerGuid,
    subject: playerGuid,
    roles: new Set(roles),
    tokenType: 'access',
    platformId: null,
    username: 'staff',
    avatarUrl: null,
    expiresAt: Number.MAX_SAFE_INTEGER,
  };
}

/** The body of a successful answer. @throws Error with the refusal */
export function done<T = Answer['body']>({ status, body }: Answer): T {
  if (status >= 300) throw new Error(`refused with ${status}: ${JSON.stringify(body)}`);
  return body as T;
}

/** Status and code of a refusal, as one line. */
export const refusal = ({ status, body }: Pick<Answer, 'status' | 'body'>): string =>
  `${status} ${body?.error?.code}`;

/** The requests to the map host without those for covers, which are fetched in the background after a map was added. */
export const askedOf = ({ requests }: { requests: readonly { path: string }[] }) =>
  requests.filter(({ path }) => !path.endsWith('.jpg'));

/** A season around now, a category, and a draft in it: what most tests of maps begin with. */
export async function startDraft({ admin, clock }: Curation) {
  const season = done(
    await admin.post('/seasons', {
      name: 'Season',
      startsAt: new Date(clock.now() - 86_400_000).toISOString(),
      endsAt: new Date(clock.now() + 86_400_000).toISOString(),
    }),
  );
  const category = done(await admin.post('/map-categories', { name: 'tech' }));
  const pool = done(await admin.post('/pools', { seasonGuid: season.seasonGuid, name: 'Pool' }));
  return {
    seasonGuid: season.seasonGuid as string,
    categoryGuid: category.categoryGuid as string,
    poolGuid: pool.poolGuid as string,
  };
}

/** Distinct playable maps of the map host's catalogue, as the staff would ask for them. */
export function someMaps(count: number, categoryGuid: string) {
  return loadCatalogue()
    .flatMap((map) => {
      const played = map.difficulties.find(
        (one) => one.characteristic === 'Standard' && (one.maxScore ?? 0) > 0,
      );
      return played && map.shape !== '2021' && map.durationSeconds > 0 ? [{ map, played }] : [];
    })
    .slice(0, count)
    .map(({ map, played }) => ({
      key: map.key,
      characteristic: played.characteristic,
      difficulty: played.difficulty,
      categoryGuid,
      modifiers: [] as string[],
    }));
}

/** A published pool with this many maps. */
export async function publishPool(curation: Curation, poolGuid: string, categoryGuid: string, maps: number) {
  const { admin, pooler, reviewer } = curation;
  if (maps > 0)
    done(await pooler.post(`/pools/${poolGuid}/maps/batch`, { maps: someMaps(maps, categoryGuid) }));
  done(await pooler.post(`/pools/${poolGuid}/submit`));
  done(await reviewer.post(`/pools/${poolGuid}/reviews`, { verdict: 'approve' }));
  return done(await admin.post(`/pools/${poolGuid}/publish`));
}
