import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { IMMUTABLE, publicAnswer } from '../../platform/http/cache.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { answerWhole } from '../../platform/http/files.ts';
import { PAGE_LIMIT } from '../../platform/http/limits.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { mapErrors } from './errors.ts';
import { attachment } from './playlist.ts';
import {
  coverPicture,
  hashParams,
  lookedUpMap,
  lookupQuery,
  mapHashes,
  playlist,
  redirectToFile,
} from './schemas.ts';
import type { Maps } from './service.ts';

const refusals = refusalsOf(mapErrors);

/** The address of a published hash does not change. */
const DOWNLOAD_SECONDS = 3600;

export const mapRoutes: FastifyPluginAsyncZod<{ maps: Maps }> = async (app, { maps }) => {
  app.get('/maps/hashes', {
    config: { reads: ['Pool', 'PoolMap'] },
    schema: {
      operationId: 'listMapHashes',
      summary: 'List the hashes of all playable maps',
      description: 'Hashes of all maps in published pools: what a game has to have installed.',
      response: { 200: mapHashes },
    },
    handler: () => maps.hashes(),
  });

  for (const [path, operationId] of [
    ['/maps/playlist', 'getPlaylist'],
    ['/maps/playlist.bplist', 'getPlaylistFile'],
  ] as const) {
    app.get(path, {
      config: { reads: ['Season', 'Pool', 'PoolMap', 'MapCategory'] },
      schema: {
        operationId,
        sends: ['Content-Disposition'],
        summary: 'Download the playlist of the season',
        description:
          'The published pools of the running season; between seasons those of the last one. ' +
          'Both addresses answer the same.',
        response: { 200: playlist, ...refusals('PLAYLIST_NOT_AVAILABLE') },
      },
      handler: async (_request, reply) => {
        const file = await maps.playlist();
        reply.validUntil = file.validUntil;
        reply.header('content-disposition', attachment(file.fileName));
        return file.playlist;
      },
    });
  }

  app.get('/maps/lookup', {
    schema: {
      operationId: 'lookUpMap',
      summary: 'Look up a map at the map host',
      description:
        'The upload that a pool would take for this key, with all its difficulties: the one that is published now, or was ' +
        'within the last minute. A hash finds the map that has or had it; the published upload may be another one.',
      querystring: lookupQuery,
      response: {
        200: lookedUpMap,
        ...refusals('VALIDATION_FAILED', 'MAP_NOT_FOUND', 'UPSTREAM_UNAVAILABLE'),
      },
    },
    handler: (request) => maps.lookUp(request.query),
  });

  await app.register(fileRoutes, { maps });
};

/** The files of one map: its picture, and the map itself. */
const fileRoutes: FastifyPluginAsyncZod<{ maps: Maps }> = async (app, { maps }) => {
  app.get('/maps/:hash/cover', {
    config: { limit: PAGE_LIMIT, isOneForAll: true },
    schema: {
      operationId: 'getMapCover',
      produces: ['image/jpeg', 'image/png', 'image/webp'],
      sends: ['ETag', 'Cache-Control'],
      summary: 'Get the picture of a map',
      description:
        'The map is in a pool that is or was published; staff also see maps of any pool, and maps that were looked up ' +
        'within the last hour. The picture is fetched from the map host a moment after the map was added or looked up.',
      params: hashParams,
      response: { 200: coverPicture, ...refusals('VALIDATION_FAILED', 'MAP_NOT_FOUND', 'COVER_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { isPublic, ...file } = await maps.covers.read(request.params.hash, request.principal);
      const cacheControl = isPublic ? IMMUTABLE : 'private, no-store';
      return answerWhole(request, reply, { ...file, cacheControl });
    },
  });

  app.get('/maps/download/:hash', {
    schema: {
      operationId: 'downloadMap',
      sends: ['Location', 'ETag', 'Cache-Control'],
      summary: 'Download a map',
      description:
        'Redirects to the file of exactly this hash, for maps of pools that are or were published. ' +
        'The map host is not asked.',
      params: hashParams,
      response: {
        302: redirectToFile,
        ...refusals('VALIDATION_FAILED', 'MAP_NOT_FOUND'),
      },
    },
    handler: async (request, reply) => {
      const location = await maps.downloadUrlOf(request.params.hash);
      // The tag is not compared with `If-None-Match`: 304 cannot stand for a redirect (RFC 9110, 13.2.1).
      return publicAnswer(reply, DOWNLOAD_SECONDS).header('etag', etagOf(location)).redirect(location, 302);
    },
  });
};
