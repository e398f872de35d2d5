/**
 * All leaves of a JSON value. Tests look for a number or a short text among these and not in the written JSON, where an id
 * or a time may have the same digits.
 */
export function valuesIn(tree: unknown): unknown[] {
  if (typeof tree !== 'object' || tree === null) return [tree];
  return Object.values(tree).flatMap(valuesIn);
}
