import type { FastifySchema } from 'fastify';
import { z } from 'zod';
import { compress } from '../http/compression.ts';
import { tagAnswer } from '../http/etag.ts';
import type { Http } from '../http/server.ts';
import { type AsyncApiOptions, asyncApiDocument } from './asyncapi.ts';
import { FURTHER_READING, GUIDES } from './guides.ts';
import { DOCUMENT_CACHE, type OpenApiOptions, registerOpenApi } from './openapi.ts';
import { protectPages } from './page-headers.ts';
import { renderSocketPage, socketPageSources, socketPageStyle } from './socket-page.ts';

export type DocumentOptions = OpenApiOptions & AsyncApiOptions;

/**
 * Serves both references: `/openapi.json` with its page at `/docs`, `/socket-docs.json` with its page at
 * `/docs/ws`, and the guides that both link to. To be called before any route is registered: only later ones are described.
 */
export async function registerDocuments(app: Http, options: DocumentOptions): Promise<void> {
  const style = socketPageStyle(options.pageLook);
  // Both documents are made for the first request: a start does not wait for them, and the HTTP reference needs every route.
  let openApi: string | undefined;
  let socket: { document: string; page: string } | undefined;
  const socketReference = () => {
    if (socket !== undefined) return socket;
    const asyncApi = asyncApiDocument(options);
    const page = renderSocketPage(asyncApi, style, options.pageLook);
    socket = { document: JSON.stringify(asyncApi, null, 2), page };
    return socket;
  };

  const serve = (scope: Http, url: string, schema: FastifySchema, type: string, body: () => string): void => {
    scope.get(
      url,
      {
        onSend: [compress, tagAnswer],
        schema: { tags: ['Reference'], sends: ['ETag', 'Cache-Control'], ...schema },
      },
      async (_request, reply) =>
        reply.type(`${type}; charset=utf-8`).header('cache-control', DOCUMENT_CACHE).send(body()),
    );
  };
  const document = (operationId: string, summary: string) => ({
    operationId,
    summary,
    response: { 200: z.record(z.string(), z.unknown()).describe('The document') },
  });

  await registerOpenApi(app, options);
  serve(
    app,
    '/openapi.json',
    document('getOpenApiDocument', 'The HTTP reference as an OpenAPI 3.1 document'),
    'application/json',
    () => {
      openApi ??= JSON.stringify(app.swagger(), null, 2);
      return openApi;
    },
  );
  serve(
    app,
    '/socket-docs.json',
    document('getAsyncApiDocument', 'The socket reference as an AsyncAPI 3.1 document'),
    'application/json',
    () => socketReference().document,
  );
  // As the guides name it, which are served as they are in the repository.
  serve(app, '/docs/asyncapi.json', { hide: true }, 'application/json', () => socketReference().document);
  for (const { url, text } of [...GUIDES, ...FURTHER_READING])
    serve(app, url, { hide: true }, 'text/plain', () => text);
  await app.register(async (page) => {
    await protectPages(page, options.baseUrl, socketPageSources(style));
    serve(
      page,
      '/docs/ws',
      {
        operationId: 'getSocketReferencePage',
        summary: 'The socket reference as a page',
        produces: ['text/html'],
        response: { 200: z.string().describe('The page') },
      },
      'text/html',
      () => socketReference().page,
    );
  });
}
