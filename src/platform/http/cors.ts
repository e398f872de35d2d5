import type { FastifyCorsOptionsDelegateCallback } from '@fastify/cors';

/** The headers that pages of every origin may read. */
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

/** The headers that pages may send. */
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Range',
  'X-Player-Guid',
  'X-Service-Plugin-Version',
];

/** Pages of every origin may make public reads. Only the origins of the website may send the login cookie. */
export const corsRules =
  (credentialOrigins: readonly string[]): FastifyCorsOptionsDelegateCallback =>
  (request, done) => {
    const origin = request.headers.origin;
    const known = origin !== undefined && credentialOrigins.includes(origin);
    // A preflight names the method of the request that follows.
    const asked = request.method === 'OPTIONS' ? request.headers['access-control-request-method'] : undefined;
    const isRead = ['GET', 'HEAD'].includes(asked || request.method);
    const { isPersonal, isWithoutPreflight } = request.routeOptions.config ?? {};
    done(null, {
      origin: known ? origin : isRead && isPersonal !== true ? '*' : false,
      credentials: known,
      // Any other OPTIONS request asks for the methods of an address.
      preflight: origin !== undefined && asked !== undefined && !isWithoutPreflight,
      methods: known ? ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] : ['GET', 'HEAD'],
      allowedHeaders: ALLOWED,
      exposedHeaders: EXPOSED,
      maxAge: 600,
    });
  };
