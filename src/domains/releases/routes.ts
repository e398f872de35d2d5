import { tagAnswer } from '../../platform/http/etag.ts';
import { errorBody } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { releaseErrors } from './errors.ts';
import { releaseList, releaseParams, serverStatus } from './schemas.ts';
import type { Releases } from './service.ts';

export async function releaseRoutes(app: Http, { releases }: { releases: Releases }): Promise<void> {
  app.get(
    '/server/status',
    {
      schema: {
        tags: ['Service'],
        summary: 'Whether one can play, and with which versions',
        response: { 200: serverStatus },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return releases.status();
    },
  );

  app.get(
    '/plugin-releases',
    {
      onSend: tagAnswer,
      schema: {
        tags: ['Plugin releases'],
        summary: 'The plugin binary of each game version',
        response: { 200: releaseList },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=60');
      return releases.list();
    },
  );

  app.get(
    '/plugin-releases/:gameVersion/download',
    {
      schema: {
        tags: ['Plugin releases'],
        summary: 'The plugin binary for one game version',
        params: releaseParams,
        response: { 404: errorBody },
      },
    },
    async (): Promise<never> => {
      // Nothing can be published yet, so every game version is one without a release.
      throw releaseErrors.RELEASE_NOT_FOUND();
    },
  );
}
