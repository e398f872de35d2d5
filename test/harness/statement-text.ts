/** The text of a statement, from the first argument of `query` of a client of `pg`. */
export const textOf = (asked: unknown): string | undefined =>
  typeof asked === 'string' ? asked : (asked as { text?: string } | null | undefined)?.text;
