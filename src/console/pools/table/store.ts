import type { Problem } from '../../api.ts';
import type { TableState } from './model.ts';
import { type Action, reduce } from './state.ts';

/** Holds the state of a table. Code that runs beside the rendering, such as saving, always reads the newest state. */
export interface Store {
  get(): TableState;
  send(action: Action): void;
  subscribe(listener: () => void): () => void;
}

export function createStore(initial: TableState): Store {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    send: (action) => {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A run that saves the rows of a table. */
export interface Run {
  store: Store;
  /** The last batch, at first that of the run before. A run that was stopped may wait for the answer still. */
  batch: Promise<Problem | null>;
}

/**
 * The last run that saves each pool. A batch may end after its view was left: when the pool is shown again before
 * that, the new view goes on with the same store.
 */
export const beingSaved = new Map<string, Run>();

/** The stores of the tables that are shown, by pool: other parts of the page read the unsaved rows there, and tell what they added. */
export const shownTables = new Map<string, Store>();
