import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { ErrorEntries } from '../../platform/errors.ts';
import { publicAnswer } from '../../platform/http/cache.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { playerErrors } from '../players/index.ts';
import { seasonErrors } from '../seasons/index.ts';
import { ratingErrors } from './errors.ts';
import { historyParams, historyQuery, ladder, ladderParams, ladderQuery, ratedMatches } from './schemas.ts';
import type { Ratings } from './service.ts';

/** Short, because players read it after a match. A few seconds still spare the database. */
const FRESH_SECONDS = 5;

export interface RatingRoutesOptions {
  ratings: Ratings;
  /** The refusal of `seasonOfLadder` for an unknown queue: a code of a later domain. */
  queueErrors: ErrorEntries<'QUEUE_NOT_FOUND'>;
}

export const ratingRoutes: FastifyPluginAsyncZod<RatingRoutesOptions> = async (
  app,
  { ratings, queueErrors },
) => {
  const refusals = refusalsOf({ ...ratingErrors, ...queueErrors, ...seasonErrors, ...playerErrors });
  app.get('/leaderboards/:queueGuid', {
    config: { reads: ['Rating', 'Player', 'Queue', 'Pool', 'Ladder', 'LadderCount'] },
    schema: {
      operationId: 'getLeaderboard',
      summary: 'Read a queue’s ladder',
      description:
        'By rating; equal ratings share a rank and the ranks after them are left out (1, 2, 2, 4). Provisional ratings take part.',
      params: ladderParams,
      querystring: ladderQuery,
      response: {
        200: ladder,
        ...refusals('VALIDATION_FAILED', 'QUEUE_NOT_FOUND', 'SEASON_NOT_FOUND', 'NOT_ON_LEADERBOARD'),
      },
    },
    handler: (request, reply) => {
      publicAnswer(reply, FRESH_SECONDS);
      return ratings.page(request.params.queueGuid, request.query);
    },
  });

  app.get('/players/:playerGuid/ratings', {
    config: { reads: ['RatingChange', 'Player'] },
    schema: {
      operationId: 'listRatingsOfPlayer',
      summary: 'Rated matches of one player, newest first',
      description: 'Those that count, with the ratings as corrections have left them.',
      params: historyParams,
      querystring: historyQuery,
      response: { 200: ratedMatches, ...refusals('VALIDATION_FAILED', 'PLAYER_NOT_FOUND') },
    },
    handler: (request, reply) => {
      publicAnswer(reply, FRESH_SECONDS);
      return ratings.history(request.params.playerGuid, request.query);
    },
  });
};
