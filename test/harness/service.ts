import pino from 'pino';
import supertest from 'supertest';
import { inject } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { ACCOUNTS } from '../../src/local/identity-provider/accounts.ts';
import type { IdentityProvider } from '../../src/local/identity-provider/server.ts';
import { listEntries, loadCatalogue } from '../../src/local/map-host/catalogue.ts';
import type { MapHost } from '../../src/local/map-host/server.ts';
import { openSurroundings, PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { Service, ServiceOptions } from '../../src/service.ts';
import { cloneDatabase, release, type TestDatabase } from './database.ts';
import { startObservedService } from './observed-writes.ts';
import { httpMisfit, note } from './references.ts';
import { SocketPlayer } from './socket-player.ts';

/** The real service with real servers; a test can replace only its clock and randomness. */
export interface TestService {
  url: string;
  environment: Record<string, string>;
  database: TestDatabase;
  identityProvider: IdentityProvider;
  mapHost: MapHost;
  service: Service;
  /** A request with the token of a local account, or without one. */
  request(
    account: string | null,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: any; headers: Record<string, string> }>;
  /** Connects a player over a real socket. */
  connect(
    name: string,
    options?: { token?: string; pluginVersion?: string; transports?: string[] },
  ): Promise<SocketPlayer>;
  /** An open queue with a published pool: this one, else a new one of so many maps. */
  openQueue(options?: {
    poolGuid?: string;
    maps?: number;
    rules?: object;
  }): Promise<{ queueGuid: string; poolGuid: string; seasonGuid: string }>;
  /** The token with which a game plugin connects a player of this name. */
  gameToken(name: string): Promise<string>;
  /** Stops the service alone; database, identity provider and map host go on. */
  stopService(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  clock?: Clock;
  environment?: Record<string, string>;
  rulebook?: NonNullable<ServiceOptions['rulebook']>;
  randomness?: NonNullable<ServiceOptions['randomness']>;
}

/** Limits that a test may wait for, and no rate limits: tests of those set their own. */
const QUICK: Record<string, string> = {
  MATCHMAKING_INTERVAL_MS: '200',
  COUNTDOWN_SECONDS: '0.1',
  ROUND_RESULTS_SECONDS: '0.1',
  SCORE_EARLIEST_SHARE: '0',
  RATE_LIMIT_FACTOR: '0',
  REMATCH_SECONDS: '0.001',
  DRAIN_DELAY_SECONDS: '0.01',
  LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
};

/**
 * The platform id of a name: a player with that name is the same one in every test of a file. One with the name of a
 * local account is the person who signs in with it.
 */
export const platformIdOf = (name: string): string =>
  Object.values(ACCOUNTS).find(({ username }) => username === name)?.platformId ??
  `77${[...name].map((letter) => String(letter.charCodeAt(0)).padStart(3, '0')).join('')}`.slice(0, 30);

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = await cloneDatabase();
  const around = await openSurroundings({
    database: database.url,
    identityProviderKeyFile: inject('signingKeyFile'),
    now: options.clock?.now,
  });
  const { identityProvider, mapHost } = around;
  const [node] = around.nodes;
  const { url } = node;
  const environment: Record<string, string> = { ...node.environment, ...QUICK, ...options.environment };
  const config = loadConfig(environment);
  const service = await startObservedService(config, {
    logger: pino({ level: config.logLevel }, pino.destination(2)),
    ...(options.clock && { clock: options.clock }),
    ...(options.rulebook && { rulebook: options.rulebook }),
    ...(options.randomness && { randomness: options.randomness }),
  });

  const players: SocketPlayer[] = [];
  const gameToken = (name: string): Promise<string> =>
    identityProvider.gameToken({ platformId: platformIdOf(name), username: name });
  let stopped: Promise<void> | undefined;
  const stopService = (): Promise<void> => {
    stopped ??= service.stop();
    return stopped;
  };
  const request: TestService['request'] = async (account, method, path, body) => {
    const token = account && (await identityProvider.accountToken(account as never));
    const sent = supertest(url)[method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'](path);
    if (token) sent.set('authorization', `Bearer ${token}`);
    const { status, body: answer, headers, type } = await sent.send(body as object | undefined);
    const header = (name: string): string | null => headers[name.toLowerCase()] ?? null;
    const read = type === 'application/json' ? answer : undefined;
    note(httpMisfit({ method, path: path.split('?', 1)[0] ?? '', status, header, body: read }));
    return { status, body: answer, headers };
  };
  const must = async (account: string, method: string, path: string, body?: unknown) => {
    const answer = await request(account, method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };

  const openSeason = async (): Promise<string> => {
    const now = Date.now();
    const seasons = await must('admin', 'GET', '/seasons');
    const season =
      seasons.items[0] ??
      (await must('admin', 'POST', '/seasons', {
        name: 'Season',
        startsAt: new Date(now - 3_600_000).toISOString(),
        endsAt: new Date(now + 30 * 86_400_000).toISOString(),
      }));
    return season.seasonGuid;
  };
  const publishPool = async (seasonGuid: string, maps: number): Promise<string> => {
    const categories = await must('admin', 'GET', '/map-categories');
    const category =
      categories.items[0] ?? (await must('admin', 'POST', '/map-categories', { name: 'Accuracy' }));
    const { poolGuid } = await must('admin', 'POST', '/pools', { seasonGuid, name: 'Pool' });
    const entries = listEntries(loadCatalogue()).filter((entry) => entry.playable && entry.maxScore !== null);
    await must('pooler-one', 'POST', `/pools/${poolGuid}/maps/batch`, {
      maps: entries.slice(0, maps).map(({ key, characteristic, difficulty }) => ({
        key,
        characteristic,
        difficulty,
        categoryGuid: category.categoryGuid,
        modifiers: [],
      })),
    });
    await must('pooler-one', 'POST', `/pools/${poolGuid}/submit`);
    await must('pooler-two', 'POST', `/pools/${poolGuid}/reviews`, { verdict: 'approve' });
    await must('admin', 'POST', `/pools/${poolGuid}/publish`);
    return poolGuid;
  };

  const started: TestService = {
    url,
    environment,
    database,
    identityProvider,
    mapHost,
    service,
    request,
    connect: async (name, { token, pluginVersion = PLUGIN_VERSION, transports } = {}) => {
      const player = await SocketPlayer.connect({
        url,
        name,
        token: token ?? (await gameToken(name)),
        pluginVersion,
        transports,
      });
      players.push(player);
      return player;
    },
    openQueue: async ({ poolGuid: given, maps = 24, rules } = {}) => {
      const seasonGuid = await openSeason();
      const poolGuid = given ?? (await publishPool(seasonGuid, maps));
      const queue = await must('admin', 'POST', '/queues', { name: 'Queue', poolGuid, rules });
      await must('admin', 'POST', `/queues/${queue.queueGuid}/open`);
      return { queueGuid: queue.queueGuid, poolGuid, seasonGuid };
    },
    gameToken,
    stopService,
    stop: async () => {
      for (const player of players) player.leave();
      await stopService();
      await around.stop();
      await database.drop();
      release(started);
    },
  };
  return started;
}
