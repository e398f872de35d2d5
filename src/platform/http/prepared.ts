import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { BOUNDS } from '../limits.ts';
import { inOwnMemory } from '../own-memory.ts';
import { leaveUnread, markHeadSent } from './undocumented.ts';

/**
 * Responses that are rendered once and then sent as bytes. For each request only the time and the id of the request are
 * written into them. Without this a response of 9 KB takes 37 % more of the service's processor and a 304 takes 35 % more
 * (docs/benchmarks.md, public reads). Node has no way to send a rendered head, so this uses undocumented members. The
 * service tests at its start whether that works.
 */

/** A response as bytes. */
type PreparedAnswer = ReturnType<typeof prepareAnswer>;

interface AnswerToPrepare {
  status: number;
  /** Names and values in turn, without those that are added here: id, time and connection. */
  headers: readonly string[];
  body: Buffer;
}

/** Larger bodies are shared, because copies for slow clients would take too much memory. */
const MOST_TOGETHER = 32 * 1024;

/** The bytes that {@link prepareAnswer} copies of a body. */
export const copiedBytes = ({ byteLength }: Buffer): number => (byteLength <= MOST_TOGETHER ? byteLength : 0);

const ID = '\r\nx-request-id: ';
const DATE = '\r\nDate: ';
/** Has the length of every id. */
const SOME_ID = '0'.repeat(36);
const dateOf = (second: number): string => new Date(second * 1000).toUTCString();

/** The bytes that Node sends for a response, without a connection. */
function sentBy(answer: (response: ServerResponse) => void): { response: ServerResponse; bytes: Buffer } {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  }) as Socket;
  const request = new IncomingMessage(sink);
  Object.assign(request, { method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 });
  const response = new ServerResponse(request);
  response.assignSocket(sink);
  answer(response);
  return { response, bytes: Buffer.concat(chunks) };
}

/** Renders a response with Node itself, which checks names and values. */
export function prepareAnswer({ status, headers, body }: AnswerToPrepare) {
  const isTogether = body.byteLength <= MOST_TOGETHER;
  const { bytes } = sentBy((response) => {
    response.writeHead(status, STATUS_CODES[status], [
      ...headers,
      'x-request-id',
      SOME_ID,
      'Date',
      dateOf(0),
      'Connection',
      'keep-alive',
      'Keep-Alive',
      `timeout=${BOUNDS.keepAlive.value / 1000}`,
    ]);
    response.end(isTogether ? body : '');
  });
  return {
    status,
    /** The head, and the body if it is small. All requests share it, but not while it is being sent. */
    start: inOwnMemory(bytes),
    /** The body if it is large, shared by all requests. */
    rest: isTogether ? null : body,
    idAt: bytes.indexOf(ID) + ID.length,
    dateAt: bytes.indexOf(DATE) + DATE.length,
    /** The time in the head, seconds since 1970. */
    second: 0,
  };
}

/**
 * Whether a prepared response can be sent: for GET over HTTP/1.1, on a connection that stays open and has no other bytes to
 * send.
 */
export const takesPrepared = (request: IncomingMessage, response: ServerResponse): boolean =>
  request.method === 'GET' &&
  request.httpVersion === '1.1' &&
  response.shouldKeepAlive &&
  response.socket !== null &&
  response.writableLength === 0;

/**
 * Sends a prepared response, if {@link takesPrepared} allows it.
 * @param now milliseconds since 1970
 */
export function sendPrepared(
  response: ServerResponse,
  prepared: PreparedAnswer,
  requestId: string,
  now: number,
): void {
  const { start, rest } = prepared;
  const second = Math.floor(now / 1000);
  if (second !== prepared.second) {
    start.write(dateOf(second), prepared.dateAt, 'latin1');
    prepared.second = second;
  }
  start.write(requestId, prepared.idAt, 'latin1');
  response.statusCode = prepared.status;
  leaveUnread(response.req);
  markHeadSent(response);
  if (rest === null) response.end(start);
  else {
    // Both leave with one write.
    response.cork();
    response.write(start);
    response.end(rest);
  }
  // The system has not taken all bytes, so they must not change any more: the next request gets a copy.
  if (response.writableLength > 0) prepared.start = inOwnMemory(start);
}

/** Sends a response in both ways and compares the bytes. @returns whether {@link sendPrepared} works in this Node */
export async function canSendPrepared(): Promise<boolean> {
  const works = async (size: number): Promise<boolean> => {
    const body = Buffer.alloc(size, 'x');
    const headers = ['etag', '"1"', 'content-length', String(size)];
    const prepared = prepareAnswer({ status: 200, headers, body });
    const expected = Buffer.concat([prepared.start, prepared.rest ?? Buffer.alloc(0)]);
    let finished = false;
    const { response, bytes } = sentBy((response) => {
      response.once('finish', () => (finished = true));
      sendPrepared(response, prepared, SOME_ID, 0);
    });
    await new Promise((resolve) => setImmediate(resolve));
    return bytes.equals(expected) && response.headersSent && response.writableEnded && finished;
  };
  try {
    return (await works(1)) && (await works(MOST_TOGETHER + 1));
  } catch {
    return false;
  }
}
