import { isUtf8 } from 'node:buffer';
import {
  createServer,
  type IncomingMessage,
  METHODS,
  type RequestListener,
  type ServerOptions,
} from 'node:http';
import cors from '@fastify/cors';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from '@fastify/type-provider-zod';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import { addressReader } from '../address.ts';
import { type Clock, newGuid } from '../clock.ts';
import { commonErrors, type ServiceError } from '../errors.ts';
import { BOUNDS } from '../limits.ts';
import type { Redis } from '../redis.ts';
import { describeRequest, logAnswers } from './access-log.ts';
import { finishAnswers, openConnections } from './closing.ts';
import { corsRules } from './cors.ts';
import { readPlainUtf8Only } from './encodings.ts';
import { type PageRefusals, refuseUnread, renderError } from './errors.ts';
import { HEADERS } from './headers.ts';
import { unlessComplete } from './incoming.ts';
import { limitRequests } from './limits.ts';
import { refuseUnrouted } from './methods.ts';
import { canSendPrepared } from './prepared.ts';
import { type QuickOptions, quickAnswers } from './quick.ts';
import { hasBody, type PublicReads } from './reads.ts';
import { giveUpUnread } from './unread.ts';
import { routeUpgrades } from './web-sockets.ts';

/** Our Fastify: validation, types and documents come from zod schemas. */
export type Http = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

interface HttpOptions {
  logger: FastifyBaseLogger;
  clock: Clock;
  /** Hops or addresses of proxies in front; undefined: none, the peer's address is the client's. */
  trustProxy: number | string[] | undefined;
  /** Origins that may send the login cookie. */
  credentialOrigins: readonly string[];
  /** Multiplies every limit; 0 switches them off. */
  rateLimitFactor: number;
  /** Shares the limits between nodes; left out: each node counts by itself. */
  redis?: Redis | null;
  /** The cache of public responses; left out: nothing is cached. */
  reads?: PublicReads;
  /** Called for each cached response, which the hooks of the framework do not see. */
  onQuickResponse?: QuickOptions['onResponse'];
  /** Shows refusals to people; left out: there are no pages. */
  pages?: PageRefusals;
  /** The refusal of an address for which no route can be looked up, such as a malformed one; undefined: the usual one. */
  refusalAt?(url: string): ServiceError | undefined;
  /** How long the head of a request may take, and then its body; left out: the documented time. */
  requestTimeoutMs?: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body has no time limit here; the route requires a least rate. */
    upload?: true;
    /** The route responds to preflights itself. */
    isWithoutPreflight?: true;
    /** The responses are personal: pages of other origins cannot read them. */
    isPersonal?: true;
  }
}

/** How often timeouts are checked. By default Node checks every 30 s, so a request could take a minute. */
const TIMEOUT_CHECK_MS = 2_000;

/** Addresses of WebSockets. The channel handles its own; the others are handled by routes. */
const CHANNEL_PATH = '/socket.io/';
const ROUTED_PATH = '/live/';

const asksFor = ({ url = '' }: IncomingMessage, path: string): boolean => url.startsWith(path);

/**
 * Whether an upgrade of the protocol is accepted. Other upgrades are ignored and the request is handled normally: some
 * clients offer HTTP/2 with every request, and Node closes the connection of an upgrade without a handler.
 */
const isUpgraded = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  request.headers.upgrade?.toLowerCase() === 'websocket' &&
  !hasBody(request) &&
  [CHANNEL_PATH, ROUTED_PATH].some((path) => asksFor(request, path));

/**
 * The problem with the `Host` headers of a request, or null: HTTP/1.1 requires one, and no version allows several (RFC 9112,
 * 3.2). Node only shows the first of several.
 */
export function hostProblem({ httpVersion, rawHeaders }: IncomingMessage): string | null {
  // Names and values by turns.
  const hosts = rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length;
  if (hosts > 1) return 'The request names more than one host.';
  return hosts === 0 && httpVersion === '1.1' ? 'The request does not say its host.' : null;
}

/** JSON and text, both as UTF-8 alone. */
function readBodies(app: Http): void {
  app.removeContentTypeParser('text/plain');
  readPlainUtf8Only(app);
  // Many clients send the type also without a body. A route that needs a body refuses an empty one itself.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    // Without this check each wrong byte would be decoded to U+FFFD, and that would be stored.
    else if (!isUtf8(body)) done(commonErrors.VALIDATION_FAILED({ message: 'The body is not valid UTF-8.' }));
    else parseJson(request, body.toString(), done);
  });
}

/** A route that documents 201 or 204, and not 200, answers with that status. */
function answerAsDocumented(app: Http): void {
  app.addHook('onRoute', (route) => {
    const documented = Object.keys(route.schema?.response ?? {});
    const code = ['200', '201', '204'].find((one) => documented.includes(one)) ?? '200';
    if (code === '200') return;
    route.preHandler = (_request, reply, done) => {
      reply.code(Number(code));
      done();
    };
  });
}

