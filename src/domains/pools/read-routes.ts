import { publicAnswerUnlessStaff } from '../../platform/http/cache.ts';
import { isStaff, tagOf } from '../../platform/http/staff.ts';
import { refusals } from './refusals.ts';
import { poolAlone, poolPage, poolParams, poolQuery, poolWithMaps } from './schemas.ts';
import type { PoolRoutes } from './service.ts';

/** Reads of pools: everybody sees published and retired ones, staff see all. */
export const poolReadRoutes: PoolRoutes = async (app, { pools }) => {
  app.get('/pools', {
    config: { reads: ['Pool', 'PoolMap'] },
    schema: {
      operationId: 'listPools',
      summary: 'List pools',
      description: 'Published pools, newest first. Staff see all of them.',
      querystring: poolQuery,
      response: { 200: poolPage, ...refusals('VALIDATION_FAILED') },
    },
    handler: async (request, reply) => {
      publicAnswerUnlessStaff(reply);
      return pools.list(request.query, isStaff(request.principal));
    },
  });

  app.get('/pools/:poolGuid', {
    config: { reads: ['Pool', 'PoolMap'] },
    schema: {
      operationId: 'getPool',
      summary: 'Read a pool',
      description: 'Public while it is published or retired. Staff see drafts and pools in review too.',
      params: poolParams,
      response: { 200: poolAlone, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const forStaff = isStaff(request.principal);
      const found = await pools.get(request.params.poolGuid, forStaff);
      const beside = forStaff ? await pools.besides(found.poolGuid) : undefined;
      publicAnswerUnlessStaff(reply).header('etag', tagOf(found, beside));
      return { ...found, ...beside };
    },
  });

  app.get('/pools/:poolGuid/maps', {
    config: { reads: ['Pool', 'PoolMap', 'MapCategory', 'Season'] },
    schema: {
      operationId: 'getPoolWithMaps',
      summary: 'Read a pool with its maps',
      description:
        'Public while it is published or retired. Staff see drafts and pools in review too. Its `ETag` is what ' +
        '`If-Match` of a change to the pool or its maps is compared with.',
      params: poolParams,
      response: { 200: poolWithMaps, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const found = await pools.getWithMaps(request.params.poolGuid, isStaff(request.principal));
      publicAnswerUnlessStaff(reply).header('etag', tagOf(found));
      return found;
    },
  });
};
