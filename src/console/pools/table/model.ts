import type { Shapes } from '../../api.ts';
import type { Addition, Edits, Field, MapChange, PoolMap } from './edits.ts';

/** A batch that was sent, as the pool and the rows were then. */
export interface Sent {
  maps: readonly PoolMap[];
  revision: number;
  /** In the order in which they were sent, with all their values. */
  additions: readonly Addition[];
  changes: ReadonlyMap<string, MapChange>;
}

/** The result of a batch. */
export interface Saved {
  /** In the order of the additions. */
  maps: readonly PoolMap[];
  changed: readonly PoolMap[];
  removed: readonly string[];
}

/** Maps that this person has added from a file. */
export interface Imported {
  /** That of the pool before. */
  revision: number;
  maps: readonly PoolMap[];
}

/** The result of looking up a key or a hash. */
export type Lookup =
  | { state: 'waiting' }
  | { state: 'found'; map: Shapes['LookedUpMap'] }
  /** The text is that of the service. */
  | { state: 'refused'; message: string };

/** The kind of a step, and its number of rows. */
export interface StepName {
  kind: 'add' | 'remove' | 'restore' | 'set' | 'take' | 'keep' | 'addAgain' | 'discard';
  field?: Field;
  rows: number;
}

export interface Step {
  name: StepName;
  /** Before it was taken; of a step that was taken back: after it. */
  edits: Edits;
}

/** A pool as it was read. */
export interface ReadPool {
  maps: readonly PoolMap[];
  revision: number;
  etag: string | null;
}

export interface TableState extends ReadPool {
  /** The maps as the person at this table knows them: differences were made by somebody else meanwhile. */
  known: readonly PoolMap[];
  edits: Edits;
  past: readonly Step[];
  future: readonly Step[];
  /** Batches against this revision of which nobody knows whether they were saved, because their answers were lost. */
  unanswered: readonly Sent[];
  /** The number of rows that were saved since the table was opened. */
  saved: number;
  /** By key or hash. */
  lookups: ReadonlyMap<string, Lookup>;
  /** The refusals of rows when they were saved, by their ids. */
  problems: ReadonlyMap<string, string>;
  nextId: number;
}

/** The problems without those of rows. */
export const withoutProblems = (
  problems: TableState['problems'],
  ids: Iterable<string>,
): TableState['problems'] => {
  const left = new Map(problems);
  for (const id of ids) left.delete(id);
  return left;
};
