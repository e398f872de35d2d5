import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { publicAnswer, publicAnswerUnlessStaff } from '../../platform/http/cache.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { pageQuery } from '../../platform/http/schemas.ts';
import { isStaff, tagOf, writeHeaders, writeRequestOf } from '../../platform/http/staff.ts';
import { poolErrors } from '../pools/index.ts';
import { queueErrors } from './errors.ts';
import type { Ladders } from './ladders.ts';
import {
  ladderPage,
  newQueue,
  queueChange,
  queuePage,
  queueParams,
  queueQuery,
  queueView,
} from './schemas.ts';
import type { Queues } from './service.ts';

/** Short, because it counts players. A few seconds still spare the database. */
const LADDERS_FRESH_SECONDS = 5;

const refusals = refusalsOf({ ...poolErrors, ...queueErrors });

type QueueRoutes = FastifyPluginAsyncZod<{ queues: Queues & Ladders }>;

const TRANSITIONS = [
  {
    action: 'open',
    operationId: 'openQueue',
    summary: 'Open a queue',
    description:
      'closed → open. The pool must be published and have at least 10 maps. It may open before its season begins: its ' +
      'matches count for that season.',
    refusedWith: ['POOL_NOT_PUBLISHED', 'POOL_TOO_SMALL', 'SEASON_ENDED', 'QUEUE_NOT_CLOSED', 'CONFLICT'],
  },
  {
    action: 'drain',
    operationId: 'drainQueue',
    summary: 'Drain a queue',
    description:
      'open → draining: no joins from now on, waiting players are told and removed, running matches finish; ' +
      'with the last of them the queue closes itself, at once when none is running.',
    refusedWith: [],
  },
  {
    action: 'close',
    operationId: 'closeQueue',
    summary: 'Close a queue',
    description: 'The same as draining it: no running match is cut short.',
    refusedWith: [],
  },
] as const;

const readRoutes: QueueRoutes = async (app, { queues }) => {
  app.get('/queues', {
    config: { reads: ['Queue', 'QueueEntry', 'Pool', 'Season', 'Match'] },
    schema: {
      operationId: 'listQueues',
      summary: 'List queues',
      description: 'Open and draining queues, newest first. Staff see closed ones too.',
      querystring: queueQuery,
      response: { 200: queuePage, ...refusals('VALIDATION_FAILED') },
    },
    handler: async (request, reply) => {
      publicAnswerUnlessStaff(reply);
      return queues.list(request.query, isStaff(request.principal));
    },
  });

  app.get('/queues/:queueGuid', {
    config: { reads: ['Queue', 'QueueEntry', 'Pool', 'Season', 'Match', 'Ladder'] },
    schema: {
      operationId: 'getQueue',
      summary: 'Read a queue',
      description:
        'One that is or was open; staff see the others too. `If-Match` of a change is compared with its `ETag`, which does not depend on `waiting` and `playing`.',
      params: queueParams,
      response: { 200: queueView, ...refusals('VALIDATION_FAILED', 'QUEUE_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const found = await queues.get(request.params.queueGuid, isStaff(request.principal));
      const { waiting, playing, ...state } = found;
      publicAnswerUnlessStaff(reply).header('etag', tagOf(state, { waiting, playing }));
      return found;
    },
  });

  app.get('/leaderboards', {
    config: { reads: ['Ladder', 'LadderCount', 'Queue', 'Season'] },
    schema: {
      operationId: 'listLeaderboards',
      summary: 'List the ladders',
      description:
        'One for each queue and season it was open in: those of the running season first, then the latest season.',
      querystring: pageQuery,
      response: { 200: ladderPage, ...refusals('VALIDATION_FAILED') },
    },
    handler: async (request, reply) => {
      const { page, validUntil } = await queues.ladders(request.query);
      publicAnswer(reply, LADDERS_FRESH_SECONDS);
      reply.validUntil = validUntil;
      return page;
    },
  });
};

const changeRoutes: QueueRoutes = async (app, { queues }) => {
  app.post('/queues', {
    schema: {
      operationId: 'createQueue',
      summary: 'Create a queue',
      description: 'Closed at first, on a published pool. Rules left out have their defaults.',
      body: newQueue,
      response: { 201: queueView, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'POOL_NOT_PUBLISHED') },
    },
    handler: (request) => queues.create(writeRequestOf(request), request.body),
  });

  app.patch('/queues/:queueGuid', {
    schema: {
      operationId: 'updateQueue',
      summary: 'Change a queue',
      description:
        'Members and rules left out stay as they are. Rules and pool apply to matches made from now on; waiting ' +
        'players keep their place. A pool of another season only while the queue is closed.',
      params: queueParams,
      headers: writeHeaders,
      body: queueChange,
      response: {
        200: queueView,
        ...refusals(
          'VALIDATION_FAILED',
          'QUEUE_NOT_FOUND',
          'POOL_NOT_FOUND',
          'POOL_NOT_PUBLISHED',
          'SEASON_MISMATCH',
          'POOL_TOO_SMALL',
          'STALE',
        ),
      },
    },
    handler: (request) => queues.update(writeRequestOf(request), request.params.queueGuid, request.body),
  });

  for (const { action, operationId, summary, description, refusedWith } of TRANSITIONS)
    app.post(`/queues/:queueGuid/${action}`, {
      schema: {
        operationId,
        summary,
        description,
        params: queueParams,
        headers: writeHeaders,
        response: {
          200: queueView,
          ...refusals('VALIDATION_FAILED', 'QUEUE_NOT_FOUND', ...refusedWith, 'STALE'),
        },
      },
      handler: (request) => queues[action](writeRequestOf(request), request.params.queueGuid),
    });
};

export const queueRoutes: QueueRoutes = async (app, options) => {
  await readRoutes(app, options);
  await changeRoutes(app, options);
};
