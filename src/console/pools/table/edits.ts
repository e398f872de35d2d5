import type { Shapes } from '../../api.ts';
import type { PastedRow } from './pasted.ts';

/** Unsaved changes of a pool. The maps as the service has them are kept apart. */

export type PoolMap = Shapes['PoolMap'];

/** The values that staff choose for a map. */
export interface Values {
  characteristic: string;
  difficulty: string;
  categoryGuid: string;
  modifiers: readonly string[];
}

/** A category that can be chosen. */
export type Category = Pick<Shapes['MapCategory'], 'categoryGuid' | 'name'>;

/** In place of a difficulty: the hardest that can be played, as soon as the map was looked up. */
export const HARDEST = 'hardest';

export type Field = keyof Values;
export const FIELDS: readonly Field[] = ['characteristic', 'difficulty', 'categoryGuid', 'modifiers'];

/** A map to add. '' is a value that is not chosen yet. */
export interface Addition extends Values {
  id: string;
  key: string;
  hash: string;
  /** The name of a category that does not exist, as it was pasted. */
  category: string;
}

/** An unsaved change or removal of a map that is in the pool. */
export interface MapChange {
  /** The map as it was when it was first changed here. */
  seen: PoolMap;
  values: Partial<Values>;
  isRemoval: boolean;
}

export interface Edits {
  additions: readonly Addition[];
  /** By guid of the map. */
  changes: ReadonlyMap<string, MapChange>;
}

export const NO_EDITS: Edits = { additions: [], changes: new Map() };

/** The number of unsaved rows. */
export const countRows = ({ additions, changes }: Edits): number => additions.length + changes.size;
export const isEmpty = (edits: Edits): boolean => countRows(edits) === 0;

/** Whether two values of a field are the same. The order of modifiers means nothing. */
const isSame = (one: Values[Field], other: Values[Field]): boolean =>
  typeof one === 'string' || typeof other === 'string'
    ? one === other
    : one.length === other.length && one.every((code) => other.includes(code));

/** The fields in which two rows differ. */
export const differing = (one: Values, other: Values): Field[] =>
  FIELDS.filter((field) => !isSame(one[field], other[field]));

/** The values of these fields alone. */
export const valuesIn = <Row extends Partial<Values>>(row: Row, fields: readonly Field[]): Partial<Row> =>
  Object.fromEntries(fields.map((field) => [field, row[field]])) as Partial<Row>;

/** The fields in which a change gives a map another value than it has. */
export const changedFields = ({ values }: MapChange, map: PoolMap): Field[] =>
  differing({ ...map, ...values }, map);

/** Adds a change. Values that the map already has are left out; a change without values is not added. */
export function withChange(changes: Edits['changes'], current: PoolMap, change: MapChange): Edits['changes'] {
  const fields = changedFields(change, current);
  const next = new Map(changes);
  if (!change.isRemoval && fields.length === 0) next.delete(current.mapGuid);
  else next.set(current.mapGuid, { ...change, values: valuesIn(change.values, fields) });
  return next;
}

/** Removes changes that the pool already has. Changes of removed maps stay. */
export function withoutDone(edits: Edits, maps: readonly PoolMap[]): Edits {
  const current = new Map(maps.map((map) => [map.mapGuid, map]));
  let changes: Edits['changes'] = new Map();
  for (const [guid, change] of edits.changes) {
    const map = current.get(guid);
    if (map !== undefined) changes = withChange(changes, map, change);
    else if (!change.isRemoval) changes = new Map([...changes, [guid, change]]);
  }
  return { ...edits, changes };
}

/** Whether a map of the pool is this addition, with all its values. */
export const isStoredAs = (map: PoolMap, addition: Addition): boolean =>
  map.hash === addition.hash && differing(map, addition).length === 0;

/** Removes additions that are in the pool with all their values, unless the map there is to be removed. */
export function withoutStored({ additions, changes }: Edits, maps: readonly PoolMap[]): Edits {
  const staying = maps.filter(({ mapGuid }) => !changes.get(mapGuid)?.isRemoval);
  const left = additions.filter((addition) => !staying.some((map) => isStoredAs(map, addition)));
  return { additions: left, changes };
}

