import { attachment, playlist } from '../maps/index.ts';
import { refusals } from './refusals.ts';
import { coverImage, poolCategoryParams, poolParams } from './schemas.ts';
import type { PoolRoutes } from './service.ts';

const TABLES = ['Season', 'Pool', 'PoolMap', 'MapCategory'] as const;

/** Playlists of pools that are or were published, and their covers. */
export const poolPlaylistRoutes: PoolRoutes = async (app, { pools }) => {
  app.get('/pools/:poolGuid/playlist.bplist', {
    config: { reads: TABLES },
    schema: {
      operationId: 'getPlaylistOfPool',
      sends: ['Content-Disposition'],
      summary: 'Download the playlist of a pool',
      description: 'For pools that are or were published.',
      params: poolParams,
      response: { 200: playlist, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const file = await pools.playlist(request.params.poolGuid);
      reply.header('content-disposition', attachment(file.fileName));
      return file.playlist;
    },
  });

  app.get('/pools/:poolGuid/categories/:categoryGuid/playlist.bplist', {
    config: { reads: TABLES },
    schema: {
      operationId: 'getPlaylistOfPoolCategory',
      sends: ['Content-Disposition'],
      summary: 'Download the playlist of one category of a pool',
      description: 'For pools that are or were published. A list of its own, with a title of its own.',
      params: poolCategoryParams,
      response: { 200: playlist, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND', 'CATEGORY_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { poolGuid, categoryGuid } = request.params;
      const file = await pools.categoryPlaylist(poolGuid, categoryGuid);
      reply.header('content-disposition', attachment(file.fileName));
      return file.playlist;
    },
  });

  app.get('/pools/:poolGuid/cover.png', {
    config: { reads: TABLES },
    schema: {
      operationId: 'getCoverOfPool',
      summary: 'Download the cover of a pool',
      description:
        'The picture in its playlist: 256 × 256, made of its identity and the colours of its categories.',
      produces: ['image/png'],
      params: poolParams,
      response: { 200: coverImage, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const png = await pools.cover(request.params.poolGuid);
      reply.type('image/png');
      return png;
    },
  });
};
