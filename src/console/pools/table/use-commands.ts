import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { isBehindDialog } from '../../parts/keys.ts';
import { type Cursor, meant } from './cursor.ts';
import { type Category, differing, FIELDS, HARDEST, type Values } from './edits.ts';
import type { RowAction } from './notes.tsx';
import { type Pasted, readPasted } from './pasted.ts';
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

/** The commands of the table. */
export function commandsOf({ store, rows, cursor, categories, lookUp }: CommandsOptions) {
  const set = (ids: ReadonlySet<string>, values: Partial<Values>): void => {
    const field = FIELDS.find((one) => values[one] !== undefined) ?? 'difficulty';
    const byId = new Map(rows.map((row) => [row.id, row]));
    store.send({ do: 'set', ids, field, valuesOf: (id) => valuesFor(byId.get(id), values) });
  };
  return {
    /** Adds the maps of a text. */
    add: (text: string): Pasted => {
      const names = categories.map(({ name }) => name);
      const found = readPasted(text, names);
      if (found.rows.length > 0) store.send({ do: 'add', rows: found.rows, categories });
      return found;
    },
    choose: (row: RowView, values: Partial<Values>): void => {
      const ids = meant(cursor, row.id);
      const isKept = differing({ ...row, ...values }, row).length === 0;
      if (ids.size > 1 || !isKept) set(ids, values);
    },
    remove: (id: string): void => store.send({ do: 'remove', ids: meant(cursor, id) }),
    act: (row: RowView, action: RowAction): void => {
      const { id } = row;
      if (action === 'retry') lookUp([questionOf(row)]);
      else if (action === 'drop') store.send({ do: 'remove', ids: new Set([id]) });
      else if (action === 'restore') store.send({ do: 'restore', ids: new Set([id]) });
      else store.send({ do: action, id });
    },
    undo: () => store.send({ do: 'undo' }),
    redo: () => store.send({ do: 'redo' }),
    discard: () => store.send({ do: 'discard' }),
    ofSelection: {
      set: (values: Partial<Values>) => set(cursor.selected, values),
      remove: () => store.send({ do: 'remove', ids: cursor.selected }),
      restore: () => store.send({ do: 'restore', ids: cursor.selected }),
      lookUp: () => lookUp(rows.filter(({ id }) => cursor.selected.has(id)).map(questionOf)),
    },
  };
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select');

/** Whether the browser puts pasted text into this element. A `select` takes none. */
const takesText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('input:not([type=checkbox], [type=file]), textarea');

/** Listens on the document while it is on. */
function useDocumentEvent<Name extends 'keydown' | 'paste'>(
  name: Name,
  isOn: boolean,
  listener: (event: DocumentEventMap[Name]) => void,
): void {
  const newest = useRef(listener);
  newest.current = listener;
  // Runs before the table is painted. `useEffect` runs after it, and text that is pasted in between would be lost.
  useLayoutEffect(() => {
    if (!isOn) return;
    const listen = (event: DocumentEventMap[Name]): void => newest.current(event);
    document.addEventListener(name, listen);
    return () => document.removeEventListener(name, listen);
  }, [isOn]);
}

/**
 * Adds what is pasted anywhere on the page but into a field or a dialog.
 * @param isReady whether it can be read now; what is pasted before is added then
 */
export function usePaste(isEditable: boolean, isReady: boolean, add: (text: string) => void): void {
  const early = useRef<string[]>([]);
  useEffect(() => {
    if (isReady) for (const text of early.current.splice(0)) add(text);
  }, [isReady]);
  useDocumentEvent('paste', isEditable, (event) => {
    if (takesText(event.target) || isBehindDialog()) return;
    event.preventDefault();
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (isReady) add(text);
    else early.current.push(text);
  });
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
  useDocumentEvent('keydown', isEditable, (event) => {
    const name = event.ctrlKey || event.metaKey ? shortcutOf(event) : null;
    if (name === null) return;
    // Behind a dialog the browser would save the page, or take back what was typed on it.
    event.preventDefault();
    if (!isBehindDialog()) shortcuts[name]();
  });
}