/** Changes maps of the pool with these guids, and leaves those alone that are not there. */
function changeMaps(
  edits: Edits,
  base: readonly PoolMap[],
  ids: ReadonlySet<string>,
  to: (change: MapChange) => MapChange,
): Edits {
  let { changes } = edits;
  for (const map of base) {
    if (!ids.has(map.mapGuid)) continue;
    const before = changes.get(map.mapGuid) ?? { seen: map, values: {}, isRemoval: false };
    changes = withChange(changes, map, to(before));
  }
  return { ...edits, changes };
}

/** Sets values in rows. @param valuesOf the values of a row; null: it stays as it is */
export function setValues(
  edits: Edits,
  base: readonly PoolMap[],
  ids: ReadonlySet<string>,
  valuesOf: (id: string) => Partial<Values> | null,
): Edits {
  const changed = changeMaps(edits, base, ids, (change) => ({
    ...change,
    values: { ...change.values, ...valuesOf(change.seen.mapGuid) },
  }));
  const additions = changed.additions.map((addition) => {
    const values = ids.has(addition.id) ? valuesOf(addition.id) : null;
    if (values === null) return addition;
    return { ...addition, ...values, ...(values.categoryGuid !== undefined && { category: '' }) };
  });
  return { ...changed, additions };
}

/** Removes rows: rows to be added are dropped, rows of the pool are marked, and rows that another person removed are dropped. */
export function removeRows(edits: Edits, base: readonly PoolMap[], ids: ReadonlySet<string>): Edits {
  const marked = changeMaps(edits, base, ids, (change) => ({ ...change, isRemoval: true }));
  const there = new Set(base.map(({ mapGuid }) => mapGuid));
  return {
    additions: marked.additions.filter(({ id }) => !ids.has(id)),
    changes: new Map([...marked.changes].filter(([guid]) => there.has(guid) || !ids.has(guid))),
  };
}

/** Takes the marks of a removal away. */
export const restoreRows = (edits: Edits, base: readonly PoolMap[], ids: ReadonlySet<string>): Edits =>
  changeMaps(edits, base, ids, (change) => ({ ...change, isRemoval: false }));

/** Drops the changes of a map of the pool. */
export function dropChange(edits: Edits, id: string): Edits {
  const changes = new Map(edits.changes);
  changes.delete(id);
  return { ...edits, changes };
}

/** Keeps a change although somebody else has changed the same map meanwhile. */
export function keepChange(edits: Edits, base: readonly PoolMap[], id: string): Edits {
  const current = base.find(({ mapGuid }) => mapGuid === id);
  const change = edits.changes.get(id);
  if (current === undefined || change === undefined) return edits;
  return { ...edits, changes: withChange(edits.changes, current, { ...change, seen: current }) };
}

/** Adds a map again that somebody else has removed, with what was changed in it. */
export function addAgain(edits: Edits, id: string, newId: string): Edits {
  const change = edits.changes.get(id);
  if (change === undefined) return edits;
  const { key, hash, characteristic, difficulty, categoryGuid, modifiers } = change.seen;
  const values = { characteristic, difficulty, categoryGuid, modifiers, ...change.values };
  const addition: Addition = { id: newId, key, hash, category: '', ...values };
  return dropChange({ ...edits, additions: [...edits.additions, addition] }, id);
}

/** Adds rows. A category is found by its name: the same one first, then one that differs in upper and lower case. */
export function addRows(
  edits: Edits,
  rows: readonly PastedRow[],
  categories: readonly Category[],
  firstId: number,
): Edits {
  const additions = rows.map(({ category, ...row }, at): Addition => {
    const name = category.normalize('NFC');
    const found =
      categories.find((one) => one.name === name) ??
      categories.find((one) => one.name.toLowerCase() === name.toLowerCase());
    const id = `new-${firstId + at}`;
    return { ...row, id, categoryGuid: found?.categoryGuid ?? '', category: found ? '' : category };
  });
  return { ...edits, additions: [...edits.additions, ...additions] };
}
