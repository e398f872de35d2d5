import { writeHeaders, writeRequestOf } from '../../platform/http/staff.ts';
import { poolFileRoutes } from './file-routes.ts';
import { poolMapRoutes } from './map-routes.ts';
import { poolPlaylistRoutes } from './playlist-routes.ts';
import { poolReadRoutes } from './read-routes.ts';
import { refusals } from './refusals.ts';
import { deletedPool, newPool, pool, poolChange, poolCopy, poolParams } from './schemas.ts';
import type { PoolRoutes } from './service.ts';
import { poolWorkflowRoutes } from './workflow-routes.ts';

/** All routes under `/pools`. */
export const poolRoutes: PoolRoutes = async (app, options) => {
  for (const routes of [
    poolReadRoutes,
    poolPlaylistRoutes,
    poolDraftRoutes,
    poolMapRoutes,
    poolFileRoutes,
    poolWorkflowRoutes,
  ])
    await app.register(routes, options);
};

/** Create, rename, delete and copy pools. */
const poolDraftRoutes: PoolRoutes = async (app, { pools }) => {
  app.post('/pools', {
    schema: {
      operationId: 'createPool',
      summary: 'Create a pool',
      description: 'A draft without maps, for a season.',
      body: newPool,
      response: { 201: pool, ...refusals('VALIDATION_FAILED', 'SEASON_NOT_FOUND') },
    },
    handler: (request) => pools.create(writeRequestOf(request), request.body),
  });

  app.patch('/pools/:poolGuid', {
    schema: {
      operationId: 'renamePool',
      summary: 'Rename a pool',
      description: 'Drafts only.',
      params: poolParams,
      headers: writeHeaders,
      body: poolChange,
      response: {
        200: pool,
        ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'POOL_NOT_EDITABLE', 'STALE'),
      },
    },
    handler: (request) => pools.rename(writeRequestOf(request), request.params.poolGuid, request.body.name),
  });

  app.delete('/pools/:poolGuid', {
    schema: {
      operationId: 'deletePool',
      summary: 'Delete a pool',
      description: 'Drafts only, with their maps and reviews.',
      params: poolParams,
      headers: writeHeaders,
      response: {
        204: deletedPool,
        ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'POOL_NOT_EDITABLE', 'STALE'),
      },
    },
    handler: (request) => pools.delete(writeRequestOf(request), request.params.poolGuid),
  });

  app.post('/pools/:poolGuid/copy', {
    schema: {
      operationId: 'copyPool',
      summary: 'Copy a pool',
      description:
        'A new draft with the same maps: the way to correct a pool that was published. Maps keep the upload they ' +
        'were added with.',
      params: poolParams,
      headers: writeHeaders,
      body: poolCopy,
      response: {
        201: pool,
        ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'SEASON_NOT_FOUND', 'STALE'),
      },
    },
    handler: (request) => pools.copy(writeRequestOf(request), request.params.poolGuid, request.body),
  });
};
