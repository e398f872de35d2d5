import type { FastifyBaseLogger } from 'fastify';
import type { Table } from '../../platform/database/changes.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { dropOldest } from '../../platform/drop-oldest.ts';
import { playersByGuid } from '../players/index.ts';
import { staleMapsOf } from '../pools/index.ts';
import { namedIn, namesOf } from './names-store.ts';
import { playersOf, type ShownState } from './state.ts';
import type { DisplayData, PublicExtras } from './view.ts';

/**
 * Data that is shown with a match and is no part of it: the names of its players, and which of its maps are
 * outdated. Players of running matches get it from a cache, so that no command waits for it.
 */

type Shown = Pick<ShownState, 'poolGuid' | 'seats'>;

async function loadPlayers(db: Db, guids: readonly string[]): Promise<DisplayData['players']> {
  const found = await playersByGuid(db, guids);
  return new Map(
    [...found].map(([guid, { platformId, username, avatarUrl }]) => [
      guid,
      { platformId: platformId ?? '0', username, avatarUrl },
    ]),
  );
}

/** The display data of these matches as it is stored. */
export async function loadDisplay(db: Db, matches: readonly Shown[]): Promise<DisplayData> {
  if (matches.length === 0) return { players: new Map(), staleMaps: new Set() };
  const [players, stale] = await Promise.all([
    loadPlayers(db, [...new Set(matches.flatMap(playersOf))]),
    staleMapsOf(db, [...new Set(matches.map(({ poolGuid }) => poolGuid))]),
  ]);
  return { players, staleMaps: new Set([...stale.values()].flat()) };
}

/** The display data of these matches as it is stored, and the names of their queues, seasons and pools. */
export async function loadPublicExtras(
  db: Db,
  matches: readonly { state: ShownState }[],
): Promise<Pick<PublicExtras, 'display' | 'names'>> {
  const states = matches.map(({ state }) => state);
  const [display, names] = await Promise.all([loadDisplay(db, states), namesOf(db, namedIn(states))]);
  return { display, names };
}

/** A row that was changed by hand in the database shows after this time at the latest. */
const LIFETIME_MS = 30_000;
/** Outdated rows are collected for this long and read together. */
const REFRESH_AFTER_MS = 250;
const MOST = 20_000;

/** A cache of rows by key. A missing row is waited for; an outdated one is used once more and read again. */
function createRowCache<T>(
  { changes }: Database,
  logger: FastifyBaseLogger,
  tables: readonly Table[],
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, T>>,
) {
  /** null: there is no such row. `readAt` is of `performance.now()`. */
  const entries = new Map<string, { value: T | null; mark: number; readAt: number }>();
  const outdated = new Set<string>();
  let isRefreshPlanned = false;
  changes.watch(tables);

  const isCurrent = (key: string): boolean => {
    const entry = entries.get(key);
    return entry?.mark === changes.mark(tables) && performance.now() - entry.readAt < LIFETIME_MS;
  };

  const read = async (keys: readonly string[]): Promise<void> => {
    if (keys.length === 0) return;
    const since = { mark: changes.mark(tables), readAt: performance.now() };
    const found = await load(keys);
    for (const key of keys) {
      // Two reads may be answered in the opposite order. The read with the higher mark began later and stays.
      if ((entries.get(key)?.mark ?? 0) > since.mark) continue;
      entries.delete(key);
      entries.set(key, { value: found.get(key) ?? null, ...since });
    }
    dropOldest(entries, MOST);
  };

  const refreshOutdated = (): void => {
    isRefreshPlanned = false;
    const keys = [...outdated];
    outdated.clear();
    read(keys).catch((error: unknown) => logger.debug({ err: error, tables }, 'a cache was not refreshed'));
  };

  /** A read drops the entries that were set first. Until they are used, these are not among them. */
  const keep = (keys: readonly string[]): void => {
    for (const key of keys) {
      const entry = entries.get(key);
      if (entry === undefined) continue;
      entries.delete(key);
      entries.set(key, entry);
    }
  };

  const valuesOf = (keys: readonly string[]): Map<string, T> =>
    new Map(
      keys.flatMap((key) => {
        const value = entries.get(key)?.value ?? null;
        return value === null ? [] : [[key, value] as const];
      }),
    );

  return {
    cached: async (keys: readonly string[]): Promise<Map<string, T>> => {
      keep(keys);
      await read(keys.filter((key) => !entries.has(key)));
      for (const key of keys) if (!isCurrent(key)) outdated.add(key);
      if (outdated.size > 0 && !isRefreshPlanned) {
        isRefreshPlanned = true;
        setTimeout(refreshOutdated, REFRESH_AFTER_MS).unref();
      }
      return valuesOf(keys);
    },
    current: async (keys: readonly string[]): Promise<Map<string, T>> => {
      keep(keys);
      await read(keys.filter((key) => !isCurrent(key)));
      return valuesOf(keys);
    },
  };
}

export type DisplayCache = ReturnType<typeof createDisplayCache>;

export function createDisplayCache({ database, logger }: { database: Database; logger: FastifyBaseLogger }) {
  const { prisma } = database;
  const players = createRowCache(database, logger, ['Player'], (keys) => loadPlayers(prisma, keys));
  const staleMaps = createRowCache(database, logger, ['PoolMap'], (keys) => staleMapsOf(prisma, keys));

  const names = createRowCache(database, logger, ['Queue', 'Season', 'Pool'], (keys) =>
    namesOf(prisma, keys),
  );

  const read = async (how: 'cached' | 'current', matches: readonly Shown[]): Promise<DisplayData> => {
    const [named, stale] = await Promise.all([
      players[how](matches.flatMap(playersOf)),
      staleMaps[how]([...new Set(matches.map(({ poolGuid }) => poolGuid))]),
    ]);
    return { players: named, staleMaps: new Set([...stale.values()].flat()) };
  };

  return {
    /** For updates and acknowledgements: maybe outdated; the database is asked only for what is not cached. */
    cached: (...matches: readonly Shown[]) => read('cached', matches),
    /** For reads: what was changed meanwhile is read first. */
    current: (match: Shown) => read('current', [match]),
    /** The names of the queue, season and pool of a match, maybe outdated. */
    names: (match: ShownState) => names.cached(namedIn([match])),
    /** Reads a player again whose sign-in may have changed the name. */
    refresh: (playerGuid: string) => players.current([playerGuid]),
  };
}
