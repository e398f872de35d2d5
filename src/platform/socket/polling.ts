import { type IncomingMessage, ServerResponse } from 'node:http';
import { newGuid } from '../clock.ts';
import { commonErrors, type ServiceError } from '../errors.ts';
import { refusalBody, refuseOn } from '../http/errors.ts';
import { HEADERS, hostProblem } from '../http/server.ts';

/**
 * Requests of the socket channel never reach the HTTP server's own hooks: what is the same for every answer is
 * added here, and what Engine.IO refuses in its own words is said in ours.
 */

const METHODS = { allow: 'GET, POST' };

/** What nobody serves, whatever else is in the request; null: Engine.IO judges the rest. */
function refusalOf(request: IncomingMessage): ServiceError | null {
  const message = hostProblem(request);
  if (message !== null) return commonErrors.VALIDATION_FAILED({ message });
  if (request.method !== 'GET' && request.method !== 'POST')
    return commonErrors.METHOD_NOT_ALLOWED({ headers: METHODS });
  // An answer as a script could be read by pages of any site.
  if (new URLSearchParams(request.url?.split('?')[1]).has('j'))
    return commonErrors.VALIDATION_FAILED({ message: 'There is no JSONP here; leave j out.' });
  return null;
}

/** The reason Engine.IO gives in a body of its own form; often there is none. */
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

/** @param forbidden the refusal of a connection that is not for this caller, with status 403 */
export function pollingAnswers(forbidden: (about: { message?: string | undefined }) => ServiceError) {
  const inOurWords = (status: number, message: string | undefined): ServiceError => {
    if (status === 403) return forbidden({ message });
    if (status === 413) return commonErrors.PAYLOAD_TOO_LARGE();
    return commonErrors.VALIDATION_FAILED({ message });
  };

  /** Engine.IO writes the head of a refusal first, then its body or nothing. */
  const translateRefusals = (response: ServerResponse): void => {
    const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
    response.writeHead = (status: number, ...rest: unknown[]) => {
      Object.assign(response, { writeHead });
      if (status < 400) return writeHead(status, ...rest);
      const { end } = response;
      response.end = (body?: unknown) => {
        response.end = end;
        refuse(response, inOurWords(status, reasonIn(body)));
        return response;
      };
      return response;
    };
  };

  /** As middleware of Engine.IO, behind its CORS. */
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
