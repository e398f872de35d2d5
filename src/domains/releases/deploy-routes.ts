import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import type { onRequestAsyncHookHandler } from 'fastify';
import { commonErrors } from '../../platform/errors.ts';
import { piecesOf, requireClient, takeUploads, uploadOf } from '../../platform/http/uploads.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { pluginRelease, releaseParams, rollback, uploadHeaders, withdrawn } from './schemas.ts';
import type { Releases } from './service.ts';

export interface ReleaseRoutesOptions {
  releases: Releases;
  /** Accepts the build pipeline alone. */
  deployGuard: onRequestAsyncHookHandler;
}

/** Routes of the build pipeline: publish, roll back and withdraw releases. */
export const deployRoutes: FastifyPluginAsyncZod<ReleaseRoutesOptions> = async (app, options) => {
  const { releases, deployGuard } = options;

  app.delete('/internal/plugin-releases/:gameVersion', {
    onRequest: deployGuard,
    schema: { params: releaseParams, response: { 204: withdrawn } },
    handler: (request) => releases.withdraw(request.params.gameVersion),
  });

  app.post('/internal/plugin-releases/:gameVersion/rollback', {
    onRequest: deployGuard,
    schema: { params: releaseParams, body: rollback, response: { 200: pluginRelease } },
    handler: (request) => releases.rollBack(request.params.gameVersion, request.body.pluginVersion),
  });

  // Only here a body is a file.
  await app.register(uploadRoute, options);
};

const uploadRoute: FastifyPluginAsyncZod<ReleaseRoutesOptions> = async (app, { releases, deployGuard }) => {
  takeUploads(app);
  app.put('/internal/plugin-releases/:gameVersion', {
    onRequest: deployGuard,
    config: { upload: true },
    schema: { params: releaseParams, headers: uploadHeaders, response: { 201: pluginRelease } },
    handler: async (request) => {
      const { params, headers } = request;
      if ((headers['content-encoding'] ?? 'identity') !== 'identity')
        throw commonErrors.UNSUPPORTED_MEDIA_TYPE({ message: 'Send the file itself, not compressed.' });
      return releases.publish({
        gameVersion: params.gameVersion,
        pluginVersion: headers['x-service-plugin-version'],
        contentDisposition: headers['content-disposition'],
        sha256: headers['x-checksum-sha256'],
        signature: headers['x-signature-minisign'],
        body: piecesOf(uploadOf(request, { maxBytes: BOUNDS.release.value })),
        requireClient: () => requireClient(request),
      });
    },
  });
};
