import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { commonErrors } from '../../platform/errors.ts';
import { publicAnswer } from '../../platform/http/cache.ts';
import { tagAnswer } from '../../platform/http/etag.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { page, pageQuery } from '../../platform/http/schemas.ts';
import { changeOf, isStaff, tagOf, writeHeaders } from '../../platform/http/staff.ts';
import { playerErrors } from '../players/index.ts';
import { poolErrors } from '../pools/index.ts';
import { matchErrors } from './errors.ts';
import {
  abortBody,
  matchesOfPlayerParams,
  matchLog,
  matchPage,
  matchParams,
  matchQuery,
  poolStatistics,
  publicMatch,
  resultBody,
  statisticsParams,
  undoBody,
} from './schemas.ts';
import type { Matches } from './service.ts';

const refusals = refusalsOf({ ...commonErrors, ...playerErrors, ...poolErrors, ...matchErrors });

/** A running match changes by the second; nobody is served an old one for longer than that. */
const FRESH_SECONDS = 1;

/** The admin at work behind a request; null: it is anybody else's. */
const adminOf = (principal: Principal | null): string | null =>
  principal !== null && isStaff(principal) && principal.roles.has('role:admin') ? principal.playerGuid : null;

export const matchRoutes: FastifyPluginAsyncZod<{ matches: Matches }> = async (app, { matches }) => {
  app.get('/matches', {
    onSend: tagAnswer,
    config: { reads: ['Match', 'Player', 'PoolMap'] },
    schema: {
      tags: ['Matches'],
      summary: 'Matches, newest first',
      querystring: matchQuery,
      response: { 200: page(publicMatch), ...refusals('VALIDATION_FAILED') },
    },
    handler: async (request, reply) => {
      const { limit, cursor, ...filter } = request.query;
      publicAnswer(reply, FRESH_SECONDS);
      return matches.list(filter, { limit, cursor });
    },
  });

  app.get('/matches/:matchGuid', {
    onSend: tagAnswer,
    config: { reads: ['Match', 'Player', 'PoolMap'] },
    schema: {
      tags: ['Matches'],
      summary: 'One match; its seed once it ended',
      params: matchParams,
      response: { 200: matchPage, ...refusals('VALIDATION_FAILED', 'MATCH_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      publicAnswer(reply, FRESH_SECONDS);
      const { match, spectators, validUntil } = await matches.read(request.params.matchGuid);
      reply.validUntil = validUntil;
      reply.header('etag', tagOf(match, spectators));
      return { ...match, spectators };
    },
  });

  app.get('/matches/:matchGuid/log', {
    onSend: tagAnswer,
    config: { reads: ['Match', 'MatchEvent', 'FormerRatingChange'] },
    schema: {
      tags: ['Matches'],
      summary: 'The evidence of a match: its seed, the deal and every event',
      description:
        'Public once the match has ended. While it runs only an admin may look, not at a match of their own, and the look is audited.',
      params: matchParams,
      response: { 200: matchLog, ...refusals('VALIDATION_FAILED', 'MATCH_NOT_FOUND', 'OWN_MATCH') },
    },
    handler: async (request, reply) => {
      const found = await matches.log(request.params.matchGuid, adminOf(request.principal));
      publicAnswer(reply, FRESH_SECONDS);
      return found;
    },
  });

  app.post('/matches/:matchGuid/abort', {
    schema: {
      tags: ['Staff'],
      summary: 'Abort a running match',
      description: 'No contest, without a penalty for anybody. Both players are told.',
      params: matchParams,
      headers: writeHeaders,
      body: abortBody,
      response: {
        200: publicMatch,
        ...refusals('VALIDATION_FAILED', 'MATCH_NOT_FOUND', 'OWN_MATCH', 'WRONG_PHASE', 'STALE'),
      },
    },
    handler: (request) => matches.abort(changeOf(request), request.params.matchGuid, request.body.reason),
  });

  app.post('/matches/:matchGuid/result', {
    schema: {
      tags: ['Staff'],
      summary: 'Decide a match, running or ended',
      description:
        'A running match ends with it, and both players are told. The result of an ended one is replaced, and the rated matches of its queue and season that ended later are rated again in order of end; what they showed before is kept in their logs. The result that stands already changes nothing.',
      params: matchParams,
      headers: writeHeaders,
      body: resultBody,
      response: {
        200: publicMatch,
        ...refusals('VALIDATION_FAILED', 'MATCH_NOT_FOUND', 'OWN_MATCH', 'STALE'),
      },
    },
    handler: (request) => matches.decide(changeOf(request), request.params.matchGuid, request.body),
  });

  app.post('/matches/:matchGuid/undo', {
    schema: {
      tags: ['Staff'],
      summary: 'Undo the result of an ended match',
      description:
        'It is no contest from now on (`decided_by_staff`), and the rated matches of its queue and season that ended later are rated again without it. Penalties stay. A later `result` may decide it anew.',
      params: matchParams,
      headers: writeHeaders,
      body: undoBody,
      response: {
        200: publicMatch,
        ...refusals(
          'VALIDATION_FAILED',
          'MATCH_NOT_FOUND',
          'OWN_MATCH',
          'WRONG_PHASE',
          'ALREADY_UNDONE',
          'STALE',
        ),
      },
    },
    handler: (request) => matches.undo(changeOf(request), request.params.matchGuid, request.body.reason),
  });

  app.get('/players/:playerGuid/matches', {
    onSend: tagAnswer,
    config: { reads: ['Match', 'Player', 'PoolMap'] },
    schema: {
      tags: ['Players'],
      summary: 'Matches of one player, newest first',
      params: matchesOfPlayerParams,
      querystring: pageQuery,
      response: { 200: page(publicMatch), ...refusals('VALIDATION_FAILED', 'PLAYER_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      publicAnswer(reply, FRESH_SECONDS);
      return matches.listOf(request.params.playerGuid, request.query);
    },
  });

  app.get('/pools/:poolGuid/statistics', {
    schema: {
      tags: ['Pool maps'],
      summary: 'How the maps of a pool are played',
      description:
        'Counted when a match ends, from what was really played: a corrected or undone result changes nothing here.',
      params: statisticsParams,
      response: { 200: poolStatistics, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND') },
    },
    handler: (request) => matches.statisticsOf(request.params.poolGuid),
  });
};
