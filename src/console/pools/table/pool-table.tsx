import { useMemo } from 'preact/hooks';
import type { Shapes } from '../../api.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { useCategories } from '../choices.ts';
import { AddMaps, useAdding } from './add-maps.tsx';
import { Bar } from './bar.tsx';
import { columnsOf } from './cursor.ts';
import { isEmpty } from './edits.ts';
import { Grid } from './grid.tsx';
import { LookupProgress } from './lookup-progress.tsx';
import { MeanwhileNote } from './meanwhile.tsx';
import { meanwhileOf, rowsOf } from './rows.ts';
import { Selection } from './selection.tsx';
import { statisticsByMap } from './statistics.ts';
import { strings } from './strings.ts';
import { commandsOf, usePaste, useShortcuts } from './use-commands.ts';
import { useLookups } from './use-lookups.ts';
import { useSave } from './use-save.ts';
import { useCursor, useLeaveWarning, useTableState } from './use-table.ts';

export interface PoolTableProps {
  /** The answer of `GET /pools/{poolGuid}/maps`. */
  pool: Shapes['PoolWithMaps'];
  /** Its entity tag. */
  etag: string | null;
  /** Reads the pool again, after it was changed. */
  reload(): void;
  isEditable: boolean;
  /** Its statistics, or those of the pool that it was copied from while it was never published; null: none are shown. */
  statistics: Shapes['PoolStatistics'] | null;
}

/** The maps of a pool, one row each: read, or edited with the keyboard and saved in batches. */
export function PoolTable({ pool, etag, reload, isEditable, statistics }: PoolTableProps) {
  const { store, isKept } = useTableState({ pool, etag });
  const state = store.get();
  const rows = useMemo(() => rowsOf(state), [state]);
  const categories = useCategories();
  const all = categories.data ?? pool.categories;
  const names = useMemo(() => new Map(all.map(({ categoryGuid, name }) => [categoryGuid, name])), [all]);
  const columns = useMemo(() => columnsOf(statistics !== null), [statistics === null]);
  const statisticsOf = useMemo(() => statistics && statisticsByMap(statistics), [statistics]);
  const { cursor, go } = useCursor(rows, columns);
  const { lookUp, waiting } = useLookups(store);
  const saving = useSave(store, pool.poolGuid, reload);
  const commands = commandsOf({ store, rows, cursor, categories: all, lookUp });
  useLeaveWarning(store);
  const adding = useAdding(pool.poolGuid, commands.add);
  usePaste(isEditable, categories.data !== null, (text) => adding.take(text, 'page'));
  const { undo, redo, discard } = commands;
  useShortcuts(isEditable, { undo, redo, save: saving.save });
  const isLocked = !isEditable && !isEmpty(state.edits);
  return (
    <>
      <ProblemNote problem={categories.problem} onRetry={categories.reload} />
      {isLocked && <p class="warning">{strings.bar.locked}</p>}
      <MeanwhileNote meanwhile={meanwhileOf(state)} names={names} known={() => store.send({ do: 'know' })} />
      {isEditable && (
        <>
          <AddMaps adding={adding} isReady={categories.data !== null} />
          <LookupProgress rows={rows} waiting={waiting} />
          <Bar rows={rows} state={state} saving={saving} {...{ isKept, undo, redo, discard }} />
          <Selection
            {...commands.ofSelection}
            count={cursor.selected.size}
            categories={all}
            none={() => go({ go: 'selectNone' })}
          />
          <p class="quiet">{strings.keys}</p>
        </>
      )}
      {rows.length === 0 ? (
        <p class="quiet">{isEditable ? strings.emptyEditable : strings.empty}</p>
      ) : (
        <Grid
          {...{ rows, columns, cursor, go, isEditable, names, statisticsOf }}
          label={strings.table(pool.name)}
          categories={all}
          choose={commands.choose}
          remove={commands.remove}
          act={commands.act}
        />
      )}
    </>
  );
}
