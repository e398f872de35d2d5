import { isDeepStrictEqual } from 'node:util';

/**
 * Whether a client made from an older reference works with a newer one. A service may say more than before and ask for less:
 * responses gain members, lists of values in them grow, requests gain members that may be left out.
 */

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
// biome-ignore lint/suspicious/noExplicitAny: documents are read as they are
type Document = any;
type Schema = Document;

/** `in`: what a client sends. `out`: what it gets. */
type Direction = 'in' | 'out';

interface Sides {
  before: Document;
  after: Document;
  problems: string[];
  /** Pairs of shapes that are compared already. */
  seen: Set<string>;
}

const NOT_BINDING = new Set([
  'description',
  'summary',
  'examples',
  'example',
  'title',
  'tags',
  'x-errors',
  'info',
]);

/** The parts of a document that clients rely on: the form in which a baseline is kept. */
export function binding(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(binding);
  if (typeof document !== 'object' || document === null) return document;
  const isNamed = Object.values(document).every((value) => typeof value === 'object' && value !== null);
  // A member of a shape may have any name.
  const mayHoldAnyName = isNamed && !('schema' in document) && !('schemas' in document);
  return Object.fromEntries(
    Object.entries(document)
      .filter(([name]) => mayHoldAnyName || !NOT_BINDING.has(name))
      .map(([name, value]) => [name, binding(value)]),
  );
}

const at = (document: Document, ref: string): Document =>
  ref
    .slice(2)
    .split('/')
    .reduce((part, name) => part?.[name.replaceAll('~1', '/')], document);

const follow = (document: Document, value: Document): Document =>
  typeof value?.$ref === 'string' ? follow(document, at(document, value.$ref)) : value;

interface Shape {
  schema: Schema;
  types: Set<string>;
}

/** A schema without references and unions with null. */
function shapeOf(document: Document, given: Schema): Shape {
  const schema = follow(document, given) ?? {};
  const union = [schema.anyOf, schema.allOf].find((part) => Array.isArray(part));
  const parts: Schema[] = union?.filter((part: Schema) => part.type !== 'null') ?? [];
  if (union === undefined || parts.length !== 1)
    return { schema, types: new Set([schema.type ?? []].flat()) };
  const inner = shapeOf(document, parts[0]);
  return { ...inner, types: new Set([...inner.types, ...(parts.length < union.length ? ['null'] : [])]) };
}

const valuesOf = ({ enum: values, const: value }: Schema): Json[] | null =>
  values ?? (value === undefined ? null : [value]);

/** `wide`: a schema that must accept everything that `narrow` accepts. */
function typeProblem(wide: Shape, narrow: Shape): string | null {
  if (wide.types.size === 0) return null;
  const takes = (type: string) => wide.types.has(type) || (type === 'integer' && wide.types.has('number'));
  const others = [...narrow.types].filter((type) => !takes(type));
  if (narrow.types.size === 0) return 'may be anything';
  return others.length > 0 ? `may be ${others.join(' or ')}` : null;
}

const LOWER = ['minimum', 'minLength', 'minItems'] as const;
const UPPER = ['maximum', 'maxLength', 'maxItems'] as const;

/** Inputs that a client may no longer send. */
function narrowed({ schema: before }: Shape, { schema: after }: Shape): string[] {
  const problems: string[] = [];
  const [had, has] = [valuesOf(before), valuesOf(after)];
  const gone = has === null ? [] : (had?.filter((value) => !has.includes(value)) ?? ['other values']);
  if (gone.length > 0) problems.push(`no longer takes ${gone.join(', ')}`);
  for (const bound of LOWER)
    if (after[bound] > (before[bound] ?? Number.NEGATIVE_INFINITY)) problems.push(`has a higher ${bound}`);
  for (const bound of UPPER)
    if (after[bound] < (before[bound] ?? Number.POSITIVE_INFINITY)) problems.push(`has a lower ${bound}`);
  for (const form of ['pattern', 'format'])
    if (after[form] !== undefined && after[form] !== before[form]) problems.push(`has another ${form}`);
  if (after.additionalProperties === false && before.additionalProperties !== false)
    problems.push('takes no other members any more');
  // With another default, a request that leaves the value out has another meaning.
  if (before.default !== undefined && !isDeepStrictEqual(before.default, after.default))
    problems.push(`no longer is ${JSON.stringify(before.default)} when left out`);
  return problems;
}

/** Outputs whose meaning a client relies on. */
function changedOutput({ schema: before }: Shape, { schema: after }: Shape): string[] {
  const has = valuesOf(after);
  // Generated code has their names, and codes are never renamed.
  const gone = has === null ? [] : (valuesOf(before)?.filter((value) => !has.includes(value)) ?? []);
  return [
    ...(before.format === after.format ? [] : ['has another format']),
    ...(gone.length > 0 ? [`is never ${gone.join(', ')} any more`] : []),
  ];
}

