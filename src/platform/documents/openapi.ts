import { readFileSync } from 'node:fs';
import swagger from '@fastify/swagger';
import swaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from '@fastify/type-provider-zod';
import type { FastifyContextConfig } from 'fastify';
import type { CatalogueEntry } from '../errors.ts';
import { compress } from '../http/compression.ts';
import { tagAnswer } from '../http/etag.ts';
import type { Http } from '../http/server.ts';
import { GUIDES } from './guides.ts';
import { headersOf } from './headers.ts';
import { forReaders } from './json-schema.ts';
import {
  finishDocument,
  type HttpExamples,
  type HttpParameters,
  type OpenApiDocument,
  refusalResponses,
} from './operations.ts';
import { type PageSources, protectPages } from './page-headers.ts';
import type { PageLook } from './socket-page.ts';

/** The access rule of a route. */
export interface RouteAccess {
  /** The ways to present credentials it accepts; none: it is public. */
  credentials: readonly ('bearer' | 'loginCookie')[];
  /** One of them is needed; empty: none is. */
  roles: readonly string[];
  /** In words; empty for a public route. */
  words: string;
}

export interface OpenApiOptions {
  /** Public base address. */
  baseUrl: string;
  /** Version of the service. */
  version: string;
  /** Name of the cookie that a browser login sets. */
  loginCookie: string;
  /** Further files of the page. They are files because inline code is not allowed. */
  pageTheme: Record<'js' | 'css', { filename: string; content: string }[]>;
  /** The common parts of all pages. */
  pageLook: PageLook;
  catalogue: readonly CatalogueEntry[];
  /** The groups of operations with what they hold, in their order. */
  tags: Readonly<Record<string, string>>;
  /** By the name of the operation. */
  httpExamples: HttpExamples;
  parameters: HttpParameters;
  /** `url` as declared, such as `/pools/:poolGuid`. */
  accessTo(method: string, url: string): RouteAccess;
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

const describeErrors = (catalogue: readonly CatalogueEntry[]): string =>
  [
    'An operation that needs credentials says which, and `x-roles` names the roles of staff of which one is needed.',
    '',
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

/** Members that `finishDocument` reads and removes. */
const beforeRoute = (sends: string[], { limit, refusalPage }: FastifyContextConfig = {}): object => ({
  'x-sends': sends,
  'x-limited': limit !== 'none',
  'x-refusal-page': refusalPage !== undefined,
});

const file = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');

/**
 * The page without what it does not use, and as wide as a phone. The script that starts Swagger UI is not
 * changed: `reference-page.js` defines the names that it uses.
 */
const slimmed = (page: string): string =>
  page
    .replace(
      '<meta charset="UTF-8">',
      '<meta charset="UTF-8">\n<meta name="viewport" content="width=device-width">',
    )
    .replace(/<script src="[^"]*standalone-preset[^>]*> <\/script>/, '');

/** Options of Swagger UI. */
const UI = {
  layout: 'BaseLayout',
  docExpansion: 'list',
  filter: true,
  showExtensions: true,
  // Each operation shows its shapes; all of them below it would take seconds on a phone.
  defaultModelsExpandDepth: -1,
  // Runs in the browser, where reference-page.js has defined the search.
  plugins: [() => ({ fn: { opsFilter: (globalThis as { searchOperations?: unknown }).searchOperations } })],
} satisfies FastifySwaggerUiOptions['uiConfig'];

const PAGE: object = {
  tags: ['Reference'],
  operationId: 'getReferencePage',
  summary: 'The HTTP reference as a page',
  produces: ['text/html'],
  security: [],
  response: { 200: { description: 'The page', type: 'string' } },
  ...beforeRoute(['ETag', 'Cache-Control']),
};

/**
 * The OpenAPI 3.1 description of every route that is registered after this call, and its page at `/docs`.
 * Routes with `schema.hide`, and everything under `/internal`, are left out.
 * `app.swagger()` gives the document once the app is ready.
 */
export async function registerOpenApi(app: Http, options: OpenApiOptions): Promise<void> {
  const conversion = { override: forReaders };
  const transform = createJsonSchemaTransform({ zodToJsonConfig: conversion });
  const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig: conversion });

  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Competitive Match Service',
        version: options.version,
        license: { name: 'MIT', identifier: 'MIT' },
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
          loginCookie: {
            type: 'apiKey',
            in: 'cookie',
            name: options.loginCookie,
            description:
              'Set by `GET /auth/login`, the link above this page: there is nothing to fill in here. Unsafe methods need an `Origin` that is allowed, and with `X-Player-Guid` they are done for this player only.',
          },
        },
        responses: refusalResponses,
      },
    },
    // Base addresses with a path are the proxy's business: routes are declared without it.
    stripBasePath: false,
    // The document is 3.1, which has `const`.
    convertConstToEnum: false,
    transform: ({ schema, url, route, ...document }) => {
      // The plugin of the page hides it together with its files.
      if (url === '/docs/') return { url: '/docs', schema: PAGE };
      const hide = schema?.hide === true || url.startsWith('/internal/');
      const [method = 'GET'] = [route.method].flat();
      const { credentials, roles, words } = options.accessTo(method, url);
      const description = [schema?.description, words].filter(Boolean).join('\n\n');
      return transform({
        schema: {
          ...schema,
          hide,
          ...(description && { description }),
          security: credentials.map((credential) => ({ [credential]: [] })),
          ...(roles.length > 0 && { 'x-roles': roles }),
          ...beforeRoute(headersOf(schema ?? {}, route.config), route.config),
        },
        url,
        route,
        ...document,
      });
    },
    transformObject: (document) => {
      const described = transformObject(document) as OpenApiDocument;
      return finishDocument(described, options) as ReturnType<typeof transformObject>;
    },
  });

  await app.register(async (page) => {
    await protectPages(page, options.baseUrl, PAGE_SOURCES);
    page.addHook('onSend', async (request, reply, payload) => {
      if (reply.statusCode !== 200 && reply.statusCode !== 304) return payload;
      reply.header('cache-control', DOCUMENT_CACHE);
      const page = typeof payload === 'string' ? slimmed(payload) : payload;
      return tagAnswer(request, reply, await compress(request, reply, page));
    });
    await page.register(swaggerUi, {
      routePrefix: '/docs',
      uiConfig: UI,
      theme: {
        title: 'Competitive Match Service: HTTP reference',
        js: [{ filename: 'reference.js', content: file('reference-page.js') }, ...options.pageTheme.js],
        css: [{ filename: 'reference.css', content: file('reference-page.css') }, ...options.pageTheme.css],
      },
    });
  });
}
