import { type Cursor, isEdited, type Move } from './cursor.ts';

/** The meaning of keys in the table. */
export type Command =
  | Move
  /** Actions on the row that has the focus. */
  | { go: 'remove' }
  | { go: 'press' }
  | { go: 'clear' };

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const PAGE_ROWS = 10;
const ARROWS: Record<string, { rows: number; columns: number }> = {
  ArrowUp: { rows: -1, columns: 0 },
  ArrowDown: { rows: 1, columns: 0 },
  ArrowLeft: { rows: 0, columns: -1 },
  ArrowRight: { rows: 0, columns: 1 },
  PageUp: { rows: -PAGE_ROWS, columns: 0 },
  PageDown: { rows: PAGE_ROWS, columns: 0 },
};

/** Whether it is this letter without Shift. With Caps Lock browsers report capital letters. */
export const isLetter = ({ key, shiftKey }: Pick<Key, 'key' | 'shiftKey'>, letter: string): boolean =>
  !shiftKey && key.toLowerCase() === letter;

function movement({ key, ctrlKey, metaKey, shiftKey }: Key): Move | null {
  const isFar = ctrlKey || metaKey;
  const arrow = ARROWS[key];
  if (arrow !== undefined && !isFar) return { go: 'by', ...arrow, isRange: shiftKey && arrow.rows !== 0 };
  if (key === 'ArrowUp') return { go: 'by', rows: -Infinity, columns: 0 };
  if (key === 'ArrowDown') return { go: 'by', rows: Infinity, columns: 0 };
  if (key === 'Home') return { go: 'by', rows: isFar ? -Infinity : 0, columns: -Infinity };
  if (key === 'End') return { go: 'by', rows: isFar ? Infinity : 0, columns: Infinity };
  return null;
}

/** @returns null for a key that the table has no use for */
export function commandOf(key: Key, { row, column }: Cursor, isEditable: boolean): Command | null {
  const moved = movement(key);
  if (moved !== null) return moved;
  if (key.key === 'Escape') return { go: 'selectNone' };
  if (key.ctrlKey || key.metaKey) return isLetter(key, 'a') && isEditable ? { go: 'selectAll' } : null;
  if (!isEditable || key.altKey || row === null) return null;
  switch (key.key) {
    case ' ':
      return { go: 'select', row, how: key.shiftKey ? 'range' : 'toggle' };
    case 'Enter':
    case 'F2':
      return isEdited(column) ? { go: 'edit', how: 'opened' } : { go: 'press' };
    case 'Delete':
      return { go: 'remove' };
    case 'Backspace':
      return column === 'modifiers' ? { go: 'clear' } : null;
    default:
      return key.key.length === 1 && isEdited(column) ? { go: 'edit', how: 'typed' } : null;
  }
}
