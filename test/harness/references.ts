import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/**
 * Holds what the service says to its two references, as committed. Shapes are closed here: a member that is not described
 * is a mistake, while a client must take it.
 */

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../docs/${name}.json`, import.meta.url), 'utf8'));

/** Objects that say nothing of other members take none. */
function closed(schema: any): any {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  const isShape = schema.type === 'object' && schema.properties !== undefined;
  return isShape && schema.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

const FORMATS: Record<string, RegExp | true> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  uri: /^[a-z][a-z0-9+.-]*:/,
  binary: true,
};

/** Validators of the shapes of a document by their addresses in it. */
function validators(ajv: Ajv, document: any): (pointer: string) => ValidateFunction {
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
  const { schemas } = document.components;
  ajv.addSchema({ $id: 'document', components: { schemas: closed(schemas) } });
  return (name) => {
    const found = ajv.getSchema(`document#/components/schemas/${name}`);
    if (found === undefined) throw new Error(`The document has no shape ${name}.`);
    return found;
  };
}

const OPTIONS = { strict: false, allErrors: false, validateSchema: false } as const;
const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

const http = read('openapi');
const httpShape = validators(new Ajv2020(OPTIONS), http);
const socket = read('asyncapi');
const socketShape = validators(new Ajv(OPTIONS), socket);

/** Paths without parameters come first: they are what the router prefers. */
const routes = Object.keys(http.paths)
  .map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

/** Headers that an answer may only have where the document says so. */
const DESCRIBED = [
  'ETag',
  'Location',
  'Content-Disposition',
  'Content-Range',
  'Retry-After',
  'WWW-Authenticate',
];

export interface HttpAnswer {
  method: string;
  /** Path of the address, without its query. */
  path: string;
  status: number;
  header(name: string): string | null;
  /** Parsed; undefined where it is no JSON. */
  body: unknown;
}

const problemOf = (validate: ValidateFunction, value: unknown): string | null => {
  if (validate(value)) return null;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}`;
};

/** Where an example does not fit its shape; null: it fits. */
export const exampleMisfit = (
  document: 'openapi' | 'asyncapi',
  ref: string,
  example: unknown,
): string | null => problemOf((document === 'openapi' ? httpShape : socketShape)(nameOf(ref)), example);

function shapeProblem(response: any, type: string, body: unknown): string | null {
  const schema = response.content?.[type]?.schema;
  if (schema === undefined) return `has the type ${type}, which is not described`;
  if (body === undefined || schema.$ref === undefined) return null;
  return problemOf(httpShape(nameOf(schema.$ref)), body);
}

/** A difference between an answer and the HTTP reference; null: it fits. Addresses without a description fit. */
export function httpMisfit({ method, path, status, header, body }: HttpAnswer): string | null {
  const route = routes.find(({ pattern }) => pattern.test(path));
  const operation = http.paths[route?.path ?? '']?.[method.toLowerCase()];
  const about = `${method} ${path} ${status}`;
  const type = (header('content-type') ?? '').split(';', 1)[0] ?? '';
  if (operation === undefined) return null;
  const response =
    operation.responses[status] ?? (status >= 400 ? http.components.responses.Refusal : undefined);
  if (response === undefined) return `${about} is not described`;
  // A browser may be refused with a page.
  if (type !== '' && type !== 'text/html') {
    const problem = shapeProblem(response, type, body);
    if (problem !== null) return `${about}: ${problem}`;
  }
  const described = new Set(Object.keys(response.headers ?? {}));
  const others = DESCRIBED.filter((name) => header(name) !== null && !described.has(name));
  return others.length > 0 ? `${about} has headers that are not described: ${others}` : null;
}

/** A difference between an acknowledgement, or a message of the service, and the socket reference; null: it fits. */
export function messageMisfit(event: string, payload: unknown, isAcknowledgement: boolean): string | null {
  const operation = socket.operations[event];
  // An unknown message is refused like any invalid one.
  const replies = operation?.reply?.messages ?? [{ $ref: 'refused' }];
  const isRefused = isAcknowledgement && (payload as { ok?: unknown })?.ok === false;
  const [message] = isAcknowledgement ? replies.slice(isRefused ? -1 : 0) : (operation?.messages ?? []);
  if (message === undefined) return `${event} is not described`;
  const shape = nameOf(socket.components.messages[nameOf(message.$ref)].payload.$ref);
  const problem = problemOf(socketShape(shape), payload);
  if (problem !== null) return `${event} (${shape}): ${problem}`;
  const code = isRefused ? (payload as { error: { code: string } }).error.code : null;
  if (code === null || operation === undefined || operation['x-refusals'].includes(code)) return null;
  return `${event} was refused with ${code}, which is not described`;
}

let isWatching = false;
/** Since the last test. */
const misfits = new Set<string>();
const reading = new Set<Promise<unknown>>();

export const note = (misfit: string | null): void => void (misfit !== null && misfits.add(misfit));

/** Reads the answers of every `fetch` beside the test. Those of the service have an id; others are left alone. */
export function watchFetch(): void {
  // Test files of one worker share this module.
  if (isWatching) return;
  isWatching = true;
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const { headers, status } = answer;
    if (!headers.has('x-request-id')) return answer;
    const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
    const given = typeof input === 'object' && 'method' in input ? input.method : undefined;
    const about = {
      method: (init?.method ?? given ?? 'GET').toUpperCase(),
      path: new URL(answer.url).pathname,
      status,
      header: (name: string) => headers.get(name),
    };
    if (!isJson) note(httpMisfit({ ...about, body: undefined }));
    else {
      const check = answer.clone().json();
      const done = check.then(
        (body) => note(httpMisfit({ ...about, body })),
        // The test gave the answer up.
        () => undefined,
      );
      reading.add(done);
      void done.then(() => reading.delete(done));
    }
    return answer;
  };
}

/** @throws Error that names what did not fit since the last time */
export async function requireFit(): Promise<void> {
  await Promise.all(reading);
  const found = [...misfits];
  misfits.clear();
  if (found.length > 0) throw new Error(`Not as the references say:\n${found.join('\n')}`);
}
