import type { Db } from '../../platform/database/database.ts';
import { dropOldest } from '../../platform/drop-oldest.ts';
import { frozen } from '../../platform/frozen.ts';
import { loadPoolMaps } from '../pools/index.ts';
import type { MatchMap, MatchState } from './state.ts';

/**
 * States of matches as they are stored: in the place of its map a card has the guid of the map, because the pool keeps the
 * maps. Every change of a match writes its state, and with the maps it would be several times as long.
 */

/** A card as it is stored, until its map is put into it. */
interface StoredCard {
  map: unknown;
}

/** The pools that were read last stay in memory; one takes up to some hundred kilobytes. */
const MOST_POOLS = 100;
const pools = new Map<string, ReadonlyMap<string, MatchMap>>();

/**
 * The maps of a pool as a match is made from them, by guid, in the order of their guids. The cache needs no invalidation:
 * only published and retired pools have matches, and the maps of those never change.
 */
export async function matchMapsOf(db: Db, poolGuid: string): Promise<ReadonlyMap<string, MatchMap>> {
  const cached = pools.get(poolGuid);
  if (cached !== undefined) return cached;
  const rows = await loadPoolMaps(db, poolGuid);
  const maps = new Map(rows.map(({ stale: _, ...map }) => [map.mapGuid, frozen(map)]));
  if (maps.size > 0) pools.set(poolGuid, maps);
  dropOldest(pools, MOST_POOLS);
  return maps;
}

/** The JSON of a state to store. */
export const storedText = (state: MatchState): string =>
  JSON.stringify(state, (name, value) => (name === 'map' ? value.mapGuid : value));

/**
 * The JSON of a row with its state. The text of the state is inserted, because a state is stored without its maps.
 * @param about the other columns, at least one
 */
export const rowText = (about: object, state: MatchState): string =>
  `${JSON.stringify(about).slice(0, -1)},"state":${storedText(state)}}`;

/** The cards in a stored value that have no maps yet. Older states have them. */
function cardsIn(value: unknown): StoredCard[] {
  if (typeof value !== 'object' || value === null) return [];
  return 'map' in value && typeof value.map === 'string' ? [value] : Object.values(value).flatMap(cardsIn);
}

/** A stored state with a map that its pool does not have. Somebody wrote into the database. */
class IncompleteState extends TypeError {}

/**
 * Puts the maps into the cards of states, or parts of states, that were read.
 * @returns the same rows
 * @throws IncompleteState
 */
export async function withMaps<Row extends { state: { poolGuid: string } }>(
  db: Db,
  rows: Row[],
): Promise<Row[]> {
  for (const { state } of rows) {
    const cards = cardsIn(state);
    if (cards.length === 0) continue;
    const maps = await matchMapsOf(db, state.poolGuid);
    for (const card of cards) {
      const map = maps.get(String(card.map));
      if (map === undefined) throw new IncompleteState(`The pool ${state.poolGuid} has no map ${card.map}.`);
      card.map = map;
    }
  }
  return rows;
}

/**
 * The same for the rows of many matches. Those with an incomplete state are left out: the other matches must not wait for
 * them. The log names such a match when its limit cannot be applied, or its log is checked after the end.
 */
export async function completeAmong<Row extends { state: { poolGuid: string } }>(
  db: Db,
  rows: readonly Row[],
): Promise<Row[]> {
  const complete: Row[] = [];
  for (const row of rows) {
    try {
      complete.push(...(await withMaps(db, [row])));
    } catch (error) {
      if (!(error instanceof IncompleteState)) throw error;
    }
  }
  return complete;
}
