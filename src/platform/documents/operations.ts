import { STATUS_CODES } from 'node:http';
import { type CatalogueEntry, commonErrors } from '../errors.ts';
import { headersOfRefusal, RESPONSE_HEADERS, type ResponseHeader } from './headers.ts';
import { type Json, type JsonObject, reachable, schemaRef } from './json-schema.ts';

/** Changes of the document that the routes give, the same for all operations. */

/** A body that was sent and the answer to it. */
interface HttpExample {
  request?: unknown;
  response?: unknown;
}
export type HttpExamples = Readonly<Record<string, HttpExample>>;

interface FinishOptions {
  catalogue: readonly CatalogueEntry[];
  /** The groups with what they hold. */
  tags: Readonly<Record<string, string>>;
  httpExamples: HttpExamples;
  parameters: HttpParameters;
}

/** Descriptions and examples of parameters whose schemas have none, by name or by operation and name. */
export type HttpParameters = Readonly<Record<string, { description?: string; example?: unknown }>>;

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

const REFUSAL_TYPE = 'application/json';

/** The text of the generator for a response without a description. */
const UNDESCRIBED = 'Default Response';

type Content = Record<
  string,
  { schema?: JsonObject; example?: unknown; examples?: Record<string, { $ref: string }> }
>;

interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Content;
}
interface Operation {
  operationId?: string;
  tags?: string[];
  security?: object[];
  parameters?: { name: string; description?: string; example?: unknown; schema?: JsonObject }[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
  'x-roles'?: readonly string[];
  'x-sends'?: ResponseHeader[];
  'x-limited'?: boolean;
  'x-refusal-page'?: boolean;
}
export interface OpenApiDocument {
  tags?: { name: string; description?: string }[];
  paths?: Record<string, Partial<Record<(typeof METHODS)[number], Operation>>>;
  components?: { schemas?: Record<string, JsonObject>; [part: string]: unknown };
}

/** `/plugin-releases/{gameVersion}` → `Plugin releases`: the group of an operation that names none. */
function tagOf(path: string): string {
  const [, group = ''] = path.split('/');
  return group.charAt(0).toUpperCase() + group.slice(1).replaceAll('-', ' ');
}

const REFUSAL: Response = {
  content: { [REFUSAL_TYPE]: { schema: { $ref: schemaRef('Refusal') } } },
};

/** The page that a browser gets instead of JSON, on routes that people open. */
const REFUSAL_PAGE: Content = { 'text/html': { schema: { type: 'string' } } };

/** The codes that need no reason of the operation's own. */
const ALWAYS_POSSIBLE = ['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'];

/** References to shared parts of the document, by their names. */
const refsTo = (part: 'headers' | 'examples', names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${part}/${name}` }]));

/** The refusals of a body before it is read as what the operation takes. */
const REFUSALS_OF_BODIES = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;

/** Refusals that come before the route itself, so that it does not name them. */
function addGuards(operation: Operation, isLimited: boolean): void {
  const { requestBody, responses, security = [], 'x-roles': roles } = operation;
  if (security.length > 0) {
    responses['401'] ??= {
      ...REFUSAL,
      description: '`UNAUTHENTICATED` or `TOKEN_EXPIRED`: see the message.',
    };
    const byGuard = '`FORBIDDEN` or `BANNED`, or another code that says why.';
    const own = responses['403'];
    if (own === undefined) responses['403'] = { ...REFUSAL, description: byGuard };
    // Only where a role is needed: other operations name all of their refusals of this status.
    else if (roles !== undefined) own.description = `${byGuard}\n\n${own.description}`;
  }
  if (requestBody !== undefined)
    for (const code of REFUSALS_OF_BODIES) {
      const { status, message } = commonErrors[code].entry;
      responses[status] ??= { ...REFUSAL, description: `\`${code}\`: ${message}` };
    }
  if (isLimited)
    responses['429'] ??= { ...REFUSAL, description: '`RATE_LIMITED`: too many requests. Try again later.' };
}

function describeResponse(status: string, response: Response, sends: readonly ResponseHeader[]): void {
  if (response.description === UNDESCRIBED) response.description = STATUS_CODES[status] ?? status;
  // An answer without a body has no content; its schema is removed.
  if (status === '204') delete response.content;
  const isRefusal = Number(status) >= 400;
  // `produces` is the type of the file; a refusal has the type of refusals.
  const [content] = Object.values(response.content ?? {});
  if (isRefusal && content !== undefined) response.content = { [REFUSAL_TYPE]: content };
  const others = isRefusal ? headersOfRefusal(Number(status)) : [...sends];
  // Which bytes a part of a file has.
  if (status === '206') others.push('Content-Range');
  response.headers = refsTo('headers', ['X-Request-Id', ...others]);
}

function describeOperation(path: string, method: (typeof METHODS)[number], operation: Operation): void {
  const {
    responses,
    'x-sends': sends = [],
    'x-limited': isLimited = false,
    'x-refusal-page': hasPage = false,
  } = operation;
  delete operation['x-sends'];
  delete operation['x-limited'];
  delete operation['x-refusal-page'];
  operation.tags ??= [tagOf(path)];
  addGuards(operation, isLimited);
  if (method === 'get' && sends.includes('ETag') && responses['200'] !== undefined)
    responses['304'] ??= { description: '`If-None-Match` names what is current' };
  for (const [status, response] of Object.entries(responses)) {
    describeResponse(status, response, status.startsWith('1') ? [] : sends);
    if (hasPage && Number(status) >= 400) response.content = { ...response.content, ...REFUSAL_PAGE };
  }
  responses.default ??= { $ref: `#/components/responses/${hasPage ? 'RefusalOrPage' : 'Refusal'}` };
}