/** Ends requests whose body takes longer, or is not complete soon after the answer. Uploads have times of their own. */
function limitBodyTime(app: Http, requestTimeoutMs: number): void {
  const isLimited = ({ raw, routeOptions }: FastifyRequest) => hasBody(raw) && !routeOptions.config?.upload;
  app.addHook('onRequest', async (request) => {
    const { raw } = request;
    if (!isLimited(request)) return;
    unlessComplete(raw, requestTimeoutMs, () => {
      // The reader of the body gets an error as for a broken connection, and the refusal can still be sent.
      if (raw.listenerCount('error') > 0) raw.emit('error', commonErrors.REQUEST_TIMEOUT());
      // The response was sent without reading the body.
      else raw.destroy();
    });
  });
  app.addHook('onResponse', async (request) => {
    const { raw } = request;
    if (isLimited(request) && !raw.complete) unlessComplete(raw, BOUNDS.refused.value, () => raw.destroy());
  });
}

/** Caches the responses of public reads. @returns sends them without the framework */
async function answerFromCache(
  app: Http,
  reads: PublicReads,
  options: HttpOptions & Pick<QuickOptions, 'addressOf' | 'admits'>,
): Promise<ReturnType<typeof quickAnswers>> {
  const isPrepared = await canSendPrepared();
  if (!isPrepared)
    options.logger.warn('this version of Node does not take prepared responses: public reads cost more');
  app.addHook('onRoute', reads.cache);
  return quickAnswers({
    ...options,
    logger: app.log,
    reads,
    onResponse: options.onQuickResponse ?? (() => undefined),
    canSendPrepared: isPrepared,
  });
}

/** The HTTP server with everything that all routes have in common. It knows nothing of the game. */
export async function createHttp(options: HttpOptions): Promise<Http> {
  const { requestTimeoutMs = BOUNDS.request.value } = options;
  const addressOf = addressReader(options.trustProxy);
  /** Sends cached responses, once the limits are set up. All other requests go to the framework. */
  let quick: ReturnType<typeof quickAnswers> | undefined;
  const app = Fastify({
    loggerInstance: options.logger.child({}, { serializers: { req: describeRequest } }),
    // access-log.ts writes a line for each response.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BOUNDS.body.value,
    // Node limits the time of heads and of whole requests, not of bodies.
    requestTimeout: BOUNDS.upload.value,
    keepAliveTimeout: BOUNDS.keepAlive.value,
    serverFactory: (handler: RequestListener, { http = {}, keepAliveTimeout, requestTimeout }) => {
      const server = createServer(http as ServerOptions, (request, response) => {
        const toFramework = () => handler(request, response);
        if (hostProblem(request) !== null || !quick?.(request, response, toFramework)) toFramework();
      });
      return Object.assign(server, { keepAliveTimeout, requestTimeout });
    },
    http: {
      maxHeaderSize: BOUNDS.head.value,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, requestTimeoutMs),
      shouldUpgradeCallback: isUpgraded,
      // Refused below, because Node would refuse without our headers.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: BOUNDS.parameter.value },
    genReqId: () => newGuid(),
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => refuseUnread(error, socket, HEADERS),
    frameworkErrors: (error, request, reply) => {
      reply.headers(HEADERS).header('x-request-id', request.id);
      const url = request.raw.url ?? '';
      if (options.pages?.owns(url)) renderError(commonErrors.NOT_FOUND(), request, reply, options.pages);
      else renderError(options.refusalAt?.(url) ?? error, request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>();

  logAnswers(app);
  const connections = openConnections(app.server);
  finishAnswers(app, connections);
  giveUpUnread(app, connections);
  // An unknown expectation may be ignored (RFC 9110, 10.1.1). Node would refuse it without our headers.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  // By default the framework uses any forwarded text as the address, also an invalid one.
  app.decorateRequest('ip', {
    getter() {
      return addressOf(this.raw);
    },
  });
  app.decorateReply('validUntil', null);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  // Requests with any method get our responses.
  for (const method of METHODS.filter((one) => !app.supportedMethods.includes(one)))
    app.addHttpMethod(method);
  readBodies(app);
  answerAsDocumented(app);

  routeUpgrades(app, (request) => asksFor(request, ROUTED_PATH));
  limitBodyTime(app, requestTimeoutMs);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    const message = hostProblem(request.raw);
    if (message !== null) throw commonErrors.VALIDATION_FAILED({ message });
  });

  // Set before the first route, because earlier routes would have the handler of the framework.
  app.setErrorHandler<FastifyError>(async (error, request, reply) =>
    renderError((await limits.oneTooMany(request)) ?? error, request, reply, options.pages),
  );
  await app.register(cors, { delegator: corsRules(options.credentialOrigins) });

  const limits = limitRequests(app, {
    factor: options.rateLimitFactor,
    clock: options.clock,
    redis: options.redis ?? null,
  });
  if (options.reads !== undefined)
    quick = await answerFromCache(app, options.reads, { ...options, addressOf, admits: limits.admits });
  // From now on connections are closed after their response, which only the framework does.
  app.addHook('preClose', async () => {
    quick = undefined;
  });
  refuseUnrouted(app);
  // For files that a plugin does not find at its own route.
  app.setNotFoundHandler((): never => {
    throw commonErrors.NOT_FOUND();
  });
  return app;
}
