import type { OpenApiDocument } from './csharp.ts';

/** The parts of the HTTP reference that the staff console needs beside types: roles of operations, values of enums. */

/** Enumerations that no form or filter offers. */
const UNUSED = ['ErrorCode', 'CauseType', 'Flag'];

interface Described {
  paths: Record<string, Record<string, { 'x-roles'?: string[] }>>;
  components: { schemas: Record<string, { enum?: readonly string[] }> };
}

const constant = (comment: string, name: string, value: object): string =>
  `/** ${comment} */\nexport const ${name} = ${JSON.stringify(value, null, 2)} as const;\n`;

/** A module with the roles of every operation that needs one, and the values of every enumeration. */
export function consoleContract(openApi: OpenApiDocument): string {
  const { paths, components } = openApi as unknown as Described;
  const roles = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation['x-roles'] ? [[`${method.toUpperCase()} ${path}`, operation['x-roles']]] : [],
    ),
  );
  const values = Object.entries(components.schemas).flatMap(([name, schema]) =>
    schema.enum && !UNUSED.includes(name) ? [[name, schema.enum]] : [],
  );
  return [
    '// Generated from docs/openapi.json by `npm run docs`. Do not edit.\n',
    constant(
      'Roles of which an operation needs one. Long because it lists every operation for staff.',
      'ROLES',
      Object.fromEntries(roles),
    ),
    constant('The values of every enumeration.', 'VALUES', Object.fromEntries(values)),
  ].join('\n');
}
