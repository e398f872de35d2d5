import {
  addAgain,
  addRows,
  type Category,
  countRows,
  dropChange,
  type Edits,
  keepChange,
  NO_EDITS,
  removeRows,
  restoreRows,
  setValues,
  type Values,
  withoutDone,
  withoutStored,
} from './edits.ts';
import {
  type Imported,
  type Lookup,
  type ReadPool,
  type Saved,
  type Sent,
  type StepName,
  type TableState,
  withoutProblems,
} from './model.ts';
import type { PastedRow } from './pasted.ts';
import { afterImport, afterLoss, afterRead, afterSave, whenSent } from './saved.ts';

/** The state of the table: the maps of the pool, what is changed and not saved, the steps to it, and what was looked up. */

export type Action =
  | { do: 'add'; rows: readonly PastedRow[]; categories: readonly Category[] }
  | { do: 'set'; ids: ReadonlySet<string>; field: keyof Values; valuesOf(id: string): Partial<Values> | null }
  | { do: 'remove' | 'restore'; ids: ReadonlySet<string> }
  | { do: 'keep' | 'take' | 'addAgain'; id: string }
  | { do: 'undo' | 'redo' | 'discard' | 'know' }
  | { do: 'lookUp'; questions: readonly string[] }
  | { do: 'lookedUp'; question: string; lookup: Lookup }
  | { do: 'read'; pool: ReadPool }
  | { do: 'sent' | 'unanswered'; sent: Sent }
  | { do: 'saved'; sent: Sent; answer: Saved }
  | { do: 'imported'; imported: Imported }
  | { do: 'refused'; problems: ReadonlyMap<string, string> };

/** The number of steps that can be undone. */
const MOST_STEPS = 200;

/** @param kept unsaved changes of an earlier table, some of which may have been saved although their answer was lost */
export function initialState(pool: ReadPool, kept: Edits = NO_EDITS): TableState {
  const edits = withoutStored(withoutDone(kept, pool.maps), pool.maps);
  const numbers = edits.additions.map(({ id }) => Number(id.replace('new-', '')) || 0);
  return {
    ...pool,
    known: pool.maps,
    edits,
    past: [],
    future: [],
    unanswered: [],
    saved: 0,
    lookups: new Map(),
    problems: new Map(),
    nextId: Math.max(0, ...numbers) + 1,
  };
}

const textOf = ({ additions, changes }: Edits): string => JSON.stringify([additions, [...changes]]);

/** Takes a step that can be taken back, unless it changes nothing. */
function step(state: TableState, name: StepName, edits: Edits, touched: Iterable<string> = []): TableState {
  if (textOf(edits) === textOf(state.edits)) return state;
  return {
    ...state,
    edits,
    past: [...state.past, { name, edits: state.edits }].slice(-MOST_STEPS),
    future: [],
    problems: withoutProblems(state.problems, touched),
  };
}

function travel(state: TableState, from: 'past' | 'future', to: 'past' | 'future'): TableState {
  const last = state[from].at(-1);
  if (last === undefined) return state;
  return {
    ...state,
    edits: withoutDone(last.edits, state.maps),
    [from]: state[from].slice(0, -1),
    [to]: [...state[to], { name: last.name, edits: state.edits }],
  };
}

/** Steps that change unsaved changes. */
function edit(state: TableState, action: Action): TableState {
  const { edits, maps } = state;
  switch (action.do) {
    case 'add': {
      const rows = action.rows.length;
      const added = addRows(edits, action.rows, action.categories, state.nextId);
      return { ...step(state, { kind: 'add', rows }, added), nextId: state.nextId + rows };
    }
    case 'set': {
      const { ids, field, valuesOf } = action;
      return step(state, { kind: 'set', field, rows: ids.size }, setValues(edits, maps, ids, valuesOf), ids);
    }
    case 'remove':
    case 'restore': {
      const { do: kind, ids } = action;
      const change = kind === 'remove' ? removeRows : restoreRows;
      return step(state, { kind, rows: ids.size }, change(edits, maps, ids), ids);
    }
    case 'take':
      return step(state, { kind: 'take', rows: 1 }, dropChange(edits, action.id), [action.id]);
    case 'keep':
      return step(state, { kind: 'keep', rows: 1 }, keepChange(edits, maps, action.id), [action.id]);
    case 'addAgain': {
      const added = addAgain(edits, action.id, `new-${state.nextId}`);
      return { ...step(state, { kind: 'addAgain', rows: 1 }, added, [action.id]), nextId: state.nextId + 1 };
    }
    case 'discard':
      return step(state, { kind: 'discard', rows: countRows(edits) }, NO_EDITS);
    default:
      return state;
  }
}

export function reduce(state: TableState, action: Action): TableState {
  switch (action.do) {
    case 'undo':
      return travel(state, 'past', 'future');
    case 'redo':
      return travel(state, 'future', 'past');
    case 'know':
      return { ...state, known: state.maps };
    case 'lookUp': {
      const waiting = action.questions.map((question) => [question, { state: 'waiting' }] as const);
      return { ...state, lookups: new Map([...state.lookups, ...waiting]) };
    }
    case 'lookedUp':
      return { ...state, lookups: new Map([...state.lookups, [action.question, action.lookup]]) };
    case 'read':
      // An answer may come after that of a newer request.
      return action.pool.revision < state.revision ? state : afterRead(state, action.pool);
    case 'sent':
      return whenSent(state, action.sent);
    case 'unanswered':
      return afterLoss(state, action.sent);
    case 'saved':
      return afterSave(state, action.sent, action.answer);
    case 'imported':
      return afterImport(state, action.imported);
    case 'refused':
      return { ...state, problems: new Map([...state.problems, ...action.problems]) };
    default:
      return edit(state, action);
  }
}
