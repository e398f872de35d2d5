import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { writeRequestOf } from '../../platform/http/staff.ts';
import { playerErrors } from '../players/index.ts';
import { playerStanding, standing, standingParams } from './schemas.ts';
import type { Standing } from './service.ts';

const refusals = refusalsOf(playerErrors);

export const standingRoutes: FastifyPluginAsyncZod<{ standings: Standing }> = async (app, { standings }) => {
  app.get('/auth/me/standing', {
    schema: {
      operationId: 'getMyStanding',
      summary: 'The caller’s bans, time-out, reports and replays under review',
      description:
        'A banned caller may read it too. It has the time-out and the bans in force, the reports that the caller filed, and the caller’s replays under review.',
      response: { 200: standing },
    },
    handler: (request) => standings.of(writeRequestOf(request).actorGuid),
  });

  app.get('/players/:playerGuid/standing', {
    schema: {
      tags: ['Staff'],
      operationId: 'getStandingOfPlayer',
      summary: 'Read penalties, logins and identity of a player',
      description:
        'Queue time-outs, when browsers were logged in, and whether the person was erased. No tokens, no addresses.',
      params: standingParams,
      response: { 200: playerStanding, ...refusals('VALIDATION_FAILED', 'PLAYER_NOT_FOUND') },
    },
    handler: ({ params }) => standings.ofPlayer(params.playerGuid),
  });
};
