import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { pageQuery } from '../../platform/http/schemas.ts';
import { sendTagged, writeHeaders, writeRequestOf } from '../../platform/http/staff.ts';
import { seasonErrors } from './errors.ts';
import { newSeason, season, seasonChange, seasonPage, seasonParams } from './schemas.ts';
import type { Seasons } from './service.ts';

const refusals = refusalsOf(seasonErrors);

export const seasonRoutes: FastifyPluginAsyncZod<{ seasons: Seasons }> = async (app, { seasons }) => {
  app.get('/seasons', {
    config: { reads: ['Season'] },
    schema: {
      operationId: 'listSeasons',
      summary: 'List seasons',
      description: 'All seasons, the latest first.',
      querystring: pageQuery,
      response: { 200: seasonPage, ...refusals('VALIDATION_FAILED') },
    },
    handler: (request) => seasons.list(request.query),
  });

  app.get('/seasons/:seasonGuid', {
    config: { reads: ['Season'] },
    schema: {
      operationId: 'getSeason',
      summary: 'Read a season',
      description: 'Its `ETag` is what `If-Match` of a change is compared with.',
      params: seasonParams,
      response: { 200: season, ...refusals('VALIDATION_FAILED', 'SEASON_NOT_FOUND') },
    },
    handler: async (request, reply) => sendTagged(reply, await seasons.get(request.params.seasonGuid)),
  });

  app.post('/seasons', {
    schema: {
      operationId: 'createSeason',
      summary: 'Create a season',
      description: 'Seasons are half-open and do not overlap: one may start when another ends.',
      body: newSeason,
      response: { 201: season, ...refusals('VALIDATION_FAILED', 'SEASON_OVERLAP') },
    },
    handler: (request) => seasons.create(writeRequestOf(request), request.body),
  });

  app.patch('/seasons/:seasonGuid', {
    schema: {
      operationId: 'updateSeason',
      summary: 'Change a season',
      description: 'Members left out stay as they are. Queues of a season drain when it ends.',
      params: seasonParams,
      headers: writeHeaders,
      body: seasonChange,
      response: {
        200: season,
        ...refusals('VALIDATION_FAILED', 'SEASON_NOT_FOUND', 'SEASON_OVERLAP', 'STALE'),
      },
    },
    handler: (request) => seasons.update(writeRequestOf(request), request.params.seasonGuid, request.body),
  });
};
