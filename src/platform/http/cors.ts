import type { FastifyCorsOptionsDelegateCallback } from '@fastify/cors';

/** What everybody's pages may read of an answer (the website's may read more with the login cookie). */
export const EXPOSED = [
  'ETag',
  'X-Request-Id',
  'Retry-After',
  'X-Service-Plugin-Version',
  'X-Checksum-SHA256',
  'Content-Disposition',
  'Accept-Ranges',
  'Content-Range',
];

/** What pages may send with a request. */
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Range',
  'X-Service-Plugin-Version',
];

/** Public reads are for everybody; only the website's own origins may add the login cookie. */
export const corsRules =
  (credentialOrigins: readonly string[]): FastifyCorsOptionsDelegateCallback =>
  (request, done) => {
    const origin = request.headers.origin;
    const known = origin !== undefined && credentialOrigins.includes(origin);
    // A preflight is answered for what it asks about.
    const asked = request.method === 'OPTIONS' ? request.headers['access-control-request-method'] : undefined;
    const isRead = ['GET', 'HEAD'].includes(asked || request.method);
    const { isPersonal, isWithoutPreflight } = request.routeOptions.config ?? {};
    done(null, {
      origin: known ? origin : isRead && isPersonal !== true ? '*' : false,
      credentials: known,
      // Any other OPTIONS asks which methods there are. Where nothing is implemented, nothing is promised.
      preflight: origin !== undefined && asked !== undefined && !isWithoutPreflight,
      methods: known ? ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] : ['GET', 'HEAD'],
      allowedHeaders: ALLOWED,
      exposedHeaders: EXPOSED,
      maxAge: 600,
    });
  };
