import { STATUS_CODES } from 'node:http';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from '@fastify/type-provider-zod';
import type { CatalogueEntry } from '../errors.ts';
import { tagAnswer } from '../http/etag.ts';
import type { Http } from '../http/server.ts';
import { GUIDES } from './guides.ts';
import { reachable, schemaRef, withoutIntegerBounds } from './json-schema.ts';
import { type PageSources, protectPages } from './page-headers.ts';

/** A way to present credentials; a route lists its alternatives. */
export type Credential = 'bearer' | 'loginCookie';

interface PageFile {
  filename: string;
  content: string;
}

export interface OpenApiOptions {
  /** Public base address. */
  baseUrl: string;
  /** Version of the service. */
  version: string;
  /** Name of the cookie that a browser login sets, when there is one. */
  loginCookie?: string;
  /** What the page has beside the reference: files of its own, as inline ones are not allowed. */
  pageTheme?: { js: PageFile[]; css: PageFile[] };
  catalogue: readonly CatalogueEntry[];
  /** Which credentials a route accepts; none: it is public. `url` as declared, such as `/pools/:poolGuid`. */
  securityOf(method: string, url: string): readonly Credential[];
}

/** The references change with a deployment only. */
export const DOCUMENT_CACHE = 'public, max-age=300';

/** The page's own files and the document it shows, from here and from nowhere else. */
const PAGE_SOURCES: PageSources = {
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  // Swagger UI draws its icons as data addresses.
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
};

const REFUSAL_TYPE = 'application/json';

/** What the generator writes where a route says nothing. */
const UNDESCRIBED = 'Default Response';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

interface Operation {
  operationId?: string;
  tags?: string[];
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, unknown> }>;
}
interface Document {
  tags?: { name: string }[];
  paths?: Record<string, Partial<Record<(typeof METHODS)[number], Operation>>>;
  components?: { schemas?: Record<string, unknown>; [part: string]: unknown };
}

/** `GET /pools/{poolGuid}/maps` → `getPoolsByPoolGuidMaps`: stable names for generated clients. */
function operationId(method: string, path: string): string {
  const words = path
    .replaceAll(/\{(\w+)\}/g, 'by-$1')
    .split(/[^0-9A-Za-z]+/)
    .filter((word) => word !== '');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** `/plugin-releases/{gameVersion}` → `Plugin releases`: the group of an operation that names none. */
function tagOf(path: string): string {
  const [, group = ''] = path.split('/');
  return group.charAt(0).toUpperCase() + group.slice(1).replaceAll('-', ' ');
}

/** Adds what every operation has in common, and keeps only the shapes that are used. */
function finish(document: Document): void {
  const tags = new Set<string>();
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = operations[method];
      if (operation === undefined) continue;
      operation.operationId ??= operationId(method, path);
      operation.tags ??= [tagOf(path)];
      for (const tag of operation.tags) tags.add(tag);
      for (const [status, response] of Object.entries(operation.responses)) {
        if (response.description === UNDESCRIBED) response.description = STATUS_CODES[status] ?? status;
        // An answer without a body has no content, whatever the schema of nothing says.
        if (status === '204') delete response.content;
        // `produces` is the type of the file, not of what is said where there is none.
        const [content] = Object.values(response.content ?? {});
        if (Number(status) >= 400 && content !== undefined) response.content = { [REFUSAL_TYPE]: content };
      }
      operation.responses.default ??= { $ref: '#/components/responses/Refusal' };
    }
  }
  document.tags = [...tags].sort().map((name) => ({ name }));
  const { schemas = {}, ...others } = document.components ?? {};
  document.components = { ...others, schemas: reachable([document.paths, others], schemas) };
}

/** A shape that is sent and received alike is one shape: the converter names the first `…Input` in any case. */
function withoutTwins<D extends Document>(document: D): D {
  const { schemas = {} } = document.components ?? {};
  const twins = Object.keys(schemas).filter((name) => {
    const twin = schemas[name.replace(/Input$/, '')];
    return name.endsWith('Input') && JSON.stringify(twin) === JSON.stringify(schemas[name]);
  });
  for (const name of twins) delete schemas[name];
  const refs = new Map(twins.map((name) => [schemaRef(name), schemaRef(name.replace(/Input$/, ''))]));
  return JSON.parse(JSON.stringify(document), (_, value) => refs.get(value) ?? value) as D;
}

