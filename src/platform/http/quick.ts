import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { newGuid } from '../clock.ts';
import { sampleReads } from './access-log.ts';
import { EXPOSED } from './cors.ts';
import { isUnchanged } from './etag.ts';
import { HEADERS } from './headers.ts';
import { prepareAnswer, sendPrepared, takesPrepared } from './prepared.ts';
import { type CachedResponse, type PublicReads, takesCached } from './reads.ts';

/**
 * Sends cached responses of public reads without the framework, with the headers and limits of every other response.
 * Through the framework such a response takes 2.7 times the processor time (docs/benchmarks.md, public reads).
 */

export interface QuickOptions {
  logger: FastifyBaseLogger;
  reads: PublicReads;
  /** Origins whose responses have more CORS headers. */
  credentialOrigins: readonly string[];
  addressOf(request: IncomingMessage): string;
  /** Counts a request of an address by the limit of its route. @returns false when it was one too many */
  admits(address: string, limit: CachedResponse['limit']): boolean | Promise<boolean>;
  /** Called for each of these responses. @param route as declared */
  onResponse(method: string, route: string, status: number, milliseconds: number): void;
  /** Whether responses may be sent as bytes: see prepared.ts. */
  canSendPrepared: boolean;
}

/** Headers of every response. */
const COMMON_HEADERS = {
  ...HEADERS,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED.join(', '),
};

/** @returns handles a request and returns true, or returns false and leaves it untouched */
export function quickAnswers(
  options: QuickOptions,
): (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => boolean {
  const { logger, reads, credentialOrigins, addressOf, admits, onResponse } = options;
  const sample = sampleReads();

  /** @param headers in the form of Node, without the id of the request */
  const version = (status: number, headers: readonly string[], body: Buffer) => ({
    status,
    headers,
    body,
    /** Null: Node renders the response. */
    prepared: options.canSendPrepared ? prepareAnswer({ status, headers, body }) : null,
  });
  /** A response with its body, and as a 304. */
  const makeVersions = ({ headers, body }: CachedResponse) => {
    const { 'content-type': type = '', ...others } = headers;
    const common = Object.entries({ ...COMMON_HEADERS, ...others }).flat();
    const withBody = [...common, 'content-type', type, 'content-length', String(body.byteLength)];
    return { found: version(200, withBody, body), unchanged: version(304, common, Buffer.alloc(0)) };
  };
  const made = new WeakMap<CachedResponse, ReturnType<typeof makeVersions>>();

  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    answer: CachedResponse,
    address: string,
  ) => {
    const startedAt = performance.now();
    let versions = made.get(answer);
    if (versions === undefined) {
      versions = makeVersions(answer);
      made.set(answer, versions);
    }
    const { found, unchanged } = versions;
    const version = isUnchanged(request, answer.etag) ? unchanged : found;
    const { status, prepared } = version;
    const requestId = newGuid();
    if (prepared !== null && takesPrepared(request, response))
      sendPrepared(response, prepared, requestId, Date.now());
    else {
      response.writeHead(status, STATUS_CODES[status], [...version.headers, 'x-request-id', requestId]);
      if (version === unchanged || request.method === 'HEAD') response.end();
      else response.end(version.body);
    }
    const now = performance.now();
    const responseTime = now - startedAt;
    const { method = '', url = '' } = request;
    onResponse(method, answer.route, status, responseTime);
    const oneOf = sample(now);
    if (oneOf > 0)
      logger.info(
        {
          reqId: requestId,
          // The members that the log reads; it is no request of the framework.
          req: { method, url, ip: address },
          res: { statusCode: status },
          responseTime,
          oneOf,
        },
        'request completed',
      );
  };

  return (request, response, otherwise) => {
    const { origin } = request.headers;
    if (origin !== undefined && credentialOrigins.includes(origin)) return false;
    const answer = reads.find(request.url ?? '');
    if (answer === null || !takesCached(request, answer)) return false;
    const address = addressOf(request);
    const isAdmitted = admits(address, answer.limit);
    if (isAdmitted === true) send(request, response, answer, address);
    // The framework refuses requests over the limit.
    else if (isAdmitted === false) otherwise();
    else isAdmitted.then((is) => (is ? send(request, response, answer, address) : otherwise()), otherwise);
    return true;
  };
}
