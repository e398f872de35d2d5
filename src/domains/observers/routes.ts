import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { PAGE_LIMIT } from '../../platform/http/limits.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { matchErrors } from '../matches/index.ts';
import { queueErrors } from '../queues/index.ts';
import { observerErrors } from './errors.ts';
import { feedEvents, feedQuery, followParams, matchEvents, noStream, streamHeaders } from './schemas.ts';
import type { Observers } from './service.ts';

const refusals = refusalsOf({ ...matchErrors, ...queueErrors, ...observerErrors });

const PRODUCES = ['text/event-stream'];
const FULL = ['TOO_MANY_STREAMS', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE', 'DRAINING'] as const;

export const observerRoutes: FastifyPluginAsyncZod<{ observers: Observers }> = async (app, { observers }) => {
  app.get('/matches/:matchGuid/events', {
    config: { limit: PAGE_LIMIT },
    schema: {
      tags: ['Matches'],
      operationId: 'followMatch',
      summary: 'A match as it happens (Server-Sent Events)',
      description:
        'At once `match`, then one for each change, then `end` and the end of the stream. See `docs/observers.md`.',
      produces: PRODUCES,
      params: followParams,
      headers: streamHeaders,
      response: {
        200: matchEvents,
        204: noStream,
        ...refusals('VALIDATION_FAILED', 'MATCH_NOT_FOUND', ...FULL),
      },
    },
    handler: async (request, reply) => {
      const { 'last-event-id': known } = request.headers;
      if (await observers.followMatch(reply, request.params.matchGuid, known)) return reply;
      return reply.code(204).header('cache-control', 'no-store').send();
    },
  });

  app.get('/events', {
    config: { limit: PAGE_LIMIT },
    schema: {
      tags: ['Matches'],
      operationId: 'followAll',
      summary: 'Queues and matches as they change (Server-Sent Events)',
      description:
        'At once `snapshot`, then `queue`, `matchStarted` and `matchFinished`. There is no `id`: who comes back gets a new snapshot. See `docs/observers.md`.',
      produces: PRODUCES,
      querystring: feedQuery,
      response: { 200: feedEvents, ...refusals('VALIDATION_FAILED', 'QUEUE_NOT_FOUND', ...FULL) },
    },
    handler: async (request, reply) => {
      await observers.followAll(reply, request.query.queueGuid ?? null);
      return reply;
    },
  });
};
