import type { Problem, Shapes } from '../../api.ts';
import type { Sent, TableState } from './model.ts';
import { type RowView, rowsOf } from './rows.ts';

/** The batches in which the rows are saved. */

/** The most rows of each list of a batch: `maxItems` of `NewPoolMaps` in the HTTP reference. */
export const MOST_ROWS = 200;

export interface Batch {
  body: Required<Shapes['NewPoolMaps']>;
  sent: Sent;
}

/** Unknown codes are not sent: see {@link isReady}. */
const codes = (modifiers: readonly string[]) => [...modifiers] as Shapes['Modifier'][];

/** Whether a row is to be saved and can be. */
export const isReady = ({ kind, missing }: RowView): boolean =>
  kind !== 'kept' && kind !== 'lost' && missing === null;

/**
 * What is sent next: removals come before changes and changes before additions, because a map may take the place of one
 * that goes.
 * @returns null when nothing is left that can be saved
 */
export function nextBatch(state: TableState): Batch | null {
  const { edits, maps, revision } = state;
  const ready = rowsOf(state).filter(isReady);
  const ofKind = (kind: RowView['kind']): RowView[] =>
    ready.filter((row) => row.kind === kind).slice(0, MOST_ROWS);
  const removals = ofKind('removed');
  const changes = removals.length < MOST_ROWS ? ofKind('changed') : [];
  const additions = removals.length < MOST_ROWS && changes.length < MOST_ROWS ? ofKind('new') : [];
  const sentRows = new Map([...removals, ...changes, ...additions].map((row) => [row.id, row]));
  if (sentRows.size === 0) return null;
  return {
    body: {
      removals: removals.map(({ id }) => id),
      changes: changes.map(({ id }) => {
        const { modifiers, ...values } = edits.changes.get(id)?.values ?? {};
        return { mapGuid: id, ...values, ...(modifiers && { modifiers: codes(modifiers) }) };
      }),
      maps: additions.map(({ key, characteristic, difficulty, categoryGuid, modifiers }) => ({
        key,
        characteristic,
        difficulty,
        categoryGuid,
        modifiers: codes(modifiers),
      })),
    },
    sent: {
      maps,
      revision,
      additions: edits.additions.flatMap((addition) => {
        const row = sentRows.get(addition.id);
        if (row === undefined) return [];
        const { hash, characteristic, difficulty } = row;
        return [{ ...addition, hash, characteristic, difficulty }];
      }),
      changes: new Map([...edits.changes].filter(([guid]) => sentRows.has(guid))),
    },
  };
}

/** The problems of single rows of a refused batch, by their ids. */
export function problemsOf({ details }: Problem, { body, sent }: Batch): Map<string, string> {
  const { rows = [], changes = [], fields = [] } = details ?? {};
  const ids: Readonly<Record<string, readonly string[]>> = {
    maps: sent.additions.map(({ id }) => id),
    changes: body.changes.map(({ mapGuid }) => mapGuid),
    removals: body.removals,
  };
  const found = new Map<string, string>();
  const addAt = (path: string, message: string): void => {
    const [list = '', index] = path.split('.');
    const id = ids[list]?.[Number(index)];
    if (id !== undefined) found.set(id, message);
  };
  for (const { path, message } of fields) addAt(path, message);
  for (const { index, message } of rows) addAt(`maps.${index}`, message);
  for (const { mapGuid, message } of changes) found.set(mapGuid, message);
  return found;
}
