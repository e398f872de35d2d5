import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { isoTime } from '../../platform/clock.ts';
import { ROLES } from '../players/index.ts';
import { authErrors } from './errors.ts';
import { me } from './schemas.ts';

export const authRoutes: FastifyPluginAsyncZod = async (app) => {
  app.get('/auth/me', {
    schema: {
      operationId: 'getMe',
      summary: 'Who the credentials speak for',
      description:
        'Roles are those from the identity provider, from the configuration and those granted here together.',
      response: { 200: me },
    },
    handler: async ({ principal }) => {
      if (principal === null) throw authErrors.UNAUTHENTICATED();
      const { playerGuid, subject, username, avatarUrl, platformId, roles, expiresAt } = principal;
      return {
        playerGuid,
        subject,
        username,
        avatarUrl,
        platformId,
        roles: ROLES.filter((role) => roles.has(role)),
        expiresAt: isoTime(expiresAt),
      };
    },
  });
};
