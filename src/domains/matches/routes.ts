import { tagAnswer } from '../../platform/http/etag.ts';
import { errorBody, page, pageQuery } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { matchesOfPlayerParams, matchParams, matchQuery, publicMatch } from './schemas.ts';
import type { Matches } from './service.ts';

/** A running match changes by the second; nobody is served an old one for longer than that. */
const CACHE = 'public, max-age=1';

export async function matchRoutes(app: Http, { matches }: { matches: Matches }): Promise<void> {
  app.get(
    '/matches',
    {
      onSend: tagAnswer,
      schema: {
        tags: ['Matches'],
        summary: 'Matches, newest first',
        querystring: matchQuery,
        response: { 200: page(publicMatch), 400: errorBody },
      },
    },
    async (request, reply) => {
      const { status, playerGuid, ...query } = request.query;
      reply.header('cache-control', CACHE);
      return matches.list({ status, playerGuid }, query);
    },
  );

  app.get(
    '/matches/:matchGuid',
    {
      onSend: tagAnswer,
      schema: {
        tags: ['Matches'],
        summary: 'One match; its seed once it ended',
        params: matchParams,
        response: { 200: publicMatch, 400: errorBody, 404: errorBody },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', CACHE);
      return matches.read(request.params.matchGuid);
    },
  );

  app.get(
    '/players/:playerGuid/matches',
    {
      onSend: tagAnswer,
      schema: {
        tags: ['Players'],
        summary: 'Matches of one player, newest first',
        params: matchesOfPlayerParams,
        querystring: pageQuery,
        response: { 200: page(publicMatch), 400: errorBody },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', CACHE);
      return matches.list({ playerGuid: request.params.playerGuid }, request.query);
    },
  );
}
