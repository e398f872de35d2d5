import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { hasZodFastifySchemaValidationErrors } from '@fastify/type-provider-zod';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { newGuid } from '../clock.ts';
import { unavailable } from '../database/out-of-reach.ts';
import { commonErrors, ServiceError, sentenceOf } from '../errors.ts';
// Sets the messages of validation.
import '../validation.ts';
import { namesHtml, prefersPage } from './accept.ts';
import { vary } from './cache.ts';

const malformed = (message: string) => () => commonErrors.VALIDATION_FAILED({ message });
const notJson = malformed('The body is not valid JSON.');

/** The refusals of Fastify as codes of our catalogue. */
const FRAMEWORK_REFUSALS: Record<string, () => ServiceError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: commonErrors.UNSUPPORTED_MEDIA_TYPE,
  FST_ERR_CTP_BODY_TOO_LARGE: commonErrors.PAYLOAD_TOO_LARGE,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: malformed('The body is not as long as announced.'),
  FST_ERR_CTP_EMPTY_JSON_BODY: malformed('The body is empty; JSON was expected.'),
  FST_ERR_CTP_INVALID_JSON_BODY: notJson,
  FST_ERR_MAX_PARAM_LENGTH: malformed('A part of the address is too long.'),
  FST_ERR_BAD_URL: malformed('The address is not well formed.'),
};

/** The refusals of Node before there is a request, by its code. All others mean that it is not HTTP. */
const UNREAD_REFUSALS: Record<string, () => ServiceError> = {
  HPE_HEADER_OVERFLOW: commonErrors.HEAD_TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: commonErrors.REQUEST_TIMEOUT,
};
const notHttp = malformed('The request is not well-formed HTTP.');

/** Further problems are left out. */
const MOST_FIELDS = 50;

function asServiceError(error: FastifyError | ServiceError): ServiceError {
  if (error instanceof ServiceError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const fields = error.validation.slice(0, MOST_FIELDS).map(({ instancePath, message = '' }) => {
      const path =
        instancePath.replace(/^\//, '').replaceAll('/', '.') || (error.validationContext ?? 'body');
      return { path, message: sentenceOf(path, message) };
    });
    return commonErrors.VALIDATION_FAILED({ message: fields[0]?.message, details: { fields } });
  }
  const framework = FRAMEWORK_REFUSALS[error.code];
  if (framework) return framework();
  // A malformed body is a fault of the client. Every other unknown error is a fault of the service.
  if (error instanceof SyntaxError && error.statusCode === 400) return notJson();
  return unavailable(error) ?? commonErrors.INTERNAL_ERROR({ cause: error });
}

/** Renders a refusal as a page for people, with the headers of a page. */
export type RefusalPage = (
  refusal: ServiceError,
  requestId: string,
  url: string,
) => { headers: Readonly<Record<string, string>>; body: string };

/** The pages of the service, as far as refusals are concerned. */
export interface PageRefusals {
  render: RefusalPage;
  /** Whether an address is one of a page, although no route was found for it, such as one with a part that is too long. */
  owns(url: string): boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** People open this address: a client that prefers a page to JSON gets refusals as a page. */
    refusalPage?: RefusalPage;
    /** A page for people: without HTML in `Accept` there is nothing at this address. */
    isPage?: true;
  }
  interface FastifyRequest {
    /** The code of the refusal, if the request was refused. */
    refusedAs?: string;
  }
}

/** How a refusal is shown to people, if this request is theirs; null: as JSON. */
function pageFor(request: FastifyRequest, refusal: ServiceError, pages: PageRefusals | undefined) {
  const { accept } = request.headers;
  // A request without a route has no configuration.
  const { refusalPage, isPage, isUnseen } = request.routeOptions.config ?? {};
  if (refusalPage !== undefined) return prefersPage(accept) ? refusalPage : null;
  if (pages === undefined || !['GET', 'HEAD'].includes(request.method)) return null;
  const isNowhere = isUnseen || (request.is404 && refusal.code !== 'METHOD_NOT_ALLOWED');
  return (isPage || isNowhere) && namesHtml(accept) ? pages.render : null;
}

/** Renders every refusal over HTTP. An unknown error is logged completely; the client sees only the id of the request. */
export function renderError(
  error: FastifyError | ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
  pages?: PageRefusals,
): FastifyReply {
  const refusal = asServiceError(error);
  request.refusedAs = refusal.code;
  // The pool logs once that the database is out of reach. A refusal without a cause is intended, such as those of a server
  // that stops.
  if (refusal.cause !== undefined && refusal.status >= 500 && refusal.code !== 'SERVICE_UNAVAILABLE')
    request.log.error({ err: refusal.cause, code: refusal.code }, refusal.message);
  else request.log.info({ code: refusal.code }, 'refused');
  reply.code(refusal.status).headers({ ...refusal.headers, 'cache-control': 'no-store' });
  // The rest of a body that came too slowly is not waited for.
  if (refusal.code === 'REQUEST_TIMEOUT') reply.header('connection', 'close');
  const page = pageFor(request, refusal, pages);
  const { refusalPage, isPage } = request.routeOptions.config ?? {};
  if (page || refusalPage || isPage) varyByAccept(reply);
  if (page) {
    const { headers, body } = page(refusal, request.id, request.raw.url ?? '/');
    return reply.headers(headers).type('text/html; charset=utf-8').serializer(String).send(body);
  }
  return reply.type(JSON_TYPE).serializer(JSON.stringify).send(refusalBody(refusal, request.id));
}

/** Tells caches that the answer depends on `Accept`. */
export const varyByAccept = (reply: FastifyReply): FastifyReply => vary(reply, 'Accept');

const JSON_TYPE = 'application/json; charset=utf-8';

/** The body of a refusal. @param requestId only shown with INTERNAL_ERROR */
export const refusalBody = (refusal: ServiceError, requestId?: string) => ({
  error: {
    code: refusal.code,
    message: refusal.message,
    ...(refusal.details && { details: refusal.details }),
    ...(refusal.code === 'INTERNAL_ERROR' && { requestId }),
  },
});

/** Refuses bytes that never became a request, such as a head that is too large, in the form of all refusals. */
export function refuseUnread(
  error: Error & { code?: string },
  socket: Socket,
  headers: Record<string, string>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refuse = UNREAD_REFUSALS[error.code ?? ''] ?? notHttp;
  refuseOn(socket, refuse(), headers);
}

/** Writes a refusal directly to a connection, for which there is no response object, and ends the connection. */
export function refuseOn(socket: Socket, refusal: ServiceError, headers: Record<string, string>): void {
  const requestId = newGuid();
  const body = JSON.stringify(refusalBody(refusal, requestId));
  const head = {
    ...headers,
    ...refusal.headers,
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`);
  socket.destroySoon();
}
