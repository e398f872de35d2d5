import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { existing } from '../../platform/errors.ts';
import { tagAnswer } from '../../platform/http/etag.ts';
import { answerFile } from '../../platform/http/files.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { pageQuery } from '../../platform/http/schemas.ts';
import { checksumFile } from './binaries.ts';
import { deployRoutes, type ReleaseRoutesOptions } from './deploy-routes.ts';
import { releaseErrors } from './errors.ts';
import {
  binaryFile,
  checksumLine,
  minisignFile,
  releaseHistory,
  releaseList,
  releaseParams,
  serverStatus,
} from './schemas.ts';

/** A release may be replaced at any time, so caches revalidate it each time, which costs a 304. */
const ASK_AGAIN = { 'cache-control': 'public, max-age=0, must-revalidate' };

const attachment = (fileName: string) => `attachment; filename="${fileName}"`;

const refusals = refusalsOf(releaseErrors);

/** The releases, the server status, and below the changes of the build pipeline. */
export const releaseRoutes: FastifyPluginAsyncZod<ReleaseRoutesOptions> = async (app, options) => {
  const { releases } = options;

  app.get('/server/status', {
    schema: {
      tags: ['Service'],
      operationId: 'getServerStatus',
      sends: ['Cache-Control'],
      summary: 'Whether one can play, and with which versions',
      response: { 200: serverStatus },
    },
    handler: async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return releases.status();
    },
  });

  app.get('/plugin-releases', {
    config: { reads: ['PluginRelease'] },
    schema: {
      operationId: 'listPluginReleases',
      summary: 'The plugin binary of each game version',
      response: { 200: releaseList },
    },
    handler: () => releases.list(),
  });

  app.get('/plugin-releases/:gameVersion/history', {
    schema: {
      operationId: 'listFormerPluginReleases',
      summary: 'Everything that was published for a game version',
      description: 'Newest upload first, with when each was served last.',
      params: releaseParams,
      querystring: pageQuery,
      response: { 200: releaseHistory, ...refusals('VALIDATION_FAILED') },
    },
    handler: (request) => releases.history(request.params.gameVersion, request.query),
  });

  await app.register(downloadRoutes, options);
  await app.register(deployRoutes, options);
};

/** The plugin of a game version, its checksum and its signature. */
const downloadRoutes: FastifyPluginAsyncZod<ReleaseRoutesOptions> = async (app, { releases }) => {
  app.get('/plugin-releases/:gameVersion/download', {
    schema: {
      operationId: 'downloadPlugin',
      sends: [
        'Content-Disposition',
        'ETag',
        'Cache-Control',
        'Accept-Ranges',
        'X-Service-Plugin-Version',
        'X-Checksum-SHA256',
      ],
      summary: 'The plugin binary for one game version',
      description:
        'An attachment with `X-Service-Plugin-Version`, `X-Checksum-SHA256` and a strong `ETag`; ranges of bytes, ' +
        '`If-Range` and `If-None-Match` are understood.',
      produces: ['application/octet-stream'],
      params: releaseParams,
      response: {
        200: binaryFile,
        206: binaryFile,
        ...refusals('VALIDATION_FAILED', 'RELEASE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'),
      },
    },
    handler: async (request, reply) => {
      const { release, bytes } = await releases.file(request.params.gameVersion);
      return answerFile(request, reply, {
        tag: `"${release.sha256}"`,
        size: release.size,
        headers: {
          ...ASK_AGAIN,
          'content-disposition': attachment(release.fileName),
          'x-service-plugin-version': release.pluginVersion,
          'x-checksum-sha256': release.sha256,
        },
        read: async (range) => (range ? bytes.subarray(range.start, range.end + 1) : bytes),
      });
    },
  });

  app.get('/plugin-releases/:gameVersion/download.sha256', {
    onSend: tagAnswer,
    schema: {
      operationId: 'downloadPluginChecksum',
      sends: ['Content-Disposition', 'ETag', 'Cache-Control'],
      summary: 'The checksum of that binary, to check by hand',
      description: 'A line as `sha256sum --check` reads it.',
      produces: ['text/plain'],
      params: releaseParams,
      response: { 200: checksumLine, ...refusals('VALIDATION_FAILED', 'RELEASE_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const { sha256, fileName } = await releases.served(request.params.gameVersion);
      reply.headers({ ...ASK_AGAIN, 'content-disposition': attachment(`${fileName}.sha256`) });
      return reply.type('text/plain; charset=utf-8').send(checksumFile(sha256, fileName));
    },
  });

  app.get('/plugin-releases/:gameVersion/download.minisig', {
    onSend: tagAnswer,
    schema: {
      operationId: 'downloadPluginSignature',
      sends: ['Content-Disposition', 'ETag', 'Cache-Control'],
      summary: 'The signature of that binary, when it is signed',
      description: 'An Ed25519 signature in the format of minisign.',
      produces: ['text/plain'],
      params: releaseParams,
      response: {
        200: minisignFile,
        ...refusals('VALIDATION_FAILED', 'RELEASE_NOT_FOUND', 'SIGNATURE_NOT_FOUND'),
      },
    },
    handler: async (request, reply) => {
      const { signature, fileName } = await releases.served(request.params.gameVersion);
      const file = existing(signature, releaseErrors.SIGNATURE_NOT_FOUND);
      reply.headers({ ...ASK_AGAIN, 'content-disposition': attachment(`${fileName}.minisig`) });
      return reply.type('text/plain; charset=utf-8').send(file);
    },
  });
};
