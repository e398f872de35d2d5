import {
  type Addition,
  type Edits,
  FIELDS,
  HARDEST,
  isSame,
  type MapChange,
  type PoolMap,
  withChange,
  withoutDone,
} from './edits.ts';
import { type ReadPool, type Saved, type Sent, type TableState, withoutProblems } from './model.ts';

/** Updates unsaved rows after some of them were saved, and after the pool was read again. */

/** The maps after a batch was saved. */
function applySaved(maps: readonly PoolMap[], { maps: added, changed, removed }: Saved): PoolMap[] {
  const gone = new Set(removed);
  const changes = new Map(changed.map((map) => [map.mapGuid, map]));
  const left = maps.filter(({ mapGuid }) => !gone.has(mapGuid));
  return [...left.map((map) => changes.get(map.mapGuid) ?? map), ...added];
}

/** A value that was changed while its row was being saved becomes a change of the saved map. */
function lateChange(typed: Addition, now: Addition | undefined, map: PoolMap): MapChange | null {
  if (now === undefined) return { seen: map, values: {}, isRemoval: true };
  const changed = FIELDS.filter(
    (field) => !isSame(now[field], typed[field]) && now[field] !== '' && now[field] !== HARDEST,
  );
  const values = Object.fromEntries(changed.map((field) => [field, now[field]]));
  return changed.length === 0 ? null : { seen: map, values, isRemoval: false };
}

/** A batch was saved. Its steps cannot be taken back any more; what was typed meanwhile stays. */
export function afterSave(state: TableState, sent: Sent, answer: Saved): TableState {
  const { additions } = state.edits;
  let changes: Edits['changes'] = new Map(
    [...state.edits.changes].filter(([guid, change]) => sent.changes.get(guid) !== change),
  );
  for (const map of answer.changed) {
    const late = changes.get(map.mapGuid);
    if (late !== undefined) changes = withChange(changes, map, { ...late, seen: map });
  }
  for (const [at, addition] of sent.additions.entries()) {
    const map = answer.maps[at];
    const now = additions.find(({ id }) => id === addition.id);
    const late = map && lateChange(addition.typed, now, map);
    if (map && late) changes = withChange(changes, map, late);
  }
  const done = new Set(sent.additions.map(({ id }) => id));
  return {
    ...state,
    maps: applySaved(state.maps, answer),
    known: applySaved(state.known, answer),
    revision: state.revision + 1,
    unanswered: null,
    edits: { additions: additions.filter(({ id }) => !done.has(id)), changes },
    past: [],
    future: [],
    problems: withoutProblems(state.problems, [...done, ...sent.changes.keys()]),
  };
}

const nameOf = ({
  hash,
  characteristic,
  difficulty,
}: Record<'hash' | 'characteristic' | 'difficulty', string>) => `${hash}/${characteristic}/${difficulty}`;

/**
 * The maps as this person knows them, with what an unanswered batch is seen to have done: else it would look like the work
 * of somebody else.
 */
function knownWith(
  known: readonly PoolMap[],
  { changes }: Sent,
  added: Iterable<PoolMap>,
  maps: readonly PoolMap[],
): PoolMap[] {
  const current = new Map(maps.map((map) => [map.mapGuid, map]));
  const left = known.flatMap((map) => {
    const change = changes.get(map.mapGuid);
    const now = current.get(map.mapGuid);
    if (change === undefined) return [map];
    if (now === undefined) return change.isRemoval ? [] : [map];
    const { values } = change;
    const done = FIELDS.filter((field) => values[field] !== undefined && isSame(values[field], now[field]));
    return [{ ...map, ...Object.fromEntries(done.map((field) => [field, now[field]])) }];
  });
  return [...left, ...added];
}

/**
 * The pool was read again: changes that are done, by this person or another, are no changes any more. Rows of an unanswered
 * batch that are in the pool now were saved.
 */
export function afterRead(state: TableState, pool: ReadPool): TableState {
  const { unanswered } = state;
  const edits = withoutDone(state.edits, pool.maps);
  const read = { ...state, ...pool, edits };
  if (unanswered === null) return read;
  const before = new Set(state.maps.map(({ mapGuid }) => mapGuid));
  const added = new Map(
    pool.maps.filter(({ mapGuid }) => !before.has(mapGuid)).map((map) => [nameOf(map), map]),
  );
  const own = new Map(
    unanswered.additions.flatMap((addition) => {
      const map = added.get(nameOf(addition));
      return map === undefined ? [] : [[addition.id, map] as const];
    }),
  );
  return {
    ...read,
    known: knownWith(state.known, unanswered, own.values(), pool.maps),
    edits: { ...edits, additions: edits.additions.filter(({ id }) => !own.has(id)) },
    ...(own.size > 0 && { past: [], future: [], unanswered: null }),
  };
}
