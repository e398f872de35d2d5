import { z } from 'zod';

/** Changes that both documents make to the JSON schemas of zod. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

const COMPONENT = '#/components/schemas/';

/** The address of a shared schema inside either document. */
export const schemaRef = (id: string): string => COMPONENT + id;

/**
 * `override` of `z.toJSONSchema`: removes members that do not help a reader, and adds those that the conversion leaves out.
 * - The bounds of a double's exact integers stand on every integer.
 * - The pattern of a UUID says the same as its format.
 * - The default and the examples of a value that is converted before it is checked are missing.
 */
export function forReaders({
  zodSchema,
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
  const { def } = zodSchema._zod;
  if (def.type === 'default') jsonSchema.default ??= def.defaultValue as Json;
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) jsonSchema.examples ??= examples;
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
