import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { hasZodFastifySchemaValidationErrors } from '@fastify/type-provider-zod';
import type { FastifyRequest } from 'fastify';
import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { changeOf, writeHeaders } from '../../platform/http/staff.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { categoryErrors } from '../categories/index.ts';
import { attachment, mapErrors } from '../maps/index.ts';
import { poolErrors } from './errors.ts';
import { rowsOfBplist, rowsOfCsv } from './interchange.ts';
import {
  bplist,
  csvFile,
  exportedFile,
  importedMaps,
  importQuery,
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
import type { Pools } from './service.ts';

const refusals = refusalsOf({
  ...commonErrors,
  ...categoryErrors,
  ...mapErrors,
  ...poolErrors,
});

/**
 * The rows of a batch. A row of a wrong form becomes the refusal it deserves, so that it is reported beside
 * what the map host says of the others.
 * @throws what is wrong outside of the rows
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

/** What both imports have in common. */
const imported = {
  tags: ['Pool maps'],
  description:
    'Drafts only. Up to 200 rows, all or none; `details.rows` names one problem for each wrong row. A map is ' +
    'named by its key, or by exactly one hash: an upload that was replaced since is `MAP_STALE`. With ' +
    '`dryRun=true` nothing is added.',
  params: poolParams,
  querystring: importQuery,
  headers: writeHeaders,
  response: {
    200: importedMaps,
    201: importedMaps,
    ...refusals(
      'VALIDATION_FAILED',
      'POOL_NOT_FOUND',
      'POOL_NOT_EDITABLE',
      'MAP_STALE',
      'STALE',
      'UPSTREAM_UNAVAILABLE',
    ),
  },
};

/** The maps of a pool: one by one, in batches, as files. */
export const poolMapRoutes: FastifyPluginAsyncZod<{ pools: Pools }> = async (app, { pools }) => {
  app.post('/pools/:poolGuid/maps', {
    schema: {
      tags: ['Pool maps'],
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
    handler: async (request, reply) => {
      reply.code(201);
      return pools.addMap(changeOf(request), request.params.poolGuid, request.body);
    },
  });

  app.post('/pools/:poolGuid/maps/batch', {
    // Rows of a wrong form are reported together with those that the map host refuses.
    attachValidation: true,
    schema: {
      tags: ['Pool maps'],
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
    handler: async (request, reply) => {
      const rows = rowsOf(request);
      reply.code(201);
      return { maps: await pools.addMaps(changeOf(request), request.params.poolGuid, rows) };
    },
  });

  for (const format of ['csv', 'bplist'] as const)
    app.get(`/pools/:poolGuid/export.${format}`, {
      schema: {
        tags: ['Pool maps'],
        summary: format === 'csv' ? 'Export a pool as a table' : 'Export a pool as a playlist',
        description: 'In whatever status. What is exported can be imported into a draft.',
        produces: [format === 'csv' ? 'text/csv' : 'application/json'],
        params: poolParams,
        response: { 200: exportedFile, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND') },
      },
      handler: async ({ params }, reply) => {
        const { name, body } = await pools.exportAs(params.poolGuid, format);
        return reply
          .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
          .header('content-disposition', attachment(name))
          .serializer(String)
          .send(body);
      },
    });

  // Each takes its own kind of file and no other.
  await app.register(async (files: typeof app) => {
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    files.post('/pools/:poolGuid/import.csv', {
      bodyLimit: BOUNDS.importedFile.value,
      schema: {
        ...imported,
        summary: 'Import a table into a pool',
        consumes: ['text/csv'],
        body: csvFile,
      },
      handler: async (request, reply) => {
        const answer = await pools.importMaps(
          changeOf(request),
          request.params.poolGuid,
          rowsOfCsv(request.body),
          request.query,
        );
        return reply.code(answer.dryRun ? 200 : 201).send(answer);
      },
    });
  });
  await app.register(async (files: typeof app) => {
    files.addContentTypeParser('application/octet-stream', { parseAs: 'string' }, (request, body, done) =>
      files.getDefaultJsonParser('error', 'error')(request, String(body), done),
    );
    files.post('/pools/:poolGuid/import.bplist', {
      bodyLimit: BOUNDS.importedFile.value,
      schema: {
        ...imported,
        summary: 'Import a playlist into a pool',
        consumes: ['application/json', 'application/octet-stream'],
        body: bplist,
      },
      handler: async (request, reply) => {
        const answer = await pools.importMaps(
          changeOf(request),
          request.params.poolGuid,
          rowsOfBplist(request.body),
          request.query,
        );
        return reply.code(answer.dryRun ? 200 : 201).send(answer);
      },
    });
  });

  app.patch('/pools/:poolGuid/maps/:mapGuid', {
    schema: {
      tags: ['Pool maps'],
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
      summary: 'Remove a map from a pool',
      description: 'Drafts only.',
      params: poolMapParams,
      headers: writeHeaders,
      response: {
        204: removedMap,
        ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'MAP_NOT_FOUND', 'POOL_NOT_EDITABLE', 'STALE'),
      },
    },
    handler: async (request, reply) => {
      await pools.removeMap(changeOf(request), request.params.poolGuid, request.params.mapGuid);
      return reply.code(204).send(null);
    },
  });
};
