import { pageQuery } from '../../platform/http/schemas.ts';
import { writeHeaders, writeRequestOf } from '../../platform/http/staff.ts';
import { refusals } from './refusals.ts';
import { newReview, pool, poolParams, poolReview, reviewPage } from './schemas.ts';
import type { PoolRoutes } from './service.ts';

/** The contract of a change of the status, beside what it may refuse. */
const step = (
  operationId: string,
  summary: string,
  description: string,
  ...codes: Parameters<typeof refusals>
) => ({
  operationId,
  summary,
  description,
  params: poolParams,
  headers: writeHeaders,
  response: { 200: pool, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', ...codes, 'STALE') },
});

/** Reviews of a pool. */
const reviewRoutes: PoolRoutes = async (app, { pools }) => {
  app.get('/pools/:poolGuid/reviews', {
    schema: {
      operationId: 'listReviewsOfPool',
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
      operationId: 'reviewPool',
      summary: 'Review a pool',
      description:
        'Approves this revision, or requests changes: in_review → draft. Not by anybody who submitted or changed the ' +
        'pool since its last review. `rows` comment on single maps of the pool.',
      params: poolParams,
      headers: writeHeaders,
      body: newReview,
      response: {
        201: poolReview,
        ...refusals(
          'VALIDATION_FAILED',
          'SELF_REVIEW',
          'POOL_NOT_FOUND',
          'MAP_NOT_FOUND',
          'POOL_NOT_IN_REVIEW',
          'STALE',
        ),
      },
    },
    handler: (request) => pools.review(writeRequestOf(request), request.params.poolGuid, request.body),
  });
};

/** The workflow of a pool: submit, review, publish, retire. */
export const poolWorkflowRoutes: PoolRoutes = async (app, { pools }) => {
  app.post('/pools/:poolGuid/submit', {
    schema: step(
      'submitPool',
      'Submit a pool for review',
      'draft → in_review: from here on it is not changed until changes are requested.',
      'POOL_NOT_EDITABLE',
    ),
    handler: (request) => pools.submit(writeRequestOf(request), request.params.poolGuid),
  });

  await app.register(reviewRoutes, { pools });

  app.post('/pools/:poolGuid/publish', {
    schema: step(
      'publishPool',
      'Publish a pool',
      'in_review → published, once the last review approved this revision. Its name and maps never change ' +
        'again; a correction is a copy. How many maps a match needs is looked at when a queue is opened.',
      'REVIEW_REQUIRED',
      'POOL_NOT_IN_REVIEW',
    ),
    handler: (request) => pools.publish(writeRequestOf(request), request.params.poolGuid),
  });

  app.post('/pools/:poolGuid/retire', {
    schema: step(
      'retirePool',
      'Retire a pool',
      'published → retired. Its queues drain; running matches finish.',
      'POOL_NOT_PUBLISHED',
    ),
    handler: (request) => pools.retire(writeRequestOf(request), request.params.poolGuid),
  });
};
