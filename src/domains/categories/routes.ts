import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { pageQuery } from '../../platform/http/schemas.ts';
import { sendTagged, writeHeaders, writeRequestOf } from '../../platform/http/staff.ts';
import { categoryErrors } from './errors.ts';
import {
  categoryChange,
  categoryPage,
  categoryParams,
  deletedCategory,
  mapCategory,
  newCategory,
} from './schemas.ts';
import type { Categories } from './service.ts';

const refusals = refusalsOf(categoryErrors);

type CategoryRoutes = FastifyPluginAsyncZod<{ categories: Categories }>;

export const categoryRoutes: CategoryRoutes = async (app, { categories }) => {
  await app.register(writeRoutes, { categories });

  app.get('/map-categories', {
    config: { reads: ['MapCategory'] },
    schema: {
      operationId: 'listMapCategories',
      summary: 'List map categories',
      description: 'All map categories, by position, then by name.',
      querystring: pageQuery,
      response: { 200: categoryPage, ...refusals('VALIDATION_FAILED') },
    },
    handler: (request) => categories.list(request.query),
  });

  app.get('/map-categories/:categoryGuid', {
    config: { reads: ['MapCategory'] },
    schema: {
      operationId: 'getMapCategory',
      summary: 'Read a map category',
      description: 'Its `ETag` is what `If-Match` of a change is compared with.',
      params: categoryParams,
      response: { 200: mapCategory, ...refusals('VALIDATION_FAILED', 'CATEGORY_NOT_FOUND') },
    },
    handler: async (request, reply) => sendTagged(reply, await categories.get(request.params.categoryGuid)),
  });
};

const writeRoutes: CategoryRoutes = async (app, { categories }) => {
  app.post('/map-categories', {
    schema: {
      operationId: 'createMapCategory',
      summary: 'Create a map category',
      description: 'Names are unique.',
      body: newCategory,
      response: { 201: mapCategory, ...refusals('VALIDATION_FAILED', 'CONFLICT') },
    },
    handler: (request) => categories.create(writeRequestOf(request), request.body),
  });

  app.patch('/map-categories/:categoryGuid', {
    schema: {
      operationId: 'updateMapCategory',
      summary: 'Change a map category',
      description: 'Members left out stay as they are. Published pools show the change too.',
      params: categoryParams,
      headers: writeHeaders,
      body: categoryChange,
      response: {
        200: mapCategory,
        ...refusals('VALIDATION_FAILED', 'CATEGORY_NOT_FOUND', 'CONFLICT', 'STALE'),
      },
    },
    handler: (request) =>
      categories.update(writeRequestOf(request), request.params.categoryGuid, request.body),
  });

  app.delete('/map-categories/:categoryGuid', {
    schema: {
      operationId: 'deleteMapCategory',
      summary: 'Delete a map category',
      description: 'Only while no map of any pool is in it.',
      params: categoryParams,
      headers: writeHeaders,
      response: {
        204: deletedCategory,
        ...refusals('VALIDATION_FAILED', 'CATEGORY_NOT_FOUND', 'CATEGORY_IN_USE', 'STALE'),
      },
    },
    handler: (request) => categories.delete(writeRequestOf(request), request.params.categoryGuid),
  });
};
