import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import type { AsyncApiDocument } from '../../src/platform/documents/asyncapi.ts';

/** The types of the TypeScript kit, made from the two references. */

const HEADER = (source: string): string =>
  `// Generated from docs/${source} by \`npm run docs\`. Do not edit.\n\n`;

/** A file is bytes. */
const BYTES = ts.factory.createUnionTypeNode(
  ['Uint8Array', 'Blob'].map((name) => ts.factory.createTypeReferenceNode(name)),
);

const typesOf = async (document: object): Promise<string> =>
  astToString(
    await openapiTS(document as OpenAPI3, {
      alphabetize: true,
      // A field with a default may be omitted.
      defaultNonNullable: false,
      transform: ({ format }) => (format === 'binary' ? BYTES : undefined),
    }),
  );

/** Leaves out what would be repeated at every operation: its refusals, which have one shape, and the headers of its responses. */
function withoutRepeats(name: string, value: unknown): unknown {
  if (name === 'headers') return undefined;
  if (name !== 'responses' || typeof value !== 'object' || value === null || !('default' in value))
    return value;
  const isRefusal = ([status, response]: [string, unknown]): boolean =>
    status === '304' || (status !== 'default' && JSON.stringify(response).includes('/Refusal"'));
  return Object.fromEntries(Object.entries(value).filter((entry) => !isRefusal(entry)));
}

/** The routes, for `openapi-fetch`. */
export async function httpTypes(openApi: object): Promise<string> {
  return HEADER('openapi.json') + (await typesOf(JSON.parse(JSON.stringify(openApi), withoutRepeats)));
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** The messages of the socket with their shapes. */
export async function messageTypes({ info, operations, components }: AsyncApiDocument): Promise<string> {
  const { connect, ...events } = operations;
  const { messages, schemas } = components;
  const shapes = await typesOf({ openapi: '3.1.0', info, paths: {}, components: { schemas } });
  const shape = (ref: string): string => `Shapes['${nameOf(messages[nameOf(ref)]?.payload.$ref ?? '')}']`;
  const lines = (action: 'receive' | 'send') =>
    Object.entries(events)
      .filter(([, operation]) => operation.action === action)
      .map(
        ([
          event,
          {
            summary,
            messages: [message],
            reply,
          },
        ]) => {
          const payload = shape(message?.$ref ?? '');
          const [done] = reply?.messages ?? [];
          const type = done ? `{ payload: ${payload}; data: ${shape(done.$ref)}['data'] }` : payload;
          return `  /** ${summary} */\n  ${event}: ${type};`;
        },
      )
      .join('\n');
  const auth = shape(connect?.messages[0]?.$ref ?? '');
  return `${HEADER('asyncapi.json')}${shapes.slice(shapes.indexOf('export interface components'))}
/** Every shape of the channel by its name. */
export type Shapes = components['schemas'];

/** The value of \`auth\` in the handshake. */
export type Handshake = ${auth};

/** Messages of a client: what they carry, and the data of a success. */
export interface ToServer {
${lines('receive')}
}

/** Messages of the service. */
export interface ToClient {
${lines('send')}
}
`;
}
