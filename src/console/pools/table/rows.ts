import { speedConflict } from '../../../pages/parts/rules.ts';
import { VALUES } from '../../contract.ts';
import {
  type Addition,
  changedFields,
  differing,
  type Field,
  HARDEST,
  type MapChange,
  NO_EDITS,
  type PoolMap,
  type Values,
} from './edits.ts';
import type { Lookup, TableState } from './model.ts';
import { isModifier } from './pasted.ts';

/** The rows of the table as they are shown: the maps of the pool with what is changed in them, and those to be added. */

/** Why a row is not saved yet. */
export type Missing =
  | 'lookup'
  | 'refused'
  | 'difficulty'
  | 'notThere'
  | 'category'
  | 'modifiers'
  | 'speeds'
  | 'twin'
  | 'lost';

/** A row. Every member keeps its identity as long as it does not change. */
export interface RowView extends Values {
  id: string;
  kind: 'kept' | 'changed' | 'removed' | 'new' | 'lost';
  key: string;
  hash: string;
  /** '' while the map is unknown. */
  name: string;
  durationSeconds: number | null;
  isStale: boolean;
  /** Another upload than the pasted one is published now. */
  isReplaced: boolean;
  /** The pasted name of a category that does not exist. */
  unknownCategory: string;
  lookup: Lookup | null;
  missing: Missing | null;
  /** The number of an earlier row with the same map and difficulty, or with another difficulty of it. */
  twin: number | null;
  sibling: number | null;
  /** The refusal of the service when it was saved. */
  problem: string | null;
  /** The map as somebody else has changed it meanwhile, where this is not what is chosen here. */
  theirs: PoolMap | null;
  /** The map before it was changed here. */
  was: PoolMap | null;
  /** The change that somebody else made to it meanwhile. */
  mark: 'added' | 'changed' | null;
}

type Difficulties = Extract<Lookup, { state: 'found' }>['map']['difficulties'];

/** The key or hash by which a row is looked up. */
export const questionOf = ({ key, hash }: Pick<RowView, 'key' | 'hash'>): string => key || hash;

/** The difficulties of a map that can be played; null: not known yet. */
export const playableOf = (lookup: Lookup | null): Difficulties | null =>
  lookup?.state === 'found' ? lookup.map.difficulties.filter(({ playable }) => playable) : null;

/** The hardest of difficulties in a characteristic. */
function hardestOf(difficulties: Difficulties, characteristic: string): string | null {
  const there = difficulties.filter((one) => one.characteristic === characteristic);
  return VALUES.Difficulty.findLast((name) => there.some(({ difficulty }) => difficulty === name)) ?? null;
}

/** The hardest difficulty of a row that can be played; null while that is not known. */
export const hardestOfRow = ({ lookup, characteristic }: RowView): string | null =>
  hardestOf(playableOf(lookup) ?? [], characteristic);

/**
 * The choice where nothing is chosen: Standard, or the first other characteristic where Standard cannot be played; of its
 * difficulties the only one, or the hardest where that is asked for.
 */
function chosenOf({ characteristic, difficulty }: Values, lookup: Lookup | null) {
  const playable = playableOf(lookup) ?? [];
  const hasStandard = playable.some((one) => one.characteristic === 'Standard');
  const [first] = hasStandard ? [] : playable;
  const chosen = characteristic || (first?.characteristic ?? 'Standard');
  if (difficulty === HARDEST)
    return { characteristic: chosen, difficulty: hardestOf(playable, chosen) ?? '' };
  const [only, ...others] = playable.filter((one) => one.characteristic === chosen);
  const automatic = others.length === 0 ? only?.difficulty : undefined;
  return { characteristic: chosen, difficulty: difficulty || (automatic ?? '') };
}

const isPlayable = ({ characteristic, difficulty }: Values, lookup: Lookup | null): boolean =>
  playableOf(lookup)?.some((one) => one.characteristic === characteristic && one.difficulty === difficulty) ??
  true;

const missingOfModifiers = (modifiers: readonly string[]): 'modifiers' | 'speeds' | null => {
  if (!modifiers.every(isModifier)) return 'modifiers';
  return speedConflict(modifiers) === null ? null : 'speeds';
};

const NOTHING_BESIDE = {
  isReplaced: false,
  unknownCategory: '',
  missing: null,
  twin: null,
  sibling: null,
  theirs: null,
  was: null,
  mark: null,
} as const;

/** Whether somebody else has changed a field that this person changes to another value, or a map that this person removes. */
function isConflict(change: MapChange, current: PoolMap): boolean {
  const own = changedFields(change, current);
  return differing(change.seen, current).some((field) => change.isRemoval || own.includes(field));
}

