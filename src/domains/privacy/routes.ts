import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { RATES } from '../../platform/limits.ts';
import { playerErrors } from '../players/index.ts';
import { personExport, personParams } from './schemas.ts';
import type { Privacy } from './service.ts';

const refusals = refusalsOf(playerErrors);

export const privacyRoutes: FastifyPluginAsyncZod<{ privacy: Privacy }> = async (app, { privacy }) => {
  app.get('/players/:playerGuid/export', {
    config: {
      limit: {
        name: 'exports',
        perMinute: RATES.exports.most,
        caller: (request) => request.principal?.playerGuid ?? request.ip,
      },
    },
    schema: {
      operationId: 'exportPlayer',
      sends: ['Content-Disposition'],
      summary: 'Export all that is kept of a person',
      description:
        'One document for the person. It never says who reported them, and has no data of other people, no tokens, no hashes ' +
        'of secrets and no comments of staff; of running matches it has what everybody sees.',
      params: personParams,
      response: { 200: personExport, ...refusals('VALIDATION_FAILED', 'PLAYER_NOT_FOUND') },
    },
    handler: async ({ params }, reply) => {
      const document = await privacy.exportOf(params.playerGuid);
      reply.header('content-disposition', `attachment; filename="player-${params.playerGuid}.json"`);
      return document;
    },
  });
};
