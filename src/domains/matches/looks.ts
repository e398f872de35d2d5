import type { FastifyBaseLogger } from 'fastify';
import type { Table } from '../../platform/database/changes.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { playersByGuid } from '../players/index.ts';
import { staleMapsOf } from '../pools/index.ts';
import { SEATS, type ShownState } from './state.ts';
import type { Looks } from './view.ts';

/**
 * What is shown with a match and is no part of it: the names of its players, and which of its maps are
 * outdated. Players of running matches see it from memory, so that no command waits for it.
 */

/** Whose looks these are: a match, whole or as everybody sees it. */
type Shown = Pick<ShownState, 'poolGuid'> & { seats: Record<'red' | 'blue', { playerGuid: string }> };

const playersOf = (matches: readonly Shown[]): string[] => [
  ...new Set(matches.flatMap(({ seats }) => SEATS.map((seat) => seats[seat].playerGuid))),
];
const poolsOf = (matches: readonly Shown[]): string[] => [
  ...new Set(matches.map(({ poolGuid }) => poolGuid)),
];

type PlayerLook = Looks['players'] extends ReadonlyMap<string, infer Look> ? Look : never;

async function loadPlayers(db: Db, guids: readonly string[]): Promise<Map<string, PlayerLook>> {
  const found = await playersByGuid(db, guids);
  return new Map(
    [...found].map(([guid, { platformId, username, avatarUrl }]) => [
      guid,
      { platformId: platformId ?? '0', username, avatarUrl },
    ]),
  );
}

/** The looks of these matches as they are stored. */
export async function loadLooks(db: Db, matches: readonly Shown[]): Promise<Looks> {
  if (matches.length === 0) return { players: new Map(), staleMaps: new Set() };
  const [players, stale] = await Promise.all([
    loadPlayers(db, playersOf(matches)),
    staleMapsOf(db, poolsOf(matches)),
  ]);
  return { players, staleMaps: new Set([...stale.values()].flat()) };
}

/** What is written by hand, past every node, shows after this long. */
const LIFETIME_MS = 30_000;
/** Outdated entries are read again at most this often, all of them together. */
const REFRESH_EVERY_MS = 250;
const MOST = 20_000;

interface KeptOptions<T> {
  /** Names of what is looked up, for the log. */
  what: string;
  table: Table;
  database: Database;
  logger: FastifyBaseLogger;
  load(keys: readonly string[]): Promise<ReadonlyMap<string, T>>;
}

/** Rows kept in memory by key. What is unknown is waited for; what is outdated is shown once more and read again. */
function createKept<T>({ what, table, database, logger, load }: KeptOptions<T>) {
  /** null: there is no such row. `readAt` is of `performance.now()`. */
  const entries = new Map<string, { value: T | null; mark: number; readAt: number }>();
  const outdated = new Set<string>();
  let refreshAt = 0;
  let isPlanned = false;
  database.changes.watch([table]);

  const mark = () => database.changes.mark([table]);
  const isCurrent = (key: string): boolean => {
    const entry = entries.get(key);
    return entry?.mark === mark() && performance.now() - entry.readAt < LIFETIME_MS;
  };

  const read = async (keys: readonly string[]): Promise<void> => {
    if (keys.length === 0) return;
    const since = { mark: mark(), readAt: performance.now() };
    const found = await load(keys);
    for (const key of keys) {
      // Answers of the database overtake each other; marks only grow.
      if ((entries.get(key)?.mark ?? 0) > since.mark) continue;
      entries.delete(key);
      entries.set(key, { value: found.get(key) ?? null, ...since });
    }
    for (const oldest of entries.keys()) {
      if (entries.size <= MOST) break;
      entries.delete(oldest);
    }
  };

  const refresh = (): void => {
    isPlanned = false;
    refreshAt = performance.now() + REFRESH_EVERY_MS;
    const keys = [...outdated];
    outdated.clear();
    read(keys).catch((error: unknown) => logger.debug({ err: error }, `${what} could not be read again`));
  };
  const refreshSoon = (): void => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(refresh, Math.max(0, refreshAt - performance.now())).unref();
  };

  const known = (keys: readonly string[]): Map<string, T> =>
    new Map(
      keys.flatMap((key) => {
        const value = entries.get(key)?.value ?? null;
        return value === null ? [] : [[key, value] as const];
      }),
    );

  return {
    /** From memory where it is there, for what must not wait. */
    seen: async (keys: readonly string[]): Promise<Map<string, T>> => {
      const missing = keys.filter((key) => !entries.has(key));
      if (missing.length > 0) await read(missing);
      for (const key of keys) if (!isCurrent(key)) outdated.add(key);
      if (outdated.size > 0) refreshSoon();
      return known(keys);
    },
    /** As this node knows it to be stored now. */
    current: async (keys: readonly string[]): Promise<Map<string, T>> => {
      await read(keys.filter((key) => !isCurrent(key)));
      return known(keys);
    },
  };
}

export interface LooksOfMatches {
  /** For updates and acknowledgements: the database is asked only for whom this node does not know. */
  seen(match: Shown): Promise<Looks>;
  /** For questions: what was written meanwhile is read first. */
  current(match: Shown): Promise<Looks>;
  /** A player has signed in, maybe with another name: it is known here from now on. */
  renew(playerGuid: string): Promise<void>;
}

export function createLooks({
  database,
  logger,
}: {
  database: Database;
  logger: FastifyBaseLogger;
}): LooksOfMatches {
  const { prisma } = database;
  const players = createKept({
    what: 'names of players',
    table: 'Player',
    database,
    logger,
    load: (keys) => loadPlayers(prisma, keys),
  });
  const staleMaps = createKept({
    what: 'outdated maps',
    table: 'PoolMap',
    database,
    logger,
    load: (keys) => staleMapsOf(prisma, keys),
  });

  const look =
    (how: 'seen' | 'current') =>
    async (match: Shown): Promise<Looks> => {
      const { poolGuid } = match;
      const [named, stale] = await Promise.all([
        players[how](playersOf([match])),
        staleMaps[how]([poolGuid]),
      ]);
      return { players: named, staleMaps: new Set(stale.get(poolGuid)) };
    };

  return {
    seen: look('seen'),
    current: look('current'),
    renew: async (playerGuid) => void (await players.current([playerGuid])),
  };
}