function viewOfMap(map: PoolMap, state: TableState): RowView {
  const change = state.edits.changes.get(map.mapGuid);
  const lookup = state.lookups.get(map.key) ?? null;
  const { characteristic, difficulty, categoryGuid, modifiers } = { ...map, ...change?.values };
  const row = { characteristic, difficulty, categoryGuid, modifiers };
  const isOtherDifficulty = characteristic !== map.characteristic || difficulty !== map.difficulty;
  const missing = missingOfModifiers(modifiers);
  return {
    ...NOTHING_BESIDE,
    ...row,
    id: map.mapGuid,
    kind: change === undefined ? 'kept' : change.isRemoval ? 'removed' : 'changed',
    key: map.key,
    hash: map.hash,
    name: map.name,
    durationSeconds: map.durationSeconds,
    isStale: map.stale,
    lookup,
    missing: missing ?? (isOtherDifficulty && !isPlayable(row, lookup) ? 'notThere' : null),
    problem: state.problems.get(map.mapGuid) ?? null,
    theirs: change !== undefined && isConflict(change, map) ? map : null,
    was: change?.seen ?? null,
  };
}

/** A map with unsaved changes that somebody else has removed. */
const viewOfLost = ({ seen, values }: MapChange, state: TableState): RowView => ({
  ...viewOfMap(seen, { ...state, edits: NO_EDITS }),
  ...values,
  kind: 'lost',
  missing: 'lost',
});

function missingOf(row: Values & Pick<Addition, 'category'>, lookup: Lookup): Missing | null {
  if (lookup.state === 'waiting') return 'lookup';
  if (lookup.state === 'refused') return 'refused';
  if (row.difficulty === '') return 'difficulty';
  if (!isPlayable(row, lookup)) return 'notThere';
  if (row.categoryGuid === '') return 'category';
  return missingOfModifiers(row.modifiers);
}

const WAITING: Lookup = { state: 'waiting' };

function viewOfAddition(addition: Addition, { lookups, problems }: TableState): RowView {
  const { id, key, hash, categoryGuid, modifiers, category } = addition;
  const lookup = lookups.get(questionOf(addition)) ?? WAITING;
  const found = lookup.state === 'found' ? lookup.map : null;
  const chosen = { ...chosenOf(addition, lookup), categoryGuid, modifiers };
  return {
    ...NOTHING_BESIDE,
    ...chosen,
    id,
    kind: 'new',
    key: found?.key ?? key,
    hash: found?.hash ?? hash,
    name: found?.name ?? '',
    durationSeconds: found?.durationSeconds ?? null,
    isStale: false,
    isReplaced: found !== null && hash !== '' && hash !== found.hash,
    unknownCategory: category,
    lookup,
    missing: missingOf({ ...chosen, category }, lookup),
    problem: problems.get(id) ?? null,
  };
}

/** Finds rows with the same map. A new row with the difficulty of an earlier row is not saved. */
function markTwins(rows: readonly RowView[]): RowView[] {
  const firstOf = new Map<string, number>();
  const firstOfMap = new Map<string, number>();
  return rows.map((row, at) => {
    if (row.kind === 'removed' || row.kind === 'lost') return row;
    const map = row.hash || row.key;
    const name = `${map}/${row.characteristic}/${row.difficulty}`;
    const twin = row.difficulty === '' ? null : (firstOf.get(name) ?? null);
    const sibling = firstOfMap.get(map) ?? null;
    if (twin === null) firstOf.set(name, at + 1);
    if (sibling === null) firstOfMap.set(map, at + 1);
    const missing = twin !== null && row.kind === 'new' ? (row.missing ?? 'twin') : row.missing;
    return { ...row, twin, sibling: twin === null ? sibling : null, missing };
  });
}

/** All rows in their order: the maps of the pool, those that somebody else removed meanwhile, and those to be added. */
export function rowsOf(state: TableState): RowView[] {
  const { maps, edits } = state;
  const there = new Set(maps.map(({ mapGuid }) => mapGuid));
  const { added = [], changed = [] } = meanwhileOf(state) ?? {};
  const marks = new Map<PoolMap, RowView['mark']>([
    ...added.map((map) => [map, 'added'] as const),
    ...changed.map(({ after }) => [after, 'changed'] as const),
  ]);
  const lost = [...edits.changes].filter(([guid, { isRemoval }]) => !there.has(guid) && !isRemoval);
  return markTwins([
    ...maps.map((map) => ({ ...viewOfMap(map, state), mark: marks.get(map) ?? null })),
    ...lost.map(([, change]) => viewOfLost(change, state)),
    ...edits.additions.map((addition) => viewOfAddition(addition, state)),
  ]);
}

/** The changes that somebody else made meanwhile. */
export interface Meanwhile {
  added: PoolMap[];
  removed: PoolMap[];
  changed: { before: PoolMap; after: PoolMap; fields: Field[] }[];
}

/** The difference between the maps as they were known and as they are; null without any. */
export function meanwhileOf({ maps, known }: Pick<TableState, 'maps' | 'known'>): Meanwhile | null {
  if (maps === known) return null;
  const before = new Map(known.map((map) => [map.mapGuid, map]));
  const after = new Set(maps.map(({ mapGuid }) => mapGuid));
  const changed = maps.flatMap((map) => {
    const seen = before.get(map.mapGuid) ?? map;
    const fields = differing(seen, map);
    return fields.length === 0 ? [] : [{ before: seen, after: map, fields }];
  });
  const found = {
    added: maps.filter(({ mapGuid }) => !before.has(mapGuid)),
    removed: known.filter(({ mapGuid }) => !after.has(mapGuid)),
    changed,
  };
  return found.added.length + found.removed.length + changed.length === 0 ? null : found;
}
