import { useSyncExternalStore } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Shapes } from '../../api.ts';
import { useMe } from '../../session.ts';
import { type Column, type Cursor, type Move, move, START } from './cursor.ts';
import { type Edits, isEmpty } from './edits.ts';
import { keptEdits } from './keep.ts';
import type { RowView } from './rows.ts';
import { initialState } from './state.ts';
import { beingSaved, createStore, type Store, shownTables } from './store.ts';

/** A moment after the last change, so that not every key writes all rows. */
const KEEP_AFTER_MS = 300;

interface PoolRead {
  pool: Shapes['PoolWithMaps'];
  etag: string | null;
}

/**
 * The state of the table of a pool, which stays the same pool. It begins with the unsaved changes that this tab kept; rows that
 * are read later are merged.
 */
export function useTableState({ pool, etag }: PoolRead): { store: Store; isKept: boolean } {
  const { playerGuid } = useMe();
  const { poolGuid, maps, revision } = pool;
  const [isKept, setKept] = useState(true);
  const [kept] = useState(() => keptEdits(sessionStorage, playerGuid, poolGuid));
  const [store] = useState(
    () => beingSaved.get(poolGuid)?.store ?? createStore(initialState({ maps, revision, etag }, kept.read())),
  );
  useSyncExternalStore(store.subscribe, store.get);
  useEffect(() => {
    if (store.get().maps !== maps) store.send({ do: 'read', pool: { maps, revision, etag } });
  }, [pool, etag]);
  useEffect(() => {
    shownTables.set(poolGuid, store);
    return () => void shownTables.delete(poolGuid);
  }, []);
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
  }, []);
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
  }, []);
}

/** The cell with the focus. When its row is removed, the next row gets it. */
export function useCursor(rows: readonly RowView[], columns: readonly Column[]) {
  const [cursor, setCursor] = useState<Cursor>(START);
  const last = useRef(0);
  const ids = rows.map(({ id }) => id);
  const at = cursor.row === null ? -1 : ids.indexOf(cursor.row);
  if (at >= 0) last.current = at;
  const row = at >= 0 ? cursor.row : (ids[Math.min(last.current, ids.length - 1)] ?? null);
  const selected = new Set(ids.filter((id) => cursor.selected.has(id)));
  const shown: Cursor = { ...cursor, row, selected, editing: at >= 0 ? cursor.editing : 'no' };
  const newest = useRef(shown);
  newest.current = shown;
  const go = (step: Move): void => {
    // Several steps may come before the table is drawn again.
    newest.current = move(newest.current, step, ids, columns);
    setCursor(newest.current);
  };
  return { cursor: shown, go };
}
