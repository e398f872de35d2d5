import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { invalidField } from '../../platform/errors.ts';
import { sendBody } from '../../platform/http/files.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { staffWrite, writeRequestOf } from '../../platform/http/staff.ts';
import { RATES } from '../../platform/limits.ts';
import { pairingErrors } from '../pairing/index.ts';
import { playerErrors } from '../players/index.ts';
import { erasedPlayer, erasureBody, personExport, personParams } from './schemas.ts';
import type { Privacy } from './service.ts';

const refusals = refusalsOf({ ...playerErrors, ...pairingErrors });

export const privacyRoutes: FastifyPluginAsyncZod<{ privacy: Privacy }> = async (app, { privacy }) => {
  app.get('/players/:playerGuid/export', {
    config: {
      limit: { name: 'exports', rate: RATES.exports },
    },
    schema: {
      operationId: 'exportPlayer',
      sends: ['Content-Disposition'],
      summary: 'Export all that is kept of a person',
      description:
        'One document for the person, sent while it is read: it has no `Content-Length`, and one that breaks off is not whole. It ' +
        'never says who reported them, and has no reports about the reader, no data of other people, no tokens, no hashes of ' +
        'secrets and no comments of staff; of running matches it has what everybody sees.',
      params: personParams,
      response: { 200: personExport, ...refusals('VALIDATION_FAILED', 'PLAYER_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { playerGuid } = request.params;
      const text = await privacy.exportOf(playerGuid, writeRequestOf(request).actorGuid);
      reply.header('content-disposition', `attachment; filename="player-${playerGuid}.json"`);
      return sendBody(request, reply.type('application/json; charset=utf-8'), text);
    },
  });

  app.post('/players/:playerGuid/erase', {
    config: staffWrite,
    schema: {
      operationId: 'erasePlayer',
      summary: 'Erase a person',
      description:
        'Subject, name, picture, platform id, roles, logins, comments and replay files go; matches, ratings and logs stay, shown ' +
        'as `Erased player`. Bans and penalties go on to count. It cannot be undone. Again it answers the same.',
      params: personParams,
      body: erasureBody,
      response: {
        200: erasedPlayer,
        ...refusals('VALIDATION_FAILED', 'PLAYER_NOT_FOUND', 'ALREADY_IN_MATCH', 'LAST_ADMIN'),
      },
    },
    handler: async (request) => {
      const { playerGuid } = request.params;
      if (request.body.confirm !== playerGuid)
        throw invalidField('confirm', 'must be the playerGuid of the address');
      return privacy.erase(writeRequestOf(request), playerGuid);
    },
  });
};
