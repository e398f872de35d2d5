import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { changeOf } from '../../platform/http/staff.ts';
import { standing } from './schemas.ts';
import type { Standing } from './service.ts';

export const standingRoutes: FastifyPluginAsyncZod<{ standings: Standing }> = async (app, { standings }) => {
  app.get('/auth/me/standing', {
    schema: {
      operationId: 'getMyStanding',
      summary: 'The caller’s bans, time-out, reports and replays under review',
      description:
        'A banned caller may read it too. It has the time-out and the bans in force, the reports that the caller filed, and the caller’s replays under review.',
      response: { 200: standing },
    },
    handler: (request) => standings.of(changeOf(request).actorGuid),
  });
};
