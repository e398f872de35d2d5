/** A row as the table shows it. Every member keeps its identity as long as it does not change. */
export interface RowView {
  id: string;
  key: string;
  hash: string | null;
  name: string;
  durationSeconds: number | null;
  characteristic: string;
  difficulty: string;
  categoryGuid: string;
  modifiers: readonly string[];
  isStale: boolean;
}

/** The columns in their order. */
export const COLUMNS = [
  'number',
  'map',
  'characteristic',
  'difficulty',
  'category',
  'modifiers',
  'length',
  'kept',
  'picked',
  'gap',
  'edge',
  'notes',
] as const;

export type Column = (typeof COLUMNS)[number];
