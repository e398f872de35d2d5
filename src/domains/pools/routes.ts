import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { hasZodFastifySchemaValidationErrors } from '@fastify/type-provider-zod';
import type { FastifyRequest } from 'fastify';
import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import { publicAnswer, publicAnswerUnlessStaff } from '../../platform/http/cache.ts';
import { tagAnswer } from '../../platform/http/etag.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { pageQuery } from '../../platform/http/schemas.ts';
import { changeOf, isStaff, tagOf, writeHeaders } from '../../platform/http/staff.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { categoryErrors } from '../categories/index.ts';
import { attachment, mapErrors, playlist } from '../maps/index.ts';
import { seasonErrors } from '../seasons/index.ts';
import { poolErrors } from './errors.ts';
import { rowsOfBplist, rowsOfCsv } from './interchange.ts';
import {
  bplist,
  coverImage,
  csvFile,
  deletedPool,
  exportedFile,
  importedMaps,
  importQuery,
  type NewPoolMap,
  newPool,
  newPoolMap,
  newPoolMaps,
  newReview,
  pool,
  poolCategoryParams,
  poolChange,
  poolCopy,
  poolMap,
  poolMapChange,
  poolMapParams,
  poolMaps,
  poolPage,
  poolParams,
  poolQuery,
  poolReview,
  poolWithMaps,
  removedMap,
  reviewPage,
} from './schemas.ts';
import type { Pools } from './service.ts';

const refusals = refusalsOf({
  ...commonErrors,
  ...seasonErrors,
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
  return maps.map((row) => {
    const parsed = newPoolMap.safeParse(row);
    if (parsed.success) return parsed.data;
    const { path = [], message = 'is invalid' } = parsed.error.issues[0] ?? {};
    return commonErrors.VALIDATION_FAILED({ message: [path.join('.'), message].filter(Boolean).join(': ') });
  });
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
    ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'POOL_NOT_EDITABLE', 'STALE', 'UPSTREAM_UNAVAILABLE'),
  },
};

export const poolRoutes: FastifyPluginAsyncZod<{ pools: Pools }> = async (app, { pools }) => {
  app.get('/pools', {
    onSend: tagAnswer,
    config: { reads: ['Pool', 'PoolMap'] },
    schema: {
      tags: ['Pools'],
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
    onSend: tagAnswer,
    config: { reads: ['Pool', 'PoolMap'] },
    schema: {
      tags: ['Pools'],
      summary: 'Read a pool',
      description: 'Public while it is published or retired. Staff see drafts and pools in review too.',
      params: poolParams,
      response: { 200: pool, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const found = await pools.get(request.params.poolGuid, isStaff(request.principal));
      publicAnswerUnlessStaff(reply).header('etag', tagOf(found));
      return found;
    },
  });

  app.get('/pools/:poolGuid/maps', {
    onSend: tagAnswer,
    config: { reads: ['Pool', 'PoolMap', 'MapCategory', 'Season'] },
    schema: {
      tags: ['Pools'],
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

  app.get('/pools/:poolGuid/playlist.bplist', {
    onSend: tagAnswer,
    config: { reads: ['Season', 'Pool', 'PoolMap', 'MapCategory'] },
    schema: {
      tags: ['Pools'],
      summary: 'Download the playlist of a pool',
      description: 'For pools that are or were published.',
      params: poolParams,
      response: { 200: playlist, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const file = await pools.playlist(request.params.poolGuid);
      publicAnswer(reply).header('content-disposition', attachment(file.fileName));
      return file.playlist;
    },
  });

  app.get('/pools/:poolGuid/categories/:categoryGuid/playlist.bplist', {
    onSend: tagAnswer,
    config: { reads: ['Season', 'Pool', 'PoolMap', 'MapCategory'] },
    schema: {
      tags: ['Pools'],
      summary: 'Download the playlist of one category of a pool',
      description: 'For pools that are or were published. A list of its own, with a title of its own.',
      params: poolCategoryParams,
      response: { 200: playlist, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'CATEGORY_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { poolGuid, categoryGuid } = request.params;
      const file = await pools.categoryPlaylist(poolGuid, categoryGuid);
      publicAnswer(reply).header('content-disposition', attachment(file.fileName));
      return file.playlist;
    },
  });

  app.get('/pools/:poolGuid/cover.png', {
    onSend: tagAnswer,
    config: { reads: ['Season', 'Pool', 'PoolMap', 'MapCategory'] },
    schema: {
      tags: ['Pools'],
      summary: 'Download the cover of a pool',
      description:
        'The picture in its playlist: 256 × 256, made of its identity and the colours of its categories.',
      produces: ['image/png'],
      params: poolParams,
      response: { 200: coverImage, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const png = await pools.cover(request.params.poolGuid);
      publicAnswer(reply).type('image/png');
      return png;
    },
  });

  app.post('/pools', {
    schema: {
      tags: ['Pools'],
      summary: 'Create a pool',
      description: 'A draft without maps, for a season.',
      body: newPool,
      response: { 201: pool, ...refusals('VALIDATION_FAILED', 'SEASON_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      reply.code(201);
      return pools.create(changeOf(request), request.body);
    },
  });

  app.patch('/pools/:poolGuid', {
    schema: {
      tags: ['Pools'],
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
    handler: (request) => pools.rename(changeOf(request), request.params.poolGuid, request.body.name),
  });

  app.delete('/pools/:poolGuid', {
    schema: {
      tags: ['Pools'],
      summary: 'Delete a pool',
      description: 'Drafts only, with their maps and reviews.',
      params: poolParams,
      headers: writeHeaders,
      response: {
        204: deletedPool,
        ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'POOL_NOT_EDITABLE', 'STALE'),
      },
    },
    handler: async (request, reply) => {
      await pools.delete(changeOf(request), request.params.poolGuid);
      return reply.code(204).send(null);
    },
  });

  app.post('/pools/:poolGuid/copy', {
    schema: {
      tags: ['Pools'],
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
    handler: async (request, reply) => {
      reply.code(201);
      return pools.copy(changeOf(request), request.params.poolGuid, request.body);
    },
  });

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
        'Approves this revision, or requests changes: in_review → draft. Not by who submitted or changed the ' +
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
