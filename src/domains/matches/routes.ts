import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { publicAnswer, publicAnswerUnlessStaff } from '../../platform/http/cache.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { pageQuery } from '../../platform/http/schemas.ts';
import { isStaff, tagOf } from '../../platform/http/staff.ts';
import { matchLog } from './log-schemas.ts';
import { moderationRoutes } from './moderation-routes.ts';
import { refusals } from './refusals.ts';
import { matchesOfPlayerParams, matchList, matchParams, matchQuery, matchWithSpectators } from './schemas.ts';
import type { Matches } from './service.ts';
import { poolStatistics, statisticsParams } from './statistics-schemas.ts';
import { comparedOf } from './view.ts';

/** How long an answer may be served from a cache: a running match changes by the second. */
const FRESH_SECONDS = 1;

/** A public answer that shows players and maps with matches. */
const PUBLIC = {
  config: { reads: ['Match', 'Player', 'PoolMap', 'Replay', 'Queue', 'Season', 'Pool'] },
} as const;

const LOG_REFUSALS = refusals('VALIDATION_FAILED', 'MATCH_NOT_FOUND', 'OWN_MATCH', 'LOG_UNREADABLE');

/** The admin who sends a request; null when it is not an admin. */
const adminOf = (principal: Principal | null): string | null =>
  principal !== null && isStaff(principal) && principal.roles.has('role:admin') ? principal.playerGuid : null;

export const matchRoutes: FastifyPluginAsyncZod<{ matches: Matches }> = async (app, { matches }) => {
  app.get('/matches', {
    ...PUBLIC,
    schema: {
      operationId: 'listMatches',
      summary: 'Matches, newest first',
      querystring: matchQuery,
      response: { 200: matchList, ...refusals('VALIDATION_FAILED') },
    },
    handler: async (request, reply) => {
      const { limit, cursor, ...filter } = request.query;
      publicAnswer(reply, FRESH_SECONDS);
      return matches.list(filter, { limit, cursor });
    },
  });

  app.get('/matches/:matchGuid', {
    ...PUBLIC,
    schema: {
      operationId: 'getMatch',
      summary: 'One match; its seed once it ended',
      params: matchParams,
      response: { 200: matchWithSpectators, ...refusals('VALIDATION_FAILED', 'MATCH_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      publicAnswer(reply, FRESH_SECONDS);
      const { match, spectators, validUntil } = await matches.read(request.params.matchGuid);
      reply.validUntil = validUntil;
      reply.header(
        'etag',
        tagOf(comparedOf(match), { version: match.version, live: match.live, spectators }),
      );
      return { ...match, spectators };
    },
  });

  app.get('/matches/:matchGuid/log', {
    config: { reads: ['Match', 'MatchEvent', 'MatchArchive', 'PoolMap', 'Replay', 'FormerRatingChange'] },
    schema: {
      operationId: 'getMatchLog',
      summary: 'The evidence of a match: its seed, the deal and every event',
      description:
        'Public once the match has ended. While it runs only an admin may look, not at a match of their own, and the look is audited.',
      params: matchParams,
      response: { 200: matchLog, ...LOG_REFUSALS },
    },
    handler: async (request, reply) => {
      const found = await matches.log(request.params.matchGuid, adminOf(request.principal));
      publicAnswer(reply, FRESH_SECONDS);
      return found;
    },
  });

  await app.register(moderationRoutes, { matches });

  app.get('/players/:playerGuid/matches', {
    ...PUBLIC,
    schema: {
      operationId: 'listMatchesOfPlayer',
      summary: 'Matches of one player, newest first',
      params: matchesOfPlayerParams,
      querystring: pageQuery,
      response: { 200: matchList, ...refusals('VALIDATION_FAILED', 'PLAYER_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      publicAnswer(reply, FRESH_SECONDS);
      return matches.listOf(request.params.playerGuid, request.query);
    },
  });

  app.get('/pools/:poolGuid/statistics', {
    config: { reads: ['Pool', 'PoolMap', 'MapUsage', 'MapGap'] },
    schema: {
      tags: ['Pool maps'],
      operationId: 'getStatisticsOfPool',
      summary: 'How the maps of a pool are played',
      description:
        'Public once the pool is or was published; staff see those of every pool. Counted when a match ends, from what was really played: a corrected or undone result changes nothing here.',
      params: statisticsParams,
      response: { 200: poolStatistics, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const statistics = await matches.statisticsOf(request.params.poolGuid, isStaff(request.principal));
      publicAnswerUnlessStaff(reply);
      return statistics;
    },
  });
};
