/**
 * What went wrong, for operators. `fetch` wraps a failure of the network into a TypeError, whose cause says what happened; for a host
 * with several addresses there is an error for each one, and the first is told.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof TypeError && error.cause !== undefined) return reasonOf(error.cause);
  return error instanceof Error ? error.message : String(error);
}