function compareMembers(
  sides: Sides,
  before: Shape,
  after: Shape,
  place: string,
  direction: Direction,
): void {
  const { problems } = sides;
  const needed = new Set<string>(after.schema.required);
  const had = new Set<string>(before.schema.required);
  for (const [name, schema] of Object.entries(before.schema.properties ?? {})) {
    const now = after.schema.properties?.[name];
    if (now === undefined) problems.push(`${place}.${name} is gone`);
    else compareSchemas(sides, schema, now, `${place}.${name}`, direction);
    if (direction === 'out' && now !== undefined && had.has(name) && !needed.has(name))
      problems.push(`${place}.${name} may be missing`);
  }
  if (direction === 'in')
    for (const name of needed) if (!had.has(name)) problems.push(`${place}.${name} is required`);
}

function compareSchemas(
  sides: Sides,
  givenBefore: Schema,
  givenAfter: Schema,
  place: string,
  direction: Direction,
): void {
  const pair = `${direction} ${givenBefore?.$ref} ${givenAfter?.$ref}`;
  if (givenBefore?.$ref !== undefined && givenAfter?.$ref !== undefined) {
    if (sides.seen.has(pair)) return;
    sides.seen.add(pair);
  }
  const before = shapeOf(sides.before, givenBefore);
  const after = shapeOf(sides.after, givenAfter);
  const type = direction === 'in' ? typeProblem(after, before) : typeProblem(before, after);
  if (type !== null) sides.problems.push(`${place} ${direction === 'in' ? `no longer ${type}` : type}`);
  const others = direction === 'in' ? narrowed(before, after) : changedOutput(before, after);
  for (const what of others) sides.problems.push(`${place} ${what}`);
  compareMembers(sides, before, after, place, direction);
  if (before.schema.items !== undefined)
    compareSchemas(sides, before.schema.items, after.schema.items, `${place}[]`, direction);
  for (const variant of before.schema.oneOf ?? []) {
    const same = after.schema.oneOf?.find((one: Schema) => one.$ref === variant.$ref);
    if (same !== undefined) compareSchemas(sides, variant, same, place, direction);
    else if (direction === 'in') sides.problems.push(`${place} no longer takes ${variant.$ref}`);
  }
}

function compareParameters(sides: Sides, before: Document, after: Document, place: string): void {
  const keyOf = (parameter: Document) => `${parameter.in} ${parameter.name}`;
  const known = new Map<string, Document>(
    (before.parameters ?? []).map((one: Document) => [keyOf(one), one]),
  );
  const now = new Map<string, Document>((after.parameters ?? []).map((one: Document) => [keyOf(one), one]));
  for (const [key, parameter] of known) {
    const same = now.get(key);
    if (same === undefined) sides.problems.push(`${place}: ${key} is gone`);
    else compareSchemas(sides, parameter.schema, same.schema, `${place}: ${key}`, 'in');
  }
  for (const [key, { required }] of now)
    if (required && !known.get(key)?.required) sides.problems.push(`${place}: ${key} is required`);
}

function compareAccess({ problems }: Sides, before: Document, after: Document, place: string): void {
  const asks = ({ security = [] }: Document) => security.map((one: object) => Object.keys(one).join());
  const gone = asks(before).filter((one: string) => !asks(after).includes(one));
  if (gone.length > 0 && asks(after).length > 0) problems.push(`${place} no longer takes ${gone}`);
  if (asks(before).length === 0 && asks(after).length > 0) problems.push(`${place} needs credentials`);
  const [had, has]: [Json[], Json[]] = [before['x-roles'] ?? [], after['x-roles'] ?? []];
  const roles = had.filter((role) => has.length > 0 && !has.includes(role));
  if (roles.length > 0) problems.push(`${place} is closed to ${roles.join(', ')}`);
  if (had.length === 0 && has.length > 0) problems.push(`${place} needs a role`);
}

function compareHeaders(sides: Sides, before: Document, after: Document, place: string): void {
  for (const [name, given] of Object.entries(before.headers ?? {})) {
    const [had, has] = [follow(sides.before, given), follow(sides.after, after.headers?.[name])];
    if (has === undefined) sides.problems.push(`${place}: the header ${name} is gone`);
    else {
      if (had.required && !has.required) sides.problems.push(`${place}: the header ${name} may be missing`);
      compareSchemas(sides, had.schema, has.schema, `${place}: the header ${name}`, 'out');
    }
  }
}

