import {
  type Addition,
  addAgain,
  changedFields,
  differing,
  type Edits,
  FIELDS,
  HARDEST,
  isStoredAs,
  type MapChange,
  type PoolMap,
  valuesIn,
  withChange,
  withoutDone,
} from './edits.ts';
import {
  type Imported,
  type ReadPool,
  type Saved,
  type Sent,
  type TableState,
  withoutProblems,
} from './model.ts';

/** Updates unsaved rows after some of them were saved, and after the pool was read again. */

/** The maps after a batch was saved. */
function applySaved(maps: readonly PoolMap[], { maps: added, changed, removed }: Saved): PoolMap[] {
  const gone = new Set(removed);
  const changes = new Map(changed.map((map) => [map.mapGuid, map]));
  const left = maps.filter(({ mapGuid }) => !gone.has(mapGuid));
  return [...left.map((map) => changes.get(map.mapGuid) ?? map), ...added];
}

/** A value that was changed while its row was being saved becomes a change of the saved map. */
function lateChange(sent: Addition, now: Addition | undefined, map: PoolMap): MapChange | null {
  if (now === undefined) return { seen: map, values: {}, isRemoval: true };
  const changed = differing(now, sent).filter((field) => now[field] !== '' && now[field] !== HARDEST);
  return changed.length === 0 ? null : { seen: map, values: valuesIn(now, changed), isRemoval: false };
}

/** Maps whose removal was taken back while it was being saved are added again. */
function addRestored(state: TableState, sent: Sent, removed: readonly string[]): TableState {
  let { edits, nextId } = state;
  for (const guid of removed) {
    const before = sent.changes.get(guid);
    const now = edits.changes.get(guid);
    if (before === undefined || now?.isRemoval) continue;
    const kept = now ?? { ...before, values: {}, isRemoval: false };
    edits = addAgain({ ...edits, changes: new Map([...edits.changes, [guid, kept]]) }, guid, `new-${nextId}`);
    nextId += 1;
  }
  return { ...state, edits, nextId };
}

/** A batch was saved. What was typed meanwhile stays, but no step can be taken back any more. */
export function afterSave(before: TableState, sent: Sent, answer: Saved): TableState {
  // The batch made exactly the next revision. A pool that was read meanwhile has its rows, and perhaps newer changes.
  const isRead = before.revision > sent.revision;
  const state = isRead ? before : addRestored(before, sent, answer.removed);
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
    const late = map && lateChange(addition, now, map);
    if (map && late) changes = withChange(changes, map, late);
  }
  const done = new Set(sent.additions.map(({ id }) => id));
  return {
    ...state,
    maps: isRead ? state.maps : applySaved(state.maps, answer),
    known: applySaved(state.known, answer),
    revision: isRead ? state.revision : sent.revision + 1,
    unanswered: [],
    saved: state.saved + answer.maps.length + answer.changed.length + answer.removed.length,
    edits: { additions: additions.filter(({ id }) => !done.has(id)), changes },
    past: [],
    future: [],
    problems: withoutProblems(state.problems, [...done, ...sent.changes.keys()]),
  };
}

/** The map after a change of a batch, without what others have changed in it; null when the pool does not show the change. */
function changedMap(change: MapChange, map?: PoolMap, known = map): PoolMap | null {
  if (change.isRemoval || map === undefined || changedFields(change, map).length > 0) return null;
  const others = FIELDS.filter((field) => change.values[field] === undefined);
  return { ...map, ...valuesIn(known ?? map, others) };
}

/** The rows of a batch that a pool shows to be saved, with their result; null without any. */
function shownSaved(sent: Sent, known: readonly PoolMap[], maps: readonly PoolMap[]) {
  const current = new Map(maps.map((map) => [map.mapGuid, map]));
  const own = new Map(known.map((map) => [map.mapGuid, map]));
  const before = new Set(sent.maps.map(({ mapGuid }) => mapGuid));
  const news = maps.filter(({ mapGuid }) => !before.has(mapGuid));
  const added = sent.additions.flatMap((addition) => {
    const map = news.find((one) => isStoredAs(one, addition));
    return map === undefined ? [] : [{ addition, map }];
  });
  const changed = [...sent.changes].flatMap(
    ([guid, change]) => changedMap(change, current.get(guid), own.get(guid)) ?? [],
  );
  const removed = [...sent.changes].flatMap(([guid, { isRemoval }]) =>
    isRemoval && !current.has(guid) ? [guid] : [],
  );
  if (added.length + changed.length + removed.length === 0) return null;
  const done = new Set([...changed.map(({ mapGuid }) => mapGuid), ...removed]);
  const answer: Saved = { maps: added.map(({ map }) => map), changed, removed };
  return {
    sent: {
      ...sent,
      additions: added.map(({ addition }) => addition),
      changes: new Map([...sent.changes].filter(([guid]) => done.has(guid))),
    },
    answer,
  };
}

/**
 * A batch is sent: its additions have the values that were chosen automatically from now on. When the page is loaded again
 * before the answer, they are recognised in the pool by them.
 */
export function whenSent(state: TableState, { additions: sent }: Sent): TableState {
  const byId = new Map(sent.map((addition) => [addition.id, addition]));
  const additions = state.edits.additions.map((addition) => byId.get(addition.id) ?? addition);
  return sent.length === 0 ? state : { ...state, edits: { ...state.edits, additions } };
}

/** The answer of a batch was lost: nobody knows whether it was saved, until the pool is read or shows its rows already. */
export function afterLoss(state: TableState, sent: Sent): TableState {
  if (state.revision === sent.revision) return { ...state, unanswered: [...state.unanswered, sent] };
  const found = shownSaved(sent, state.known, state.maps);
  return found === null ? state : afterSave(state, found.sent, found.answer);
}

/** This person has added maps from a file: they are known. The next read of the pool has its new revision. */
export function afterImport(state: TableState, { revision, maps: added }: Imported): TableState {
  const withAdded = (maps: readonly PoolMap[]): PoolMap[] => {
    const there = new Set(maps.map(({ mapGuid }) => mapGuid));
    return [...maps, ...added.filter(({ mapGuid }) => !there.has(mapGuid))];
  };
  const isRead = state.revision > revision;
  return { ...state, maps: isRead ? state.maps : withAdded(state.maps), known: withAdded(state.known) };
}

/** The pool was read again: changes that are done, by this person or another, are no changes any more. */
export function afterRead(state: TableState, pool: ReadPool): TableState {
  let next = state;
  if (pool.revision > state.revision) {
    // Unanswered batches were sent against the same revision: at most one was saved, and none can be from now on.
    const sizeOf = ({ sent }: { sent: Sent }): number => sent.additions.length + sent.changes.size;
    const [found] = state.unanswered
      .flatMap((sent) => shownSaved(sent, state.known, pool.maps) ?? [])
      .sort((one, other) => sizeOf(other) - sizeOf(one));
    if (found !== undefined) next = afterSave(state, found.sent, found.answer);
    next = { ...next, unanswered: [] };
  }
  return { ...next, ...pool, edits: withoutDone(next.edits, pool.maps) };
}
