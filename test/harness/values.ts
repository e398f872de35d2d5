/**
 * Every value in a tree of JSON that has nothing below it. A number or a short text is looked for among these and not in
 * the written tree: an id or a time in it may have the same digits.
 */
export function valuesIn(tree: unknown): unknown[] {
  if (typeof tree !== 'object' || tree === null) return [tree];
  return Object.values(tree).flatMap(valuesIn);
}