function compareOperations(sides: Sides, before: Document, after: Document, place: string): void {
  const { problems } = sides;
  if (before.operationId !== after.operationId) problems.push(`${place} is no longer ${before.operationId}`);
  compareAccess(sides, before, after, place);
  compareParameters(sides, before, after, place);
  const [had, has] = [before.requestBody?.content, after.requestBody?.content];
  if (had === undefined && after.requestBody?.required) problems.push(`${place} needs a body`);
  for (const [type, { schema }] of Object.entries<Document>(had ?? {}))
    if (has?.[type] === undefined) problems.push(`${place} no longer takes ${type}`);
    else compareSchemas(sides, schema, has[type].schema, `${place}: body`, 'in');
  for (const [status, given] of Object.entries(before.responses)) {
    const now = after.responses[status];
    // A client does not notice a refusal that does not occur any more.
    if (now === undefined && Number(status) >= 400) continue;
    if (now === undefined) problems.push(`${place} no longer answers ${status}`);
    else compareHeaders(sides, follow(sides.before, given), follow(sides.after, now), `${place} ${status}`);
    const content = follow(sides.after, now)?.content;
    for (const [type, { schema }] of Object.entries<Document>(follow(sides.before, given).content ?? {}))
      if (now !== undefined && content?.[type] === undefined)
        problems.push(`${place} ${status} is no ${type}`);
      else if (now !== undefined)
        compareSchemas(sides, schema, content[type].schema, `${place} ${status}`, 'out');
  }
}

/** The messages of an operation of the socket. */
function compareEvents(sides: Sides, before: Document, after: Document, event: string): void {
  const messageOf = (document: Document, { $ref }: Document) => follow(document, { $ref });
  const pairs: [Document[], Document[], Direction][] = [
    [before.messages, after.messages, before.action === 'receive' ? 'in' : 'out'],
    [before.reply?.messages ?? [], after.reply?.messages ?? [], 'out'],
  ];
  if (before.action !== after.action) sides.problems.push(`${event} goes the other way`);
  for (const [had, has, direction] of pairs)
    for (const message of had) {
      const same = has.find(({ $ref }) => $ref === message.$ref);
      if (same === undefined) sides.problems.push(`${event} no longer has ${message.$ref}`);
      else {
        const [from, to] = [messageOf(sides.before, message), messageOf(sides.after, same)];
        if (from.name !== to.name) sides.problems.push(`${event} is no longer named ${from.name}`);
        compareSchemas(sides, from.payload, to.payload, `${event}: ${direction}`, direction);
      }
    }
}

/** The guarantees of the older document that the newer one breaks; for both kinds of references. */
export function breaks(before: Document, after: Document): string[] {
  const sides: Sides = { before, after, problems: [], seen: new Set() };
  for (const [path, operations] of Object.entries<Document>(before.paths ?? {}))
    for (const [method, operation] of Object.entries<Document>(operations)) {
      const place = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      if (now === undefined) sides.problems.push(`${place} is gone`);
      else compareOperations(sides, operation, now, place);
    }
  for (const [name, { address }] of Object.entries<Document>(before.channels ?? {}))
    if (after.channels[name]?.address !== address)
      sides.problems.push(`the channel ${name} is no longer at ${address}`);
  for (const [event, operation] of Object.entries<Document>(before.operations ?? {})) {
    const now = after.operations[event];
    if (now === undefined) sides.problems.push(`${event} is gone`);
    else compareEvents(sides, operation, now, event);
  }
  // Generated code has their names.
  for (const [name, schema] of Object.entries<Schema>(before.components?.schemas ?? {})) {
    const now = after.components.schemas[name];
    const gone = (schema.enum ?? []).filter((value: Json) => now?.enum && !now.enum.includes(value));
    if (now === undefined) sides.problems.push(`the shape ${name} is gone`);
    if (gone.length > 0) sides.problems.push(`the shape ${name} is never ${gone.join(', ')} any more`);
  }
  return [...new Set(sides.problems)];
}

/** Everything that the older document says and the newer one does not, also where no client breaks. */
export function losses(before: Document, after: Document, place = ''): string[] {
  if (typeof before !== 'object' || before === null) return [];
  if (Array.isArray(before)) {
    const has = new Set((Array.isArray(after) ? after : []).map(keyOf));
    return before.flatMap((one) => (has.has(keyOf(one)) ? [] : [`${place}: ${keyOf(one)}`]));
  }
  return Object.entries(before).flatMap(([name, value]) =>
    after?.[name] === undefined ? [`${place}/${name}`] : losses(value, after[name], `${place}/${name}`),
  );
}

const keyOf = (value: Document): string => value?.name ?? value?.$ref ?? JSON.stringify(value);