/** A client that knows the shape of a response today must take one with more members tomorrow. */
function openShapes(value: Json | undefined): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value) && value.additionalProperties === false) delete value.additionalProperties;
  for (const member of Object.values(value)) openShapes(member);
}

/**
 * The converter names the shape of a request `…Input` in any case. It keeps that name only where responses have the same
 * shape in another form.
 */
function nameInputs(document: OpenApiDocument): OpenApiDocument {
  const { schemas = {}, ...others } = document.components ?? {};
  const used = reachable([document.paths, others], schemas);
  const renamed = new Map<string, string>();
  for (const input of Object.keys(used).filter((name) => name.endsWith('Input'))) {
    const name = input.replace(/Input$/, '');
    // Compared without their own names inside them.
    const text = JSON.stringify(used[input]).replaceAll(/Input"/g, '"');
    if (used[name] === undefined || JSON.stringify(used[name]) === text) renamed.set(input, name);
  }
  const pointers = new Map([...renamed].map(([from, to]) => [schemaRef(from), schemaRef(to)]));
  const named = Object.fromEntries(
    Object.entries(used)
      // Leaves out the second one of two equal shapes.
      .filter(([name]) => !renamed.has(name) || used[renamed.get(name) ?? ''] === undefined)
      .map(([name, schema]) => [renamed.get(name) ?? name, schema]),
  );
  const text = JSON.stringify({ ...document, components: { ...others, schemas: named } });
  return JSON.parse(text, (_, value) => pointers.get(value) ?? value);
}

/** Puts real requests and answers into the places of examples. */
function showExamples(operation: Operation, { request, response }: HttpExample = {}): void {
  for (const content of Object.values(operation.requestBody?.content ?? {}))
    if (request !== undefined) content.example = request;
  if (response === undefined) return;
  for (const content of Object.values(operation.responses['200']?.content ?? {})) content.example = response;
  // The same shape, except that a dry run creates nothing.
  const isDry = typeof response === 'object' && response !== null && 'dryRun' in response;
  const created = isDry ? { ...response, dryRun: false } : response;
  for (const content of Object.values(operation.responses['201']?.content ?? {})) content.example = created;
}

/** Shows each refusal that a response names, and notes its code. */
function showRefusals(
  status: string,
  response: Response,
  shown: Set<string>,
  catalogue: FinishOptions['catalogue'],
): void {
  const content = response.content?.[REFUSAL_TYPE];
  if (!(Number(status) >= 400) || content?.schema?.$ref !== schemaRef('Refusal')) return;
  const words = response.description ?? '';
  const codes = catalogue.filter(({ code }) => words.includes(`\`${code}\``)).map(({ code }) => code);
  if (codes.length === 0) return;
  for (const code of codes) shown.add(code);
  // Guards share one content.
  response.content = {
    ...response.content,
    [REFUSAL_TYPE]: { ...content, examples: refsTo('examples', codes) },
  };
}

function describeParameters(
  { operationId, parameters = [] }: Operation,
  texts: HttpParameters,
  schemas: Record<string, JsonObject>,
): void {
  for (const parameter of parameters) {
    const { name, schema = {} } = parameter;
    const text = texts[`${operationId} ${name}`] ?? texts[name];
    if (text?.description !== undefined) parameter.description ??= text.description;
    const named = Object.entries(schemas).find(([key]) => schema.$ref === schemaRef(key))?.[1] ?? schema;
    if (schema.examples !== undefined || parameter.example !== undefined) continue;
    const [value] = Array.isArray(named.enum) ? named.enum : [];
    const example = text?.example ?? value ?? schema.default;
    if (example !== undefined) parameter.example = example;
  }
}

/** Finishes the document: groups, refusals, headers, and the shapes that are used. */
export function finishDocument(
  document: OpenApiDocument,
  { catalogue, tags, httpExamples, parameters }: FinishOptions,
): OpenApiDocument {
  const shapes = document.components?.schemas ?? {};
  const shown = new Set(ALWAYS_POSSIBLE);
  for (const [path, operations] of Object.entries(document.paths ?? {}))
    for (const method of METHODS) {
      const operation = operations[method];
      if (operation === undefined) continue;
      describeOperation(path, method, operation);
      showExamples(operation, httpExamples[operation.operationId ?? '']);
      describeParameters(operation, parameters, shapes);
      for (const [status, response] of Object.entries(operation.responses))
        showRefusals(status, response, shown, catalogue);
    }
  for (const [name, schema] of Object.entries(shapes)) if (!name.endsWith('Input')) openShapes(schema);
  if (shapes.ErrorCode !== undefined) shapes.ErrorCode.enum = catalogue.map(({ code }) => code);
  document.tags = Object.entries(tags).map(([name, description]) => ({ name, description }));
  const examples = catalogue
    .filter(({ code }) => shown.has(code))
    .map(({ code, message }) => [code, { summary: message, value: { error: { code, message } } }]);
  document.components = {
    ...document.components,
    headers: RESPONSE_HEADERS,
    examples: Object.fromEntries(examples),
  };
  const finished = nameInputs(document);
  const { schemas: named = {}, ...others } = finished.components ?? {};
  finished.components = { ...others, schemas: reachable([finished.paths, others], named) };
  return finished;
}

const anyRefusal = {
  description: 'Refused; the code says why.',
  headers: refsTo('headers', ['X-Request-Id', 'WWW-Authenticate', 'Retry-After']),
  content: {
    [REFUSAL_TYPE]: { schema: { $ref: schemaRef('Refusal') }, examples: refsTo('examples', ALWAYS_POSSIBLE) },
  },
};

/** The refusals that every operation may answer with. */
export const refusalResponses = {
  Refusal: anyRefusal,
  RefusalOrPage: { ...anyRefusal, content: { ...anyRefusal.content, ...REFUSAL_PAGE } },
};
