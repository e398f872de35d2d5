import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Shapes } from '../../api.ts';
import { useMe } from '../../session.ts';
import { type Column, type Cursor, type Move, move, START } from './cursor.ts';
import { type Edits, isEmpty } from './edits.ts';
import { keptEdits } from './keep.ts';
import { questionOf, type RowView } from './rows.ts';
import { initialState } from './state.ts';
import { beingSaved, createStore, type Store, shownTables, useStore } from './store.ts';

/** A moment after the last change, so that not every key writes all rows. */
const KEEP_AFTER_MS = 300;

interface PoolRead {
  pool: Shapes['PoolWithMaps'];
  etag: string | null;
}

/** The state of the table of a pool. It begins with the unsaved changes that this tab kept; rows that are read later are merged. */
export function useTableState({ pool, etag }: PoolRead): { store: Store; isKept: boolean } {
  const { playerGuid } = useMe();
  const { poolGuid, maps, revision } = pool;
  const [isKept, setKept] = useState(true);
  const kept = useMemo(() => keptEdits(sessionStorage, playerGuid, poolGuid), [playerGuid, poolGuid]);
  const store = useStore(
    () => beingSaved.get(poolGuid)?.store ?? createStore(initialState({ maps, revision, etag }, kept.read())),
    [kept],
  );
  useEffect(() => {
    if (store.get().maps !== maps) store.send({ do: 'read', pool: { maps, revision, etag } });
  }, [store, pool, etag]);
  useEffect(() => {
    shownTables.set(poolGuid, store);
    return () => void shownTables.delete(poolGuid);
  }, [store, poolGuid]);
  useEffect(() => {
    let written: Edits | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = (): void => {
      clearTimeout(timer);
      if (written === store.get().edits) return;
      written = store.get().edits;
      setKept(kept.write(written));
    };
    // Rows that the pool had already when the table was opened are no longer kept.
    write();
    const end = store.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(write, KEEP_AFTER_MS);
    });
    addEventListener('pagehide', write);
    return () => {
      write();
      end();
      removeEventListener('pagehide', write);
      // A batch that is under way may end after the view was left: its rows are saved then, and no longer kept.
      store.subscribe(write);
    };
  }, [store, kept]);
  return { store, isKept };
}

/** Asks before the page is left with unsaved rows. */
export function useLeaveWarning(store: Store): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => {
      if (!isEmpty(store.get().edits)) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [store]);
}

/** The cell with the focus. When its row is removed, the next row gets it. */
export function useCursor(rows: readonly RowView[], columns: readonly Column[]) {
  const [cursor, setCursor] = useState<Cursor>(START);
  const last = useRef(0);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const current = useRef({ ids, columns });
  current.current = { ids, columns };
  const at = cursor.row === null ? -1 : ids.indexOf(cursor.row);
  if (at >= 0) last.current = at;
  const row = at >= 0 ? cursor.row : (ids[Math.min(last.current, ids.length - 1)] ?? null);
  const there = useMemo(() => {
    const known = new Set(ids);
    return [...cursor.selected].every((id) => known.has(id))
      ? cursor.selected
      : new Set([...cursor.selected].filter((id) => known.has(id)));
  }, [cursor.selected, ids]);
  const shown: Cursor = { ...cursor, row, selected: there, editing: at >= 0 ? cursor.editing : 'no' };
  const shownNow = useRef(shown);
  shownNow.current = shown;
  const go = useCallback((step: Move): void => {
    // Several steps may come before the table is drawn again.
    shownNow.current = move(shownNow.current, step, current.current.ids, current.current.columns);
    setCursor(shownNow.current);
  }, []);
  return { cursor: shown, go };
}

/** Looks up what was added and not looked up yet. */
export function useMissingLookups(
  store: Store,
  rows: readonly RowView[],
  lookUp: (questions: string[]) => void,
): void {
  useEffect(() => {
    const known = store.get().lookups;
    const missing = store
      .get()
      .edits.additions.map(questionOf)
      .filter((question) => !known.has(question));
    if (missing.length > 0) lookUp(missing);
  }, [rows]);
}