const describeErrors = (catalogue: readonly CatalogueEntry[]): string =>
  [
    'Every refusal carries `{ "error": { "code", "message", "details"? } }` and the header `X-Request-Id`.',
    '',
    '<details><summary>All codes</summary>',
    '',
    '| Code | Status | Meaning | `details` |',
    '|---|---|---|---|',
    ...catalogue.map(
      ({ code, status, message, details = [] }) =>
        `| \`${code}\` | ${status} | ${message} | ${details.map((member) => `\`${member}\``).join(', ')} |`,
    ),
    '',
    '</details>',
  ].join('\n');

/**
 * The OpenAPI 3.1 description of every route that is registered after this call, and its page at `/docs`.
 * Routes with `schema.hide`, and everything under `/internal`, are left out.
 * `app.swagger()` gives the document once the app is ready.
 */
export async function registerOpenApi(app: Http, options: OpenApiOptions): Promise<void> {
  const conversion = { override: withoutIntegerBounds };
  const transform = createJsonSchemaTransform({ zodToJsonConfig: conversion });
  const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig: conversion });

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Competitive Match Service',
        version: options.version,
        description: `Ranked one-against-one matches: map pools, queues, matches, ratings, plugin releases. The socket channel has a reference of its own: [/docs/ws](${options.baseUrl}/docs/ws).\n\nGuides: ${GUIDES.map(({ url, title }) => `[${title}](${options.baseUrl}${url})`).join(' · ')}\n\n${describeErrors(options.catalogue)}`,
      },
      servers: [{ url: options.baseUrl }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'An access token of the identity provider.',
          },
          ...(options.loginCookie && {
            loginCookie: {
              type: 'apiKey',
              in: 'cookie',
              name: options.loginCookie,
              description:
                'Set by `GET /auth/login`, the link above this page: there is nothing to fill in here. Unsafe methods need an `Origin` that is allowed.',
            },
          }),
        },
        responses: {
          Refusal: {
            description: 'Refused; the code says why.',
            content: { [REFUSAL_TYPE]: { schema: { $ref: schemaRef('Error') } } },
          },
        },
      },
    },
    // Base addresses with a path are the proxy's business: routes are declared without it.
    stripBasePath: false,
    // The document is 3.1, which has `const`.
    convertConstToEnum: false,
    transform: ({ schema, url, route, ...document }) => {
      // The plugin of the page hides it together with its files.
      if (url === '/docs/')
        return {
          url: '/docs',
          schema: {
            tags: ['reference'],
            summary: 'The HTTP reference as a page',
            produces: ['text/html'],
            response: { 200: { description: 'The page', type: 'string' } },
          },
        };
      const hide = schema?.hide === true || url.startsWith('/internal/');
      const methods = [route.method].flat();
      const security = methods.flatMap((method) => options.securityOf(method, url));
      return transform({
        schema: { ...schema, hide, security: security.map((credential) => ({ [credential]: [] })) },
        url,
        route,
        ...document,
      });
    },
    transformObject: (document) => {
      const described = transformObject(document);
      finish(described as Document);
      return withoutTwins(described as Document) as typeof described;
    },
  });

  await app.register(async (page) => {
    await protectPages(page, options.baseUrl, PAGE_SOURCES);
    page.addHook('onSend', async (request, reply, payload) => {
      if (reply.statusCode !== 200) return payload;
      reply.header('cache-control', DOCUMENT_CACHE);
      return tagAnswer(request, reply, payload);
    });
    await page.register(swaggerUi, {
      routePrefix: '/docs',
      uiConfig: { layout: 'BaseLayout', docExpansion: 'list' },
      theme: { title: 'Competitive Match Service: HTTP reference', ...options.pageTheme },
    });
  });
}
