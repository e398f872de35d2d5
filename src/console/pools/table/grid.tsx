import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { CellEditor } from './cell-editor.tsx';
import { type Column, type Cursor, isEdited, type Move } from './cursor.ts';
import type { Category, Values } from './edits.ts';
import { commandOf } from './keys.ts';
import type { CategoryNames, RowAction } from './notes.tsx';
import { Row } from './row.tsx';
import type { RowView } from './rows.ts';
import type { MapStatistics } from './statistics.ts';
import { strings } from './strings.ts';

export interface GridProps {
  label: string;
  rows: readonly RowView[];
  columns: readonly Column[];
  cursor: Cursor;
  go(step: Move): void;
  isEditable: boolean;
  /** Those that can be chosen. */
  categories: readonly Category[];
  names: CategoryNames;
  statisticsOf: ((row: RowView) => MapStatistics | null) | null;
  /** A value was chosen in a row: it is meant for all selected rows, when the row is one of them. */
  choose(row: RowView, values: Partial<Values>): void;
  remove(row: string): void;
  act(row: RowView, action: RowAction): void;
}

interface Place {
  row: string;
  column: Column;
}

/** The cell in which something happened. */
function placeOf(target: EventTarget | null): Place | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
  const row = cell?.closest('tr')?.dataset.id;
  return cell === null || row === undefined ? null : { row, column: cell.dataset.column as Column };
}

/** Keeps the focus of the browser on the cell where the keyboard is, as long as it is in the table. */
function useCellFocus({ cursor: { row, column, editing }, go }: Pick<GridProps, 'cursor' | 'go'>) {
  const table = useRef<HTMLTableElement>(null);
  const isInside = useRef(false);
  useLayoutEffect(() => {
    if (!isInside.current || editing !== 'no' || row === null) return;
    const cell = table.current?.querySelector<HTMLElement>(
      `tr[data-id="${CSS.escape(row)}"] > [data-column="${column}"]`,
    );
    if (cell !== document.activeElement && !cell?.contains(document.activeElement)) cell?.focus();
  });
  return {
    ref: table,
    onFocusIn: ({ target }: FocusEvent) => {
      isInside.current = true;
      // Also when a screen reader or a finger has set the focus.
      const place = placeOf(target);
      // The browser does not scroll to a cell that is partly in sight. After a click no scrolling is needed.
      if (target instanceof HTMLElement && target.matches('[data-column]:focus-visible'))
        target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      if (place !== null && (place.row !== row || place.column !== column)) go({ go: 'to', ...place });
    },
    onFocusOut: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !table.current?.contains(relatedTarget)) isInside.current = false;
    },
  };
}

function onKeyIn({ cursor, go, rows, isEditable, choose, remove }: GridProps) {
  return (event: KeyboardEvent): void => {
    if (event.target instanceof HTMLButtonElement) return;
    const command = commandOf(event, cursor, isEditable);
    if (command === null) return;
    const row = rows.find(({ id }) => id === cursor.row);
    // The key that opens a field is typed into it.
    if (command.go !== 'edit' || command.how === 'opened') event.preventDefault();
    if (command.go === 'remove') remove(cursor.row ?? '');
    else if (command.go === 'clear') row && choose(row, { modifiers: [] });
    else if (command.go === 'press') (event.target as Element).querySelector<HTMLElement>('button')?.click();
    else go(command);
  };
}

function onClickIn({ cursor, go, rows, isEditable, act }: GridProps) {
  return (event: MouseEvent): void => {
    const place = placeOf(event.target);
    if (place === null || !(event.target instanceof Element)) return;
    const row = rows.find(({ id }) => id === place.row);
    const action = event.target.closest<HTMLElement>('[data-action]')?.dataset.action;
    if (action !== undefined && row !== undefined) act(row, action as RowAction);
    else if (event.target.matches('[data-select]'))
      go({ go: 'select', row: place.row, how: event.shiftKey ? 'range' : 'toggle' });
    if (event.target.closest('[data-action], .cell-field, label') !== null) return;
    const isHere = cursor.row === place.row && cursor.column === place.column;
    if (!isHere) go({ go: 'to', ...place });
    if (isEditable && isEdited(place.column) && !event.shiftKey) go({ go: 'edit', how: 'clicked' });
  };
}

const Head = ({ columns }: { columns: readonly Column[] }) => (
  <thead>
    <tr aria-rowindex={1}>
      {columns.map((column) => (
        <th
          key={column}
          scope="col"
          class={column}
          title={strings.columnHints[column as keyof typeof strings.columnHints]}
        >
          {strings.columns[column]}
        </th>
      ))}
    </tr>
  </thead>
);

/** The field in place of the cell where the keyboard is. */
function editorOf(props: GridProps, row: RowView, number: number): ComponentChildren {
  const { cursor, go, categories, choose, isEditable } = props;
  const { column, editing } = cursor;
  if (editing === 'no' || !isEditable || !isEdited(column)) return null;
  if (row.kind === 'removed' || row.kind === 'lost') return null;
  return (
    <CellEditor
      key={`${row.id}/${column}`}
      row={row}
      column={column}
      label={strings.edit(strings.columns[column], number)}
      how={editing}
      categories={categories}
      commit={(values, next) => {
        choose(row, values);
        go(next ?? { go: 'done' });
      }}
      cancel={() => go({ go: 'done' })}
    />
  );
}

/** The table itself. One of its cells can be reached by Tab; arrow keys go to the others. */
export function Grid(props: GridProps) {
  const { label, rows, columns, cursor, isEditable, names, statisticsOf } = props;
  const focus = useCellFocus(props);
  return (
    <div class="pool-scroll">
      <table
        {...focus}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: one moves between its cells with the arrow keys
        role="grid"
        class={`pool-grid${statisticsOf === null ? '' : ' with-statistics'}`}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-multiselectable={isEditable}
        aria-readonly={!isEditable}
        onKeyDown={onKeyIn(props)}
        onClick={onClickIn(props)}
      >
        <Head columns={columns} />
        <tbody>
          {rows.map((row, at) => (
            <Row
              key={row.id}
              row={row}
              number={at + 1}
              columns={columns}
              names={names}
              statistics={statisticsOf?.(row) ?? null}
              isEditable={isEditable}
              isSelected={cursor.selected.has(row.id)}
              active={cursor.row === row.id ? cursor.column : null}
              editor={cursor.row === row.id ? editorOf(props, row, at + 1) : null}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
