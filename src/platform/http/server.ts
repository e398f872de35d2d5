import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from '@fastify/type-provider-zod';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { Clock } from '../clock.ts';
import { newGuid } from '../clock.ts';
import { commonErrors } from '../errors.ts';
import { renderError } from './errors.ts';

/** Our Fastify: validation, types and documents come from zod schemas. */
export type Http = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  ZodTypeProvider
>;

export interface HttpOptions {
  logger: FastifyBaseLogger;
  clock: Clock;
  /** Hops or addresses of proxies in front; undefined: none, the peer's address is the client's. */
  trustProxy: number | string[] | undefined;
  /** Origins that may send the login cookie. */
  credentialOrigins: readonly string[];
  /** Multiplies every limit; 0 switches them off. */
  rateLimitFactor: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests a minute for one caller; left out: {@link PUBLIC_READS_A_MINUTE} for each address. */
    limit?: { perMinute: number; caller?: (request: FastifyRequest) => string } | 'none';
  }
}

const BODY_LIMIT = 256 * 1024;
const HEAD_LIMIT = 16 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const PUBLIC_READS_A_MINUTE = 300;

/** On every answer, refusals included. One static set: a plugin for them costs a third of the throughput. */
export const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
} as const;

const EXPOSED = [
  'ETag',
  'X-Request-Id',
  'Retry-After',
  'X-Service-Plugin-Version',
  'X-Checksum-SHA256',
  'Content-Disposition',
];

/** A number trusts that many hops, counted from us; a list trusts these addresses and ranges. */
export function trusted(
  proxies: number | string[] | undefined,
): string[] | false | ((address: string, hop: number) => boolean) {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxies ?? false;
}

/** What the log says of a request. Not its query: there a login carries its code and its state. */
const describeRequest = ({ method, url, ip }: FastifyRequest) => ({
  method,
  path: url.split('?', 1)[0],
  remoteAddress: ip,
});

/** The HTTP server with everything that is the same for all routes; knows nothing of the game. */
export async function createHttp(options: HttpOptions): Promise<Http> {
  const app = Fastify({
    loggerInstance: options.logger.child({}, { serializers: { req: describeRequest } }),
    trustProxy: trusted(options.trustProxy),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { maxHeaderSize: HEAD_LIMIT },
    // Identifiers are at most this long; a longer part of an address is refused before it is looked at.
    routerOptions: { maxParamLength: 200 },
    genReqId: () => newGuid(),
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      for (const [name, value] of Object.entries(HEADERS)) reply.header(name, value);
      reply.header('x-request-id', request.id);
      renderError(error, request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(renderError);
  app.removeContentTypeParser('text/plain');
  // Many clients name the type even where they send nothing; a route that needs a body says so itself.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parseJson(request, String(body), done);
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
  });

  await app.register(cors, {
    // Public reads are for everybody; only the website's own origins may add the login cookie.
    delegator: (request, done) => {
      const origin = request.headers.origin;
      const known = origin !== undefined && options.credentialOrigins.includes(origin);
      done(null, {
        origin: known ? origin : request.method === 'GET' || request.method === 'HEAD' ? '*' : false,
        credentials: known,
        methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        allowedHeaders: [
          'Authorization',
          'Content-Type',
          'If-Match',
          'If-None-Match',
          'X-Service-Plugin-Version',
        ],
        exposedHeaders: EXPOSED,
        maxAge: 600,
      });
    },
  });

  if (options.rateLimitFactor > 0) {
    await app.register(rateLimit, {
      global: true,
      timeWindow: 60_000,
      max: (request) => {
        const limit = request.routeOptions.config.limit;
        const perMinute = typeof limit === 'object' ? limit.perMinute : PUBLIC_READS_A_MINUTE;
        return Math.max(1, Math.round(perMinute * options.rateLimitFactor));
      },
      keyGenerator: (request) => {
        const limit = request.routeOptions.config.limit;
        if (typeof limit !== 'object') return `read ${request.ip}`;
        return `${limit.perMinute} ${limit.caller?.(request) ?? request.ip}`;
      },
      allowList: (request) => request.routeOptions.config.limit === 'none',
      hook: 'preHandler',
      addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
      errorResponseBuilder: (_request, context) =>
        commonErrors.RATE_LIMITED({
          message: `Too many requests. Try again in ${Math.ceil(context.ttl / 1000)} s.`,
          headers: { 'retry-after': String(Math.ceil(context.ttl / 1000)) },
        }),
    });
  }

  app.setNotFoundHandler(
    options.rateLimitFactor > 0 ? { preHandler: app.rateLimit() } : {},
    (_request, _reply): never => {
      throw commonErrors.NOT_FOUND();
    },
  );
  return app;
}
