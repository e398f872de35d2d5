import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { upgradeOf } from '../../platform/http/web-sockets.ts';
import { authErrors, bearerToken } from '../auth/index.ts';
import { releaseErrors } from '../releases/index.ts';
import { liveErrors } from './errors.ts';
import { liveHeaders, liveParams, switched } from './schemas.ts';
import type { Live } from './service.ts';

const refusals = refusalsOf({ ...authErrors, ...releaseErrors, ...liveErrors });

export const liveRoutes: FastifyPluginAsyncZod<{ live: Live }> = async (app, { live }) => {
  // Most refusals happen before the handler of this route runs.
  app.addHook('onResponse', async ({ refusedAs }) => {
    if (refusedAs !== undefined) live.refused(refusedAs);
  });
  app.get('/live/u/:platformId', {
    schema: {
      operationId: 'openLivePlay',
      summary: 'A player’s play while it happens (WebSocket)',
      description:
        'With the game token of this platform id, a seat in a running match and an accepted plugin version the connection publishes: its binary frames go unchanged to everybody who watches. Without `Authorization` it watches; it may wait for a player who does not publish yet, or not any more. See `docs/protocol.md` for limits and close codes.',
      params: liveParams,
      headers: liveHeaders,
      response: {
        101: switched,
        ...refusals(
          'VALIDATION_FAILED',
          'UNAUTHENTICATED',
          'TOKEN_EXPIRED',
          'INSUFFICIENT_SCOPE',
          'TOKEN_TYPE_NOT_ALLOWED',
          'PLATFORM_NOT_VERIFIED',
          'FORBIDDEN',
          'BANNED',
          'NOT_PLAYING',
          'PLUGIN_VERSION_MISSING',
          'PLUGIN_VERSION_NOT_ACCEPTED',
          'UPGRADE_REQUIRED',
          'TOO_MANY_SPECTATORS',
          'DRAINING',
        ),
      },
    },
    handler: async (request, reply) => {
      upgradeOf(request);
      const client = {
        platformId: request.params.platformId,
        token: bearerToken(request),
        pluginVersion: request.headers['x-service-plugin-version'],
        address: request.ip,
      };
      await live.enter(client, (webSockets) => webSockets.accept(request, reply));
    },
  });
};
