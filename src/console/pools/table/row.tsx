import type { ComponentChildren } from 'preact';
import { memo } from 'preact/compat';
import { clockTime } from '../../../pages/parts/match-text.ts';
import { Name } from '../../../pages/parts/name.ts';
import { plain } from '../../../pages/parts/text.ts';
import { LateCover } from './cover.tsx';
import type { Column } from './cursor.ts';
import { type CategoryNames, Notes } from './notes.tsx';
import type { RowView } from './rows.ts';
import { edgeOf, type MapStatistics } from './statistics.ts';
import { strings } from './strings.ts';

/** Characters shown of the name of a pasted difficulty. */
const MOST_CHARACTERS = 32;

const MapName = ({ hash, name, key }: Pick<RowView, 'hash' | 'name' | 'key'>) => (
  <>
    {name === '' ? <span class="cover" /> : <LateCover key={hash} hash={hash} />}
    <span>
      {name !== '' && <Name text={name} />} <span class="quiet">{key || hash}</span>
    </span>
  </>
);

function edgeText(statistics: MapStatistics) {
  const found = edgeOf(statistics);
  if (found === null) return strings.none;
  return (
    <span class={found.isCertain ? 'certain' : 'quiet'} title={strings.edgeRounds(statistics.played)}>
      {strings.edge(found.edge, found.margin)}
    </span>
  );
}

function statisticsOf(column: Column, statistics: MapStatistics | null) {
  if (statistics === null) return strings.none;
  const { kept, dealt, picked, medianGap } = statistics;
  if (column === 'kept') return strings.kept(kept, dealt);
  if (column === 'picked') return picked;
  if (column === 'gap') return medianGap === null ? strings.none : strings.gap(medianGap);
  return edgeText(statistics);
}

const NumberCell = ({
  number,
  isSelected,
  isEditable,
}: Pick<RowProps, 'number' | 'isSelected' | 'isEditable'>) =>
  isEditable ? (
    <label>
      <input
        type="checkbox"
        tabIndex={-1}
        checked={isSelected}
        aria-label={strings.selectRow(number)}
        data-select=""
      />
      <span aria-hidden="true">{number}</span>
    </label>
  ) : (
    <span>{number}</span>
  );

/** The text of a cell that is not being edited. */
function contentOf(column: Column, { row, names, statistics, ...beside }: RowProps): ComponentChildren {
  switch (column) {
    case 'number':
      return <NumberCell {...beside} />;
    case 'map':
      return MapName(row);
    case 'characteristic':
    case 'difficulty':
      return plain(row[column], MOST_CHARACTERS, strings.none);
    case 'category':
      return names.has(row.categoryGuid) ? <Name text={names.get(row.categoryGuid) ?? ''} /> : strings.none;
    case 'modifiers':
      return row.modifiers.length === 0 ? (
        <span class="quiet">{strings.noModifiers}</span>
      ) : (
        plain(row.modifiers.join(' '))
      );
    case 'length':
      return row.durationSeconds === null ? strings.none : clockTime(row.durationSeconds * 1000);
    case 'notes':
      return (
        <Notes row={row} names={names} isActive={beside.active !== null} isEditable={beside.isEditable} />
      );
    default:
      return statisticsOf(column, statistics);
  }
}

export interface RowProps {
  row: RowView;
  /** From 1. */
  number: number;
  columns: readonly Column[];
  names: CategoryNames;
  statistics: MapStatistics | null;
  isEditable: boolean;
  isSelected: boolean;
  /** The column in which the keyboard is; null: it is in another row. */
  active: Column | null;
  /** The field in place of the cell where the keyboard is. */
  editor: ComponentChildren;
}

/** Whether two rows show the same. */
function isSameRow(one: RowProps, other: RowProps): boolean {
  const { row, ...beside } = one;
  const same = <Members extends object>(members: Members, others: Members): boolean =>
    (Object.keys(members) as (keyof Members)[]).every((name) => Object.is(members[name], others[name]));
  return same(beside, other as typeof beside) && same(row, other.row);
}

/** A row. It is drawn again only when something in it changes. */
export const Row = memo((props: RowProps) => {
  const { row, number, columns, active, editor, isSelected, isEditable } = props;
  return (
    <tr
      aria-rowindex={number + 1}
      aria-selected={isEditable ? isSelected : undefined}
      class={`row-${row.kind}`}
      data-id={row.id}
      data-key={row.key}
    >
      {columns.map((column) => {
        const Cell = column === 'map' ? 'th' : 'td';
        const isHere = column === active;
        return (
          <Cell
            key={column}
            scope={column === 'map' ? 'row' : undefined}
            class={column}
            data-column={column}
            tabIndex={isHere ? 0 : -1}
          >
            {isHere && editor ? editor : contentOf(column, props)}
          </Cell>
        );
      })}
    </tr>
  );
}, isSameRow);
