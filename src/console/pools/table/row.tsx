import { memo } from 'preact/compat';
import { Cover } from '../../../pages/parts/cover.ts';
import { Name } from '../../../pages/parts/name.ts';
import type { Column, RowView } from './rows.ts';
import { edgeOf, type MapStatistics } from './statistics.ts';
import { strings } from './strings.ts';

const minutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

const mapOf = ({ hash, name, key }: RowView) => (
  <>
    {hash !== null && <Cover hash={hash} />}
    <span>
      <Name text={name} /> <span class="quiet">{key}</span>
    </span>
  </>
);

function edgeText(statistics: MapStatistics | null) {
  const found = statistics && edgeOf(statistics);
  if (statistics === null || found === null) return strings.none;
  return (
    <span class={found.isCertain ? 'certain' : 'quiet'} title={strings.edgeRounds(statistics.played)}>
      {strings.edge(found.edge, found.margin)}
    </span>
  );
}

/** What a cell says while it is not edited. */
export function contentOf(
  column: Column,
  row: RowView,
  { number, category, statistics }: Pick<RowProps, 'number' | 'category' | 'statistics'>,
) {
  switch (column) {
    case 'number':
      return number;
    case 'map':
      return mapOf(row);
    case 'characteristic':
    case 'difficulty':
      return row[column] || strings.none;
    case 'category':
      return category === null ? strings.none : <Name text={category} />;
    case 'modifiers':
      return row.modifiers.join(' ') || <span class="quiet">{strings.noModifiers}</span>;
    case 'length':
      return row.durationSeconds === null ? strings.none : minutes(row.durationSeconds);
    case 'kept':
      return statistics === null ? strings.none : strings.kept(statistics.kept, statistics.dealt);
    case 'picked':
      return statistics === null ? strings.none : statistics.picked;
    case 'gap':
      return statistics?.medianGap == null ? strings.none : strings.gap(statistics.medianGap);
    case 'edge':
      return edgeText(statistics);
    case 'notes':
      return row.isStale ? strings.stale : null;
  }
}

export interface RowProps {
  row: RowView;
  /** From 1. */
  number: number;
  columns: readonly Column[];
  /** Its name. */
  category: string | null;
  statistics: MapStatistics | null;
}

/** A row. It is drawn again only when something in it changes. */
export const Row = memo(({ row, columns, ...beside }: RowProps) => (
  <tr aria-rowindex={beside.number + 1} data-row={row.key}>
    {columns.map((column) =>
      column === 'map' ? (
        <th key={column} scope="row" class={column}>
          {contentOf(column, row, beside)}
        </th>
      ) : (
        <td key={column} class={column}>
          {contentOf(column, row, beside)}
        </td>
      ),
    )}
  </tr>
));
