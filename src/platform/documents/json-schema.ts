/** What both documents do with the JSON schemas that zod makes. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

const COMPONENT = '#/components/schemas/';

/** The address of a shared schema inside either document. */
export const schemaRef = (id: string): string => COMPONENT + id;

/**
 * `override` of `z.toJSONSchema`: zod writes the bounds of a double's exact integers on every integer,
 * which says nothing to a reader.
 */
export function withoutIntegerBounds({
  jsonSchema,
}: {
  jsonSchema: { minimum?: number; maximum?: number };
}): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function referenced(value: unknown, found: Set<string>): Set<string> {
  if (typeof value === 'string') {
    if (value.startsWith(COMPONENT)) found.add(value.slice(COMPONENT.length));
  } else if (value instanceof Object) {
    for (const member of Object.values(value)) referenced(member, found);
  }
  return found;
}

/**
 * The shared schemas that `root` reaches, also through one another, sorted by name. zod keeps one
 * registry for the whole process, so without this a document would list the other one's shapes too.
 */
export function reachable<Schema>(root: unknown, schemas: Record<string, Schema>): Record<string, Schema> {
  const names = referenced(root, new Set());
  for (const name of names) referenced(schemas[name], names);
  return Object.fromEntries(
    [...names].sort().map((name) => {
      const schema = schemas[name];
      if (schema === undefined) throw new Error(`The document refers to ${name}, which is not described.`);
      return [name, schema];
    }),
  );
}
