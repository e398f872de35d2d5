import { readFileSync } from 'node:fs';
import path from 'node:path';
import { IMMUTABLE, vary } from '../platform/http/cache.ts';
import { takesGzip } from '../platform/http/compression.ts';
import { tagAnswer } from '../platform/http/etag.ts';
import { PAGE_LIMIT } from '../platform/http/limits.ts';
import type { Http } from '../platform/http/server.ts';
import type { Bundle } from './bundle.ts';

/** Files without a hash in the name. */
const A_DAY = 'public, max-age=86400';

/** Serves the bundle under `/assets/`, in names that hold a hash of the content, and the files that browsers and robots look for by name. */
export function serveAssets(http: Http, { files }: Bundle): void {
  for (const [name, { type, bytes, gzip }] of files) {
    http.get(
      `/assets/${name}`,
      { config: { limit: PAGE_LIMIT }, schema: { hide: true } },
      async (request, reply) => {
        vary(reply.type(type), 'Accept-Encoding').header('cache-control', IMMUTABLE);
        if (!takesGzip(request.headers['accept-encoding'])) return bytes;
        reply.header('content-encoding', 'gzip');
        return gzip;
      },
    );
  }
  for (const [name, type] of Object.entries(STATIC)) {
    const body = readFileSync(path.join(import.meta.dirname, 'static', name));
    http.get(
      `/${name}`,
      { config: { limit: PAGE_LIMIT }, schema: { hide: true }, onSend: tagAnswer },
      async (_request, reply) => reply.type(type).header('cache-control', A_DAY).send(body),
    );
  }
}

const STATIC = {
  'favicon.svg': 'image/svg+xml',
  'robots.txt': 'text/plain; charset=utf-8',
  'preview.png': 'image/png',
};
