import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { commonErrors } from '../../platform/errors.ts';
import { publicAnswer, publicAnswerUnlessStaff } from '../../platform/http/cache.ts';
import { tagAnswer } from '../../platform/http/etag.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { changeOf, isStaff, tagOf, writeHeaders } from '../../platform/http/staff.ts';
import { categoryErrors } from '../categories/index.ts';
import { attachment, playlist } from '../maps/index.ts';
import { seasonErrors } from '../seasons/index.ts';
import { poolErrors } from './errors.ts';
import { poolMapRoutes } from './map-routes.ts';
import {
  coverImage,
  deletedPool,
  newPool,
  pool,
  poolCategoryParams,
  poolChange,
  poolCopy,
  poolPage,
  poolParams,
  poolQuery,
  poolWithMaps,
} from './schemas.ts';
import type { Pools } from './service.ts';
import { poolWorkflowRoutes } from './workflow-routes.ts';

const refusals = refusalsOf({
  ...commonErrors,
  ...seasonErrors,
  ...categoryErrors,
  ...poolErrors,
});

/** Pools to look at, to begin and to name; below are their maps and their way to publication. */
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

  await app.register(poolMapRoutes, { pools });
  await app.register(poolWorkflowRoutes, { pools });
};
