import { hasZodFastifySchemaValidationErrors } from '@fastify/type-provider-zod';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../platform/errors.ts';
import { writeHeaders, writeRequestOf } from '../../platform/http/staff.ts';
import type { Batch } from './batch.ts';
import { refusals } from './refusals.ts';
import {
  batchChange,
  newPoolMap,
  parseRow,
  poolBatch,
  poolMap,
  poolMapChange,
  poolMapParams,
  poolParams,
  removedMap,
  savedBatch,
} from './schemas.ts';
import type { PoolRoutes } from './service.ts';

/** Rows that become a problem of their own when their form is wrong. A change must name its map for that. */
const isRow = ({ instancePath }: { instancePath: string }) =>
  /^\/(maps\/\d+(\/|$)|changes\/\d+(?!\/mapGuid$)(\/|$))/.test(instancePath);

/**
 * The rows of a batch. A row of a wrong form becomes its refusal, so that the answer names all wrong rows at once.
 * @throws the validation error when something outside of the rows is wrong
 */
function rowsOf(request: FastifyRequest): Batch {
  const { validationError } = request;
  if (
    validationError &&
    !(hasZodFastifySchemaValidationErrors(validationError) && validationError.validation.every(isRow))
  )
    throw validationError;
  const body = request.body as Partial<Record<'maps' | 'changes' | 'removals', unknown[]>>;
  const changes = (body.changes ?? []).map((row) => {
    const named = batchChange.pick({ mapGuid: true }).strip().safeParse(row);
    if (!named.success) throw validationError;
    const parsed = parseRow(batchChange, row);
    if (parsed instanceof ServiceError) return { ...named.data, to: parsed };
    const { mapGuid, ...to } = parsed;
    return { mapGuid, to };
  });
  return {
    removals: poolBatch.shape.removals.parse(body.removals),
    changes,
    additions: (body.maps ?? []).map((row) => parseRow(newPoolMap, row)),
  };
}

/** The refusals of one map that is added or changed. */
const ONE_MAP = [
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
] as const;

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
        ...refusals(...ONE_MAP),
      },
    },
    handler: (request) => pools.addMap(writeRequestOf(request), request.params.poolGuid, request.body),
  });

  app.post('/pools/:poolGuid/maps/batch', {
    // `rowsOf` reads the result: rows of a wrong form are reported together with those that the map host refuses.
    attachValidation: true,
    schema: {
      tags: ['Pool maps'],
      operationId: 'addMapsToPool',
      summary: 'Add, change and remove many maps of a pool',
      description:
        'Up to 200 of each, all or none, as one revision: first removals, then changes, then additions. When rows are ' +
        'wrong, `details.rows` of `VALIDATION_FAILED` names one problem for each wrong addition, and `details.changes` ' +
        'for each wrong change or removal, with the codes of the requests for a single map.',
      params: poolParams,
      headers: writeHeaders,
      body: poolBatch,
      response: {
        201: savedBatch,
        ...refusals(
          'VALIDATION_FAILED',
          'POOL_NOT_FOUND',
          'POOL_NOT_EDITABLE',
          'STALE',
          'UPSTREAM_UNAVAILABLE',
        ),
      },
    },
    handler: async (request) => {
      const batch = rowsOf(request);
      const { added, ...others } = await pools.saveMaps(
        writeRequestOf(request),
        request.params.poolGuid,
        batch,
      );
      const isAddition = batch.changes.length + batch.removals.length === 0;
      return { maps: added, ...(!isAddition && others) };
    },
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
        ...refusals(...ONE_MAP, 'MAP_STALE', 'CONFLICT'),
      },
    },
    handler: (request) => {
      const { poolGuid, mapGuid } = request.params;
      return pools.changeMap(writeRequestOf(request), poolGuid, mapGuid, request.body);
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
    handler: (request) =>
      pools.removeMap(writeRequestOf(request), request.params.poolGuid, request.params.mapGuid),
  });
};
