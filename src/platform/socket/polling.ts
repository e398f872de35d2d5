import { type IncomingMessage, ServerResponse } from 'node:http';
import { newGuid } from '../clock.ts';
import { commonErrors, type ServiceError } from '../errors.ts';
import { refusalBody, refuseOn } from '../http/errors.ts';
import { HEADERS } from '../http/headers.ts';
import { hostProblem } from '../http/server.ts';

const METHODS = { allow: 'GET, POST' };

/** The refusal of a request that is never served; null: Engine.IO decides. */
function refusalOf(request: IncomingMessage): ServiceError | null {
  const message = hostProblem(request);
  if (message !== null) return commonErrors.VALIDATION_FAILED({ message });
  if (request.method !== 'GET' && request.method !== 'POST')
    return commonErrors.METHOD_NOT_ALLOWED({ headers: METHODS });
  // Pages of any site could read a JSONP answer.
  if (new URLSearchParams(request.url?.split('?')[1]).has('j'))
    return commonErrors.VALIDATION_FAILED({ message: 'There is no JSONP here; leave j out.' });
  return null;
}

/** The message in a refusal of Engine.IO, if it has one. */
function reasonIn(body: unknown): string | undefined {
  try {
    const { message } = JSON.parse(String(body)) as { message?: unknown };
    return typeof message === 'string' ? `${message}.` : undefined;
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, refusal: ServiceError): void {
  const body = JSON.stringify(refusalBody(refusal));
  response.writeHead(refusal.status, {
    ...refusal.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/**
 * Middleware of Engine.IO, behind its CORS. Its requests do not pass the hooks of the HTTP server, so it adds the
 * headers of every answer and turns refusals of Engine.IO into the error body of this service.
 * @param forbidden the refusal with status 403
 */
export function pollingAnswers(forbidden: (about: { message?: string }) => ServiceError) {
  const refusalFor = (status: number, message: string | undefined): ServiceError => {
    if (status === 403) return forbidden({ message });
    if (status === 413) return commonErrors.PAYLOAD_TOO_LARGE();
    return commonErrors.VALIDATION_FAILED({ message });
  };

  /** Engine.IO writes the head of a refusal first, then a body or none. */
  const translateRefusals = (response: ServerResponse): void => {
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
    response.writeHead = (status: number, ...rest: unknown[]) => {
      Object.assign(response, { writeHead });
      if (status < 400) return writeHead(status, ...rest);
      const { end } = response;
      response.end = (body?: unknown) => {
        response.end = end;
        refuse(response, refusalFor(status, reasonIn(body)));
        return response;
      };
      return response;
    };
  };

  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const isUpgrade = !(response instanceof ServerResponse);
    const refusal = refusalOf(request);
    if (isUpgrade && refusal !== null) {
      refuseOn(request.socket, refusal, HEADERS);
      return;
    }
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    response.setHeader('cache-control', 'no-store');
    response.setHeader('x-request-id', newGuid());
    if (isUpgrade) next();
    else if (request.method === 'OPTIONS') response.writeHead(204, METHODS).end();
    else if (refusal !== null) refuse(response, refusal);
    else {
      translateRefusals(response);
      next();
    }
  };
}
