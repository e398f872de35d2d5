import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { isBehindDialog } from '../../parts/keys.ts';
import { type Cursor, meant } from './cursor.ts';
import { type Category, FIELDS, HARDEST, isSame, type Values } from './edits.ts';
import type { RowAction } from './notes.tsx';
import { readPasted } from './pasted.ts';
import { hardestOfRow, questionOf, type RowView } from './rows.ts';
import type { Store } from './store.ts';

interface CommandsOptions {
  store: Store;
  rows: readonly RowView[];
  cursor: Cursor;
  categories: readonly Category[];
  lookUp(questions: readonly string[]): void;
}

/** The values for one row: the hardest difficulty of a map in the pool has to be known. */
function valuesFor(row: RowView | undefined, values: Partial<Values>): Partial<Values> | null {
  if (row === undefined || row.kind === 'removed' || row.kind === 'lost') return null;
  if (values.difficulty !== HARDEST || row.kind === 'new') return values;
  const difficulty = hardestOfRow(row);
  return difficulty === null ? null : { ...values, difficulty };
}

/** The commands of the table. They are the same functions at every rendering. */
export function useCommands(options: CommandsOptions) {
  const now = useRef(options);
  now.current = options;
  return useMemo(() => {
    const { store } = options;
    const rowOf = (id: string) => now.current.rows.find((row) => row.id === id);

    const set = (ids: ReadonlySet<string>, values: Partial<Values>): void => {
      const field = FIELDS.find((one) => values[one] !== undefined) ?? 'difficulty';
      const byId = new Map(now.current.rows.map((row) => [row.id, row]));
      store.send({ do: 'set', ids, field, valuesOf: (id) => valuesFor(byId.get(id), values) });
    };
    const choose = (row: RowView, values: Partial<Values>): void => {
      const ids = meant(now.current.cursor, row.id);
      const isKept = FIELDS.every(
        (field) => values[field] === undefined || isSame(values[field], row[field]),
      );
      if (ids.size > 1 || !isKept) set(ids, values);
    };
    const remove = (id: string): void => store.send({ do: 'remove', ids: meant(now.current.cursor, id) });
    const act = (row: RowView, action: RowAction): void => {
      const ids = new Set([row.id]);
      if (action === 'retry') now.current.lookUp([questionOf(row)]);
      else if (action === 'drop') store.send({ do: 'remove', ids });
      else if (action === 'restore') store.send({ do: 'restore', ids });
      else store.send({ do: action, id: row.id });
    };
    const add = (text: string) => {
      const { categories } = now.current;
      const found = readPasted(
        text,
        categories.map(({ name }) => name),
      );
      if (found.rows.length > 0) store.send({ do: 'add', rows: found.rows, categories });
      return found;
    };
    return {
      add,
      choose,
      remove,
      act,
      undo: () => store.send({ do: 'undo' }),
      redo: () => store.send({ do: 'redo' }),
      discard: () => store.send({ do: 'discard' }),
      ofSelection: {
        set: (values: Partial<Values>) => set(now.current.cursor.selected, values),
        remove: () => store.send({ do: 'remove', ids: now.current.cursor.selected }),
        restore: () => store.send({ do: 'restore', ids: now.current.cursor.selected }),
        lookUp: () =>
          now.current.lookUp(
            [...now.current.cursor.selected].map(rowOf).flatMap((row) => (row ? questionOf(row) : [])),
          ),
      },
    };
  }, [options.store]);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select');

/** Whether the browser puts pasted text into this element. A `select` takes none. */
const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox], [type=file]), textarea');

/**
 * Adds what is pasted anywhere on the page but into a field or a dialog.
 * @param isReady whether it can be read now; what is pasted before is added then
 */
export function usePaste(isEditable: boolean, isReady: boolean, add: (text: string) => unknown): void {
  const early = useRef<string[]>([]);
  const ready = useRef(isReady);
  ready.current = isReady;
  useEffect(() => {
    if (!isReady) return;
    for (const text of early.current.splice(0)) add(text);
  }, [isReady, add]);
  // Runs before the table is painted. `useEffect` runs after it, and text that is pasted in between would be lost.
  useLayoutEffect(() => {
    if (!isEditable) return;
    const paste = (event: ClipboardEvent): void => {
      if (takesText(event.target) || isBehindDialog()) return;
      event.preventDefault();
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (ready.current) add(text);
      else early.current.push(text);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, [isEditable, add]);
}

type Shortcuts = Record<'undo' | 'redo' | 'save', () => void>;

function shortcutOf({ key, shiftKey, target }: KeyboardEvent): keyof Shortcuts | null {
  const letter = key.toLowerCase();
  if (letter === 's') return 'save';
  // In a field these keys belong to the field.
  if (isField(target)) return null;
  if (letter === 'y' || (letter === 'z' && shiftKey)) return 'redo';
  return letter === 'z' ? 'undo' : null;
}

/** Ctrl+Z, Ctrl+Y and Ctrl+S, wherever the keyboard is on the page, but not behind a dialog. */
export function useShortcuts(isEditable: boolean, shortcuts: Shortcuts): void {
  const now = useRef(shortcuts);
  now.current = shortcuts;
  useLayoutEffect(() => {
    if (!isEditable) return;
    const press = (event: KeyboardEvent): void => {
      const name = event.ctrlKey || event.metaKey ? shortcutOf(event) : null;
      if (name === null) return;
      // Behind a dialog the browser would save the page, or take back what was typed on it.
      event.preventDefault();
      if (!isBehindDialog()) now.current[name]();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [isEditable]);
}
