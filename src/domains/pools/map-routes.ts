import { hasZodFastifySchemaValidationErrors } from '@fastify/type-provider-zod';
import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '../../platform/errors.ts';
import { changeOf, writeHeaders } from '../../platform/http/staff.ts';
import { refusals } from './refusals.ts';
import {
  type NewPoolMap,
  newPoolMap,
  newPoolMaps,
  parseRow,
  poolMap,
  poolMapChange,
  poolMapParams,
  poolMaps,
  poolParams,
  removedMap,
} from './schemas.ts';
import type { PoolRoutes } from './service.ts';

/**
 * The rows of a batch. A row of a wrong form becomes its refusal, so that the answer names all wrong rows at once.
 * @throws the validation error when something outside of the rows is wrong
 */
function rowsOf(request: FastifyRequest): (NewPoolMap | ServiceError)[] {
  const { validationError } = request;
  const isRow = ({ instancePath }: { instancePath: string }) => /^\/maps\/\d+(\/|$)/.test(instancePath);
  if (
    validationError &&
    !(hasZodFastifySchemaValidationErrors(validationError) && validationError.validation.every(isRow))
  )
    throw validationError;
  const { maps } = request.body as { maps: unknown[] };
  return maps.map((row) => parseRow(newPoolMap, row));
}

/** Add maps to a draft. */
const addRoutes: PoolRoutes = async (app, { pools }) => {
  app.post('/pools/:poolGuid/maps', {
    schema: {
      tags: ['Pool maps'],
      operationId: 'addMapToPool',
      summary: 'Add a map to a pool',
      description:
        'Drafts only. Name, hash, duration and maximum score are resolved from the map host: the upload that is ' +
        'published under the key.',
      params: poolParams,
      headers: writeHeaders,
      body: newPoolMap,
      response: {
        201: poolMap,
        ...refusals(
          'VALIDATION_FAILED',
          'MODIFIERS_CONFLICT',
          'POOL_NOT_FOUND',
          'CATEGORY_NOT_FOUND',
          'MAP_NOT_FOUND',
          'POOL_NOT_EDITABLE',
          'MAP_ALREADY_IN_POOL',
          'STALE',
          'DIFFICULTY_NOT_FOUND',
          'MAP_NOT_PLAYABLE',
          'UPSTREAM_UNAVAILABLE',
        ),
      },
    },
    handler: (request) => pools.addMap(changeOf(request), request.params.poolGuid, request.body),
  });

  app.post('/pools/:poolGuid/maps/batch', {
    // `rowsOf` reads the result: rows of a wrong form are reported together with those that the map host refuses.
    attachValidation: true,
    schema: {
      tags: ['Pool maps'],
      operationId: 'addMapsToPool',
      summary: 'Add many maps to a pool',
      description:
        'Up to 200, all or none. When rows are wrong, `details.rows` of `VALIDATION_FAILED` names one problem ' +
        'for each of them, with the codes of adding a single map.',
      params: poolParams,
      headers: writeHeaders,
      body: newPoolMaps,
      response: {
        201: poolMaps,
        ...refusals(
          'VALIDATION_FAILED',
          'POOL_NOT_FOUND',
          'POOL_NOT_EDITABLE',
          'STALE',
          'UPSTREAM_UNAVAILABLE',
        ),
      },
    },
    handler: async (request) => ({
      maps: await pools.addMaps(changeOf(request), request.params.poolGuid, rowsOf(request)),
    }),
  });
};

/** The maps of a draft: add, change and remove them. */
export const poolMapRoutes: PoolRoutes = async (app, { pools }) => {
  await app.register(addRoutes, { pools });

  app.patch('/pools/:poolGuid/maps/:mapGuid', {
    schema: {
      tags: ['Pool maps'],
      operationId: 'updateMapOfPool',
      summary: 'Change a map of a pool',
      description:
        'Drafts only. Category and modifiers are changed without asking the map host; another characteristic or ' +
        'difficulty is resolved within the stored upload, as long as the host still publishes it.',
      params: poolMapParams,
      headers: writeHeaders,
      body: poolMapChange,
      response: {
        200: poolMap,
        ...refusals(
          'VALIDATION_FAILED',
          'MODIFIERS_CONFLICT',
          'POOL_NOT_FOUND',
          'CATEGORY_NOT_FOUND',
          'MAP_NOT_FOUND',
          'POOL_NOT_EDITABLE',
          'MAP_ALREADY_IN_POOL',
          'MAP_STALE',
          'CONFLICT',
          'STALE',
          'DIFFICULTY_NOT_FOUND',
          'MAP_NOT_PLAYABLE',
          'UPSTREAM_UNAVAILABLE',
        ),
      },
    },
    handler: (request) => {
      const { poolGuid, mapGuid } = request.params;
      return pools.changeMap(changeOf(request), poolGuid, mapGuid, request.body);
    },
  });

  app.delete('/pools/:poolGuid/maps/:mapGuid', {
    schema: {
      tags: ['Pool maps'],
      operationId: 'removeMapFromPool',
      summary: 'Remove a map from a pool',
      description: 'Drafts only.',
      params: poolMapParams,
      headers: writeHeaders,
      response: {
        204: removedMap,
        ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'MAP_NOT_FOUND', 'POOL_NOT_EDITABLE', 'STALE'),
      },
    },
    handler: (request) => pools.removeMap(changeOf(request), request.params.poolGuid, request.params.mapGuid),
  });
};
