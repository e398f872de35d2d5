import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { newGuid } from '../clock.ts';
import { sampleReads } from './access-log.ts';
import { isUnchanged } from './etag.ts';
import { type PreparedAnswer, prepareAnswer, sendPrepared, takesPrepared } from './prepared.ts';
import { asksAsAnybody, type KeptAnswer, type PublicReads } from './reads.ts';

/**
 * The short way of public reads that are kept: from the parsed head straight to the socket, with the headers
 * and the limits of every other answer. Through the framework such an answer takes 2.7 times the processor time
 * (docs/benchmarks.md, public reads).
 */

export interface QuickOptions {
  logger: FastifyBaseLogger;
  reads: PublicReads;
  /** On every answer. */
  headers: Readonly<Record<string, string>>;
  /** Origins that are answered with more than everybody else. */
  credentialOrigins: readonly string[];
  addressOf(request: IncomingMessage): string;
  /** Counts a request of an address. @returns false when it was one too many */
  admits(address: string): boolean | Promise<boolean>;
  /** Called for each of these responses. @param route as declared */
  onResponse(method: string, route: string, status: number, milliseconds: number): void;
  /** What Node tells clients of the connection. */
  keepAliveMs: number;
  /** Whether answers may be sent as bytes: see prepared.ts. */
  canSendPrepared: boolean;
}

/** An answer with its body, or that it is not changed. */
interface Version {
  status: number;
  /** As Node takes them; all but the request's id. */
  headers: readonly string[];
  body: Buffer;
  /** Null: it is written by Node. */
  prepared: PreparedAnswer | null;
}

interface Versions {
  found: Version;
  unchanged: Version;
}

const NOTHING = Buffer.alloc(0);

/** @returns whether it takes the request; false: nothing has happened to it. */
export function quickAnswers(
  options: QuickOptions,
): (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => boolean {
  const { logger, reads, credentialOrigins, addressOf, admits, onResponse, keepAliveMs } = options;
  const made = new WeakMap<KeptAnswer, Versions>();
  const sample = sampleReads();

  const version = (status: number, headers: readonly string[], body: Buffer): Version => ({
    status,
    headers,
    body,
    prepared: options.canSendPrepared ? prepareAnswer({ status, headers, body, keepAliveMs }) : null,
  });
  const versionsOf = (answer: KeptAnswer): Versions => {
    const known = made.get(answer);
    if (known !== undefined) return known;
    const { 'content-type': type = '', ...kept } = answer.headers;
    const { body } = answer;
    const common = Object.entries({ ...options.headers, ...kept }).flat();
    const withBody = [...common, 'content-type', type, 'content-length', String(body.byteLength)];
    const versions = {
      found: version(200, withBody, body),
      unchanged: version(304, common, NOTHING),
    };
    made.set(answer, versions);
    return versions;
  };

  const send = (request: IncomingMessage, response: ServerResponse, answer: KeptAnswer, address: string) => {
    const startedAt = performance.now();
    const { found, unchanged } = versionsOf(answer);
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
          // What the log makes a line of; it is no request of the framework.
          req: { method, url, ip: address },
          res: { statusCode: status },
          responseTime,
          oneOf,
        },
        'request completed',
      );
  };

  return (request, response, otherwise) => {
    if (!asksAsAnybody(request)) return false;
    const { origin } = request.headers;
    if (origin !== undefined && credentialOrigins.includes(origin)) return false;
    const answer = reads.find(request.url ?? '');
    if (answer === null) return false;
    const address = addressOf(request);
    const isAdmitted = admits(address);
    if (isAdmitted === true) send(request, response, answer, address);
    // Who is over the limit is refused like everybody else who is.
    else if (isAdmitted === false) otherwise();
    else isAdmitted.then((is) => (is ? send(request, response, answer, address) : otherwise()), otherwise);
    return true;
  };
}
