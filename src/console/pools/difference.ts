import type { Shapes } from '../api.ts';

type PoolMap = Shapes['PoolMap'];

/** The members that may differ between two rows of the same map. */
export type Field = 'upload' | 'difficulty' | 'category' | 'modifiers';

export interface Changed {
  before: PoolMap;
  after: PoolMap;
  fields: readonly Field[];
}

/** How the maps of a pool differ from those of another one, or from its own at an earlier time. */
export interface Difference {
  added: readonly PoolMap[];
  removed: readonly PoolMap[];
  changed: readonly Changed[];
  /** How many rows are the same. */
  same: number;
}

const modifiersOf = ({ modifiers }: PoolMap): string => [...modifiers].sort().join(' ');

const fieldsOf = (before: PoolMap, after: PoolMap): Field[] => {
  const differs: Record<Field, boolean> = {
    upload: before.hash !== after.hash,
    difficulty: before.characteristic !== after.characteristic || before.difficulty !== after.difficulty,
    category: before.categoryGuid !== after.categoryGuid,
    modifiers: modifiersOf(before) !== modifiersOf(after),
  };
  return (Object.keys(differs) as Field[]).filter((field) => differs[field]);
};

/**
 * What says that two rows are one and the same, from the surest to the weakest: the row itself, the difficulty of an
 * upload, the same difficulty of another upload, another difficulty of the same map.
 */
const LIKENESSES: readonly ((map: PoolMap) => string)[] = [
  ({ mapGuid }) => mapGuid,
  ({ hash, characteristic, difficulty }) => `${hash}/${characteristic}/${difficulty}`,
  ({ key, characteristic, difficulty }) => `${key}/${characteristic}/${difficulty}`,
  ({ key }) => key,
];

/** Compares maps. A row of the first list is paired with one of the second at most; each list keeps its order. */
export function differenceOf(before: readonly PoolMap[], after: readonly PoolMap[]): Difference {
  const partner = new Map<PoolMap, PoolMap>();
  let left = [...before];
  for (const likeness of LIKENESSES) {
    const waiting = new Map<string, PoolMap[]>();
    for (const map of left) waiting.set(likeness(map), [...(waiting.get(likeness(map)) ?? []), map]);
    for (const map of after) {
      if (partner.has(map)) continue;
      const found = waiting.get(likeness(map))?.shift();
      if (found !== undefined) partner.set(map, found);
    }
    const taken = new Set(partner.values());
    left = left.filter((map) => !taken.has(map));
  }
  const pairs = after.flatMap((map): Changed[] => {
    const found = partner.get(map);
    return found === undefined ? [] : [{ before: found, after: map, fields: fieldsOf(found, map) }];
  });
  const changed = pairs.filter(({ fields }) => fields.length > 0);
  return {
    added: after.filter((map) => !partner.has(map)),
    removed: left,
    changed,
    same: pairs.length - changed.length,
  };
}

export const isSame = ({ added, removed, changed }: Difference): boolean =>
  added.length + removed.length + changed.length === 0;
