import { createHash, timingSafeEqual } from 'node:crypto';
import { commonErrors } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { noStore } from './cache.ts';
import type { Http } from './server.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Notes how long every answer took and what was refused, and serves the numbers to whoever has the token. Without one, and for
 * everybody else, there is nothing here: who may not see them need not know of them.
 */
export function serveMetrics(app: Http, { metrics, token }: { metrics: Metrics; token: string | undefined }) {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.request(request.method, route, reply.statusCode, reply.elapsedTime);
    if (request.refusedAs !== undefined) metrics.refusal(request.method, route, request.refusedAs);
    done();
  });
  const expected = digest(`Bearer ${token}`);
  app.get(
    '/metrics',
    { config: { isUnseen: true }, onRequest: noStore, schema: { hide: true } },
    async (request, reply) => {
      const given = digest(request.headers.authorization ?? '');
      if (token === undefined || !timingSafeEqual(given, expected)) throw commonErrors.NOT_FOUND();
      return reply.type(metrics.contentType).send(await metrics.text());
    },
  );
}
