import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { tagAnswer } from '../http/etag.ts';
import type { Http } from '../http/server.ts';
import { type AsyncApiOptions, asyncApiDocument } from './asyncapi.ts';
import { DOCUMENT_CACHE, type OpenApiOptions, registerOpenApi } from './openapi.ts';
import { protectPages } from './page-headers.ts';
import { renderSocketPage, SOCKET_PAGE_SOURCES } from './socket-page.ts';

export type DocumentOptions = OpenApiOptions & AsyncApiOptions;

/**
 * Serves both references: `/openapi.json` with its page at `/docs`, `/socket-docs.json` with its page at
 * `/docs/ws`. To be called before any route is registered: only later ones are described.
 * @throws Error when the socket contract names a code that the catalogue does not have.
 */
export async function registerDocuments(app: Http, options: DocumentOptions): Promise<void> {
  const asyncApi = asyncApiDocument(options);
  const socketDocument = JSON.stringify(asyncApi, null, 2);
  const socketPage = renderSocketPage(asyncApi);
  let openApi: string | undefined;

  const answer = (reply: FastifyReply, type: string, body: string): FastifyReply =>
    reply.type(type).header('cache-control', DOCUMENT_CACHE).send(body);
  const tags = ['reference'];

  await registerOpenApi(app, options);
  app.get(
    '/openapi.json',
    {
      onSend: tagAnswer,
      schema: {
        tags,
        summary: 'The HTTP reference as an OpenAPI 3.1 document',
        response: { 200: z.any().describe('The document') },
      },
    },
    async (_request, reply) => {
      // Every route must be registered first, so it is made when it is first asked for.
      openApi ??= JSON.stringify(app.swagger(), null, 2);
      return answer(reply, 'application/json; charset=utf-8', openApi);
    },
  );
  app.get(
    '/socket-docs.json',
    {
      onSend: tagAnswer,
      schema: {
        tags,
        summary: 'The socket reference as an AsyncAPI 3.1 document',
        response: { 200: z.any().describe('The document') },
      },
    },
    async (_request, reply) => answer(reply, 'application/json; charset=utf-8', socketDocument),
  );
  await app.register(async (page) => {
    await protectPages(page, options.baseUrl, SOCKET_PAGE_SOURCES);
    page.get(
      '/docs/ws',
      {
        onSend: tagAnswer,
        schema: {
          tags,
          summary: 'The socket reference as a page',
          produces: ['text/html'],
          response: { 200: z.string().describe('The page') },
        },
      },
      async (_request, reply) => answer(reply, 'text/html; charset=utf-8', socketPage),
    );
  });
}
