import type { Problem, Shapes } from '../../api.ts';
import type { Sent, TableState } from './model.ts';
import type { RowView } from './rows.ts';

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
export function nextBatch(rows: readonly RowView[], { edits, maps, revision }: TableState): Batch | null {
  const ready = rows.filter(isReady);
  const removals = ready.filter(({ kind }) => kind === 'removed').slice(0, MOST_ROWS);
  const ofKind = (kind: RowView['kind'], isTurn: boolean): RowView[] =>
    isTurn ? ready.filter((row) => row.kind === kind).slice(0, MOST_ROWS) : [];
  const changes = ofKind('changed', removals.length < MOST_ROWS);
  const additions = ofKind('new', removals.length < MOST_ROWS && changes.length < MOST_ROWS);
  if (removals.length + changes.length + additions.length === 0) return null;

  const byId = new Map(edits.additions.map((addition) => [addition.id, addition]));
  const sentChanges = [...removals, ...changes].flatMap(({ id }) => {
    const change = edits.changes.get(id);
    return change === undefined ? [] : [[id, change] as const];
  });
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
      additions: additions.flatMap((row) => {
        const addition = byId.get(row.id);
        const { hash, characteristic, difficulty } = row;
        return addition === undefined ? [] : [{ ...addition, hash, characteristic, difficulty }];
      }),
      changes: new Map(sentChanges),
    },
  };
}

/** The problems of single rows of a refused batch, by their ids. */
export function problemsOf({ details }: Problem, { body, sent }: Batch): Map<string, string> {
  const { rows = [], changes = [], fields = [] } = details ?? {};
  const idOf = (list: string, index: number): string | undefined =>
    list === 'maps'
      ? sent.additions[index]?.id
      : list === 'changes'
        ? body.changes[index]?.mapGuid
        : body.removals[index];
  const found = new Map<string, string>();
  for (const { path, message } of fields) {
    const [, list = '', index = ''] = /^(maps|changes|removals)[.](\d+)/.exec(path) ?? [];
    const id = idOf(list, Number(index || Number.NaN));
    if (id !== undefined) found.set(id, message);
  }
  for (const { index, message } of rows) {
    const id = idOf('maps', index);
    if (id !== undefined) found.set(id, message);
  }
  for (const { mapGuid, message } of changes) found.set(mapGuid, message);
  return found;
}
