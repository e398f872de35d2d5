import { useMemo } from 'preact/hooks';
import type { Shapes } from '../../api.ts';
import { Row } from './row.tsx';
import { COLUMNS, type RowView } from './rows.ts';
import { statisticsByMap } from './statistics.ts';
import { strings } from './strings.ts';

export interface PoolTableProps {
  /** The answer of `GET /pools/{poolGuid}/maps`. */
  pool: Shapes['PoolWithMaps'];
  /** Its entity tag. */
  etag: string | null;
  /** Reads the pool again, after it was changed. */
  reload(): void;
  isEditable: boolean;
  /** Of the pool that it was copied from, or else its own; null: none are shown. */
  statistics: Shapes['PoolStatistics'] | null;
}

const STATISTICS: readonly string[] = ['kept', 'picked', 'gap', 'edge'];

const viewOf = (map: Shapes['PoolMap']): RowView => ({ ...map, id: map.mapGuid, isStale: map.stale });

/** The maps of a pool, one row each. */
export function PoolTable({ pool, statistics }: PoolTableProps) {
  const rows = useMemo(() => pool.maps.map(viewOf), [pool]);
  const find = useMemo(() => statisticsByMap(statistics), [statistics]);
  const categories = useMemo(
    () => new Map(pool.categories.map(({ categoryGuid, name }) => [categoryGuid, name])),
    [pool],
  );
  const columns = useMemo(
    () => COLUMNS.filter((column) => statistics !== null || !STATISTICS.includes(column)),
    [statistics],
  );
  if (rows.length === 0) return <p class="quiet">{strings.empty}</p>;
  return (
    <div class="pool-scroll">
      <table
        class={`pool-grid${statistics === null ? '' : ' with-statistics'}`}
        aria-label={strings.table(pool.name)}
        aria-rowcount={rows.length + 1}
      >
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
        <tbody>
          {rows.map((row, at) => (
            <Row
              key={row.id}
              row={row}
              number={at + 1}
              columns={columns}
              category={categories.get(row.categoryGuid) ?? null}
              statistics={find(row)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
