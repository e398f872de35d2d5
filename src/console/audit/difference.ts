/** Compares a thing before and after a change. Works on any JSON of the audit log. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** One place that is different. */
export interface Difference {
  kind: 'added' | 'removed' | 'changed' | 'moved';
  /** Names of members; for an object in a list the value that identifies it, or else its number. Empty: the whole. */
  path: readonly string[];
  /** Undefined: it was not there. */
  before: Json | undefined;
  /** Undefined: it is not there any more. */
  after: Json | undefined;
}

type Thing = { readonly [member: string]: Json };

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const isThing = (value: Json | undefined): value is Thing =>
  typeof value === 'object' && value !== null && !isList(value);

/** The same text for equal values, whatever the order of their members. */
const textOf = (value: Json): string =>
  isList(value)
    ? `[${value.map(textOf).join()}]`
    : isThing(value)
      ? `{${Object.keys(value)
          .sort()
          .map((name) => `${JSON.stringify(name)}:${textOf(value[name] as Json)}`)
          .join()}}`
      : JSON.stringify(value);

const isEqual = (a: Json, b: Json): boolean => textOf(a) === textOf(b);

/**
 * Compares two states of a thing. Every member of a thing that did not exist before counts as added, and every member of one
 * that exists no more as removed.
 * @returns the differences; none: both are equal
 */
export function differencesOf(before: Json, after: Json): Difference[] {
  if (before === null && isThing(after)) return ofThings({}, after, []);
  if (after === null && isThing(before)) return ofThings(before, {}, []);
  return between(before, after, []);
}

function between(before: Json | undefined, after: Json | undefined, path: readonly string[]): Difference[] {
  if (before === undefined) return after === undefined ? [] : whole('added', after, path);
  if (after === undefined) return whole('removed', before, path);
  if (isEqual(before, after)) return [];
  if (isThing(before) && isThing(after)) return ofThings(before, after, path);
  if (isList(before) && isList(after)) return ofLists(before, after, path);
  return [{ kind: 'changed', path, before, after }];
}

/** The leaves of a value that was added or removed as a whole, so that the people and times in it can be named. */
function whole(kind: 'added' | 'removed', value: Json, path: readonly string[]): Difference[] {
  const isAdded = kind === 'added';
  if (isThing(value) && Object.keys(value).length > 0)
    return isAdded ? ofThings({}, value, path) : ofThings(value, {}, path);
  if (isList(value) && value.some(isThing))
    return isAdded ? ofLists([], value, path) : ofLists(value, [], path);
  return [{ kind, path, before: isAdded ? undefined : value, after: isAdded ? value : undefined }];
}

const ofThings = (before: Thing, after: Thing, path: readonly string[]): Difference[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    between(own(before, name), own(after, name), [...path, name]),
  );

/** A member by any name, also by one that every object inherits. */
const own = (thing: Thing, name: string): Json | undefined =>
  Object.hasOwn(thing, name) ? thing[name] : undefined;

function ofLists(before: readonly Json[], after: readonly Json[], path: readonly string[]): Difference[] {
  const name = identityOf(before, after);
  if (name !== null) return ofNamed(before as readonly Thing[], after as readonly Thing[], name, path);
  const gone = without(before, after);
  const come = without(after, before);
  if (gone.length + come.length === 0) return [{ kind: 'moved', path, before, after }];
  // No member identifies the elements: the first removed and the first added object count as one that was changed.
  return Array.from({ length: Math.max(gone.length, come.length) }, (_, at) => at).flatMap((at) => {
    const [old, young] = [gone[at], come[at]];
    if (isThing(old) && isThing(young)) return ofThings(old, young, [...path, `${at + 1}`]);
    const inside = (one: Json) => (isThing(one) ? [...path, `${at + 1}`] : path);
    return [
      ...(old === undefined ? [] : whole('removed', old, inside(old))),
      ...(young === undefined ? [] : whole('added', young, inside(young))),
    ];
  });
}

/** The elements of a list that the other one does not have, each as often as it occurs more often. */
function without(list: readonly Json[], other: readonly Json[]): Json[] {
  const left = new Map<string, number>();
  for (const one of other) left.set(textOf(one), (left.get(textOf(one)) ?? 0) + 1);
  return list.filter((one) => {
    const count = left.get(textOf(one)) ?? 0;
    left.set(textOf(one), count - 1);
    return count <= 0;
  });
}

/** The member that identifies the elements of both lists, such as `mapGuid`; null: there is none. */
function identityOf(before: readonly Json[], after: readonly Json[]): string | null {
  const all = [...before, ...after];
  const [first] = all;
  if (!isThing(first) || !all.every(isThing)) return null;
  const tells = (name: string): boolean =>
    [before, after].every((list) => {
      const values = (list as readonly Thing[]).map((one) => own(one, name));
      return values.every((value) => typeof value === 'string') && new Set(values).size === values.length;
    });
  const names = Object.keys(first).filter(tells);
  return names.find((name) => name.endsWith('Guid')) ?? names[0] ?? null;
}

function ofNamed(
  before: readonly Thing[],
  after: readonly Thing[],
  name: string,
  path: readonly string[],
): Difference[] {
  const byName = (list: readonly Thing[]) => new Map(list.map((one) => [String(own(one, name)), one]));
  const [old, young] = [byName(before), byName(after)];
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((key) =>
    between(old.get(key), young.get(key), [...path, key]),
  );
}
