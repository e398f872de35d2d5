import { createHash, timingSafeEqual } from 'node:crypto';
import { commonErrors } from '../errors.ts';
import type { Metrics } from '../metrics.ts';
import { noStore } from './cache.ts';
import type { Http } from './server.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Counts responses and refusals, and serves the metrics to callers with the token. For all others, and when no token is
 * configured, the response is 404. Must be called before the routes are registered, so that their counts begin at 0.
 */
export function serveMetrics(app: Http, { metrics, token }: { metrics: Metrics; token: string | undefined }) {
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') metrics.route(one, url);
  });
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
