import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { commonErrors } from '../errors.ts';
import { BOUNDS } from '../limits.ts';
import { cutOff, type Incoming, isWhole, readBody, unlessComplete } from './incoming.ts';
import type { RemainingTimeOptions } from './remaining-time.ts';

/** Uploads are raw bytes: `application/octet-stream`, read as they arrive and never held as a whole. */

/** How long the rest of a refused body is read, so that the client receives the refusal. */
const DISCARD_MS = 30_000;
const PIECE_BYTES = 64 * 1024;

/**
 * Makes the routes of this scope take uploads and nothing else: any other type is 415. Register them with
 * `config: { upload: true }` and read the body with {@link uploadOf}.
 */
export function takeUploads(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/octet-stream', (_request, _body, done) => done(null));
  scope.addHook('preValidation', async ({ headers }) => {
    // The framework checks the type only if there is a body.
    if (!/^application\/octet-stream *(;|$)/i.test(headers['content-type'] ?? ''))
      throw commonErrors.UNSUPPORTED_MEDIA_TYPE();
    // A part must not be published as the whole file (RFC 9110, 14.5).
    if (headers['content-range'] !== undefined)
      throw commonErrors.VALIDATION_FAILED({
        message: 'A file is sent whole, not in parts: no Content-Range.',
      });
  });
  // Node would close the connection right after the response, and the response is lost if more of the body arrives then.
  const toClose = new WeakSet<IncomingMessage>();
  scope.addHook('onSend', async ({ raw }, reply) => {
    if (raw.complete || reply.raw.shouldKeepAlive) return;
    reply.raw.shouldKeepAlive = true;
    toClose.add(raw);
  });
  scope.addHook('onResponse', async ({ raw }) => {
    const close = () => {
      if (toClose.has(raw)) raw.socket.end();
    };
    if (raw.complete) close();
    else discardRest(raw, close);
  });
}

/** Reads and discards the rest of a body. If the connection ended at once, the response would be lost. */
function discardRest(raw: IncomingMessage, onEnd: () => void): void {
  if (raw.destroyed) return;
  unlessComplete(raw, DISCARD_MS, () => raw.destroy());
  raw.once('end', onEnd);
  raw.resume();
}

/**
 * The body of an upload, as it arrives, with the least rate of the table of limits unless another one is given.
 * @throws PAYLOAD_TOO_LARGE as soon as that is known, REQUEST_TIMEOUT when nothing comes any more or too slowly,
 *   VALIDATION_FAILED when it ends before its announced end
 */
export const uploadOf = (
  request: FastifyRequest,
  { maxBytes, ...options }: { maxBytes: number } & Partial<RemainingTimeOptions>,
): Incoming =>
  readBody(request.raw, maxBytes, {
    allowanceMs: BOUNDS.uploadAllowance.value,
    mostMs: BOUNDS.uploadSilence.value,
    bytesPerSecond: BOUNDS.uploadRate.value,
    ...options,
  });

/**
 * A body in pieces. Each has memory of its own, so it can be stored or passed on.
 * @param least how many bytes to wait for; left out: a full piece
 */
export async function* piecesOf(body: Incoming, least = PIECE_BYTES): AsyncGenerator<Uint8Array> {
  let block = Buffer.allocUnsafeSlow(PIECE_BYTES);
  try {
    for (;;) {
      const length = await body.fill(block, least);
      if (length === 0) return;
      if (length < PIECE_BYTES) yield Buffer.from(block.subarray(0, length));
      else {
        yield block;
        block = Buffer.allocUnsafeSlow(PIECE_BYTES);
      }
    }
  } finally {
    body.close();
  }
}

/** Stops the work for a client that is gone. @throws VALIDATION_FAILED */
export function requireClient({ raw }: FastifyRequest): void {
  if (!isWhole(raw)) throw cutOff();
}
