import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { changeOf } from '../../platform/http/staff.ts';
import { standing } from './schemas.ts';
import type { Standing } from './service.ts';

export const standingRoutes: FastifyPluginAsyncZod<{ standings: Standing }> = async (app, { standings }) => {
  app.get('/auth/me/standing', {
    schema: {
      operationId: 'getMyStanding',
      summary: 'What the service holds against whom the credentials speak for',
      description:
        'Also for who is banned: the time-out and the bans in force, the reports one filed, and one’s own replays under review.',
      response: { 200: standing },
    },
    handler: (request) => standings.of(changeOf(request).actorGuid),
  });
};
