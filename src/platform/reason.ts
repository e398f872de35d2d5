/**
 * The message of an error for operators. When the network fails, `fetch` throws a TypeError whose cause has the message. When a
 * host has several addresses, there is an error for each address; the message is that of the first one.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof TypeError && error.cause !== undefined) return reasonOf(error.cause);
  return error instanceof Error ? error.message : String(error);
}
