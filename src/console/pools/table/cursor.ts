/** Where the keyboard is in the table, and which rows are selected. */

/** The columns in their order. */
export const COLUMNS = [
  'number',
  'map',
  'characteristic',
  'difficulty',
  'category',
  'modifiers',
  'notes',
  'length',
  'kept',
  'picked',
  'gap',
  'edge',
] as const;

export type Column = (typeof COLUMNS)[number];

const STATISTICS: readonly Column[] = ['kept', 'picked', 'gap', 'edge'];
/** The columns of a table, with those of the statistics or without. */
export const columnsOf = (hasStatistics: boolean): Column[] =>
  COLUMNS.filter((column) => hasStatistics || !STATISTICS.includes(column));

/** The columns that can be edited. */
const EDITED = ['characteristic', 'difficulty', 'category', 'modifiers'] as const;
export type EditedColumn = (typeof EDITED)[number];
export const isEdited = (column: Column): column is EditedColumn =>
  (EDITED as readonly Column[]).includes(column);

/** How the field of a cell is opened. `typed`: what is there is replaced by what is typed. */
export type Opening = 'opened' | 'clicked' | 'typed';

export interface Cursor {
  /** The id of a row; null: there is none. */
  row: string | null;
  column: Column;
  /** How the field of the cell was opened. */
  editing: 'no' | Opening;
  selected: ReadonlySet<string>;
  /** Where a range of selected rows begins. */
  anchor: string | null;
}

export const START: Cursor = { row: null, column: 'map', editing: 'no', selected: new Set(), anchor: null };

export type Move =
  /** `Infinity` leads to the last one. */
  | { go: 'by'; rows: number; columns: number; isRange?: boolean }
  | { go: 'to'; row: string; column: Column }
  | { go: 'edit'; how: Opening }
  | { go: 'done' }
  /** To the next or the previous column that can be edited, if need be in the next or the previous row. */
  | { go: 'edited'; by: 1 | -1 }
  | { go: 'select'; row: string; how: 'toggle' | 'range' }
  | { go: 'selectAll' | 'selectNone' };

const clamp = (at: number, length: number): number => Math.min(Math.max(at, 0), length - 1);

/** The ids from one row to another, both included. */
function rangeOf(ids: readonly string[], from: string | null, to: string): Set<string> {
  const [one, other] = [ids.indexOf(from ?? to), ids.indexOf(to)];
  return new Set(ids.slice(Math.min(one < 0 ? other : one, other), Math.max(one, other) + 1));
}

function toggled(selected: ReadonlySet<string>, row: string): Set<string> {
  const next = new Set(selected);
  if (!next.delete(row)) next.add(row);
  return next;
}

function nextEdited(cursor: Cursor, ids: readonly string[], by: 1 | -1): Cursor {
  const at = (EDITED as readonly Column[]).indexOf(cursor.column) + by;
  const row = ids.indexOf(cursor.row ?? '') + (at < 0 ? -1 : at >= EDITED.length ? 1 : 0);
  const column = EDITED[(at + EDITED.length) % EDITED.length] ?? 'difficulty';
  if (row < 0 || row >= ids.length) return { ...cursor, editing: 'no' };
  return { ...cursor, row: ids[row] ?? null, column, editing: 'no' };
}

/** @param ids of the rows in their order */
export function move(cursor: Cursor, step: Move, ids: readonly string[], columns: readonly Column[]): Cursor {
  const at = ids.indexOf(cursor.row ?? '');
  const column = columns.indexOf(cursor.column);
  switch (step.go) {
    case 'by': {
      const row = ids[clamp(at + step.rows, ids.length)] ?? null;
      const next = columns[clamp(column + step.columns, columns.length)] ?? cursor.column;
      const moved = { ...cursor, row, column: next, editing: 'no' as const };
      if (!step.isRange || row === null) return moved;
      const anchor = cursor.anchor ?? cursor.row;
      return { ...moved, anchor, selected: rangeOf(ids, anchor, row) };
    }
    case 'to':
      return { ...cursor, row: step.row, column: step.column, editing: 'no' };
    case 'edit':
      return isEdited(cursor.column) ? { ...cursor, editing: step.how } : cursor;
    case 'done':
      return { ...cursor, editing: 'no' };
    case 'edited':
      return nextEdited(cursor, ids, step.by);
    case 'select':
      return step.how === 'range'
        ? { ...cursor, selected: rangeOf(ids, cursor.anchor ?? cursor.row, step.row) }
        : { ...cursor, row: step.row, anchor: step.row, selected: toggled(cursor.selected, step.row) };
    case 'selectAll':
      return { ...cursor, selected: new Set(ids), editing: 'no' };
    case 'selectNone':
      return cursor.selected.size === 0 ? cursor : { ...cursor, selected: new Set(), anchor: null };
  }
}

/** The rows that a change is meant for: the selected ones, when the row is one of them. */
export const meant = ({ selected }: Cursor, row: string): ReadonlySet<string> =>
  selected.has(row) ? selected : new Set([row]);
