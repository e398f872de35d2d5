import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { commonErrors } from '../../platform/errors.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { pageQuery } from '../../platform/http/schemas.ts';
import { changeOf, writeHeaders } from '../../platform/http/staff.ts';
import { poolErrors } from './errors.ts';
import { newReview, pool, poolParams, poolReview, reviewPage } from './schemas.ts';
import type { Pools } from './service.ts';

const refusals = refusalsOf({
  ...commonErrors,
  ...poolErrors,
});

/** The way of a pool from draft over review to publication, and its end. */
export const poolWorkflowRoutes: FastifyPluginAsyncZod<{ pools: Pools }> = async (app, { pools }) => {
  app.post('/pools/:poolGuid/submit', {
    schema: {
      tags: ['Pools'],
      summary: 'Submit a pool for review',
      description: 'draft → in_review: from here on it is not changed until changes are requested.',
      params: poolParams,
      headers: writeHeaders,
      response: {
        200: pool,
        ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'POOL_NOT_EDITABLE', 'STALE'),
      },
    },
    handler: (request) => pools.submit(changeOf(request), request.params.poolGuid),
  });

  app.get('/pools/:poolGuid/reviews', {
    schema: {
      tags: ['Pools'],
      summary: 'List the reviews of a pool',
      description: 'Newest first.',
      params: poolParams,
      querystring: pageQuery,
      response: { 200: reviewPage, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND') },
    },
    handler: (request) => pools.listReviews(request.params.poolGuid, request.query),
  });

  app.post('/pools/:poolGuid/reviews', {
    schema: {
      tags: ['Pools'],
      summary: 'Review a pool',
      description:
        'Approves this revision, or requests changes: in_review → draft. Not by whoever submitted or changed the ' +
        'pool since its last review.',
      params: poolParams,
      headers: writeHeaders,
      body: newReview,
      response: {
        201: poolReview,
        ...refusals('VALIDATION_FAILED', 'SELF_REVIEW', 'POOL_NOT_FOUND', 'POOL_NOT_IN_REVIEW', 'STALE'),
      },
    },
    handler: async (request, reply) => {
      reply.code(201);
      return pools.review(changeOf(request), request.params.poolGuid, request.body);
    },
  });

  app.post('/pools/:poolGuid/publish', {
    schema: {
      tags: ['Pools'],
      summary: 'Publish a pool',
      description:
        'in_review → published, once the last review approved this revision. Its name and maps never change ' +
        'again; a correction is a copy. How many maps a match needs is looked at when a queue is opened.',
      params: poolParams,
      headers: writeHeaders,
      response: {
        200: pool,
        ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'REVIEW_REQUIRED', 'POOL_NOT_IN_REVIEW', 'STALE'),
      },
    },
    handler: (request) => pools.publish(changeOf(request), request.params.poolGuid),
  });

  app.post('/pools/:poolGuid/retire', {
    schema: {
      tags: ['Pools'],
      summary: 'Retire a pool',
      description: 'published → retired. Its queues drain; running matches finish.',
      params: poolParams,
      headers: writeHeaders,
      response: {
        200: pool,
        ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'POOL_NOT_PUBLISHED', 'STALE'),
      },
    },
    handler: (request) => pools.retire(changeOf(request), request.params.poolGuid),
  });
};
