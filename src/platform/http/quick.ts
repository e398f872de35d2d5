import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { newGuid } from '../clock.ts';
import { LOGGED_OF } from './access-log.ts';
import { isUnchanged } from './etag.ts';
import { asksAsAnybody, type KeptAnswer, type PublicReads } from './reads.ts';

/**
 * The short way of public reads that are kept: from the parsed head straight to the socket, with the headers
 * and the limits of every other answer. The framework with its hooks takes most of the time of such an answer.
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
  /** Told of every answer. @param route as declared */
  onAnswered(method: string, route: string, status: number, milliseconds: number): void;
}

/** An answer as Node takes it; the heads but for the request's id. */
interface Prepared {
  found: readonly string[];
  unchanged: readonly string[];
  /** A text of one character for each byte is written together with the head, a buffer after it. */
  body: string | Buffer;
}

/** Beyond this, copying a body next to its head costs more than writing it by itself. */
const MOST_TOGETHER = 32 * 1024;

/** @returns whether it takes the request; false: nothing has happened to it. */
export function quickAnswers(
  options: QuickOptions,
): (request: IncomingMessage, response: ServerResponse, otherwise: () => void) => boolean {
  const { logger, reads, credentialOrigins, addressOf, admits } = options;
  const prepared = new WeakMap<KeptAnswer, Prepared>();
  let served = 0;

  const prepare = (answer: KeptAnswer): Prepared => {
    const known = prepared.get(answer);
    if (known !== undefined) return known;
    const { 'content-type': type = '', ...kept } = answer.headers;
    const unchanged = Object.entries({ ...options.headers, ...kept }).flat();
    const made = {
      unchanged,
      found: [...unchanged, 'content-type', type, 'content-length', String(answer.body.byteLength)],
      body: answer.body.byteLength <= MOST_TOGETHER ? answer.body.toString('latin1') : answer.body,
    };
    prepared.set(answer, made);
    return made;
  };

  const send = (request: IncomingMessage, response: ServerResponse, answer: KeptAnswer, address: string) => {
    const startedAt = performance.now();
    const isKnown = isUnchanged(request, answer.etag);
    const status = isKnown ? 304 : 200;
    const { found, unchanged, body } = prepare(answer);
    const head = isKnown ? unchanged : found;
    const requestId = newGuid();
    response.writeHead(status, STATUS_CODES[status], [...head, 'x-request-id', requestId]);
    if (isKnown || request.method === 'HEAD') response.end();
    else response.end(body, 'latin1');
    const responseTime = performance.now() - startedAt;
    options.onAnswered(request.method ?? '', answer.route, status, responseTime);
    if (served++ % LOGGED_OF === 0)
      logger.info(
        {
          reqId: requestId,
          // What the log makes a line of; it is no request of the framework.
          req: { method: request.method ?? '', url: request.url ?? '', ip: address },
          res: { statusCode: status },
          responseTime,
          oneOf: LOGGED_OF,
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
    // Who is over the limit is refused like everybody else who is.
    const decide = (isAdmitted: boolean) =>
      isAdmitted ? send(request, response, answer, address) : otherwise();
    const isAdmitted = admits(address);
    if (typeof isAdmitted === 'boolean') decide(isAdmitted);
    else isAdmitted.then(decide, otherwise);
    return true;
  };
}
