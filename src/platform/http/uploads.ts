import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { commonErrors } from '../errors.ts';
import { BOUNDS } from '../limits.ts';
import { cutOff, type Incoming, isWhole, readBody } from './incoming.ts';
import type { PaceOptions } from './pace.ts';

/** Uploads are raw bytes: `application/octet-stream`, read as they arrive and never held as a whole. */

/** A client that goes on sending after it was refused is listened to this long, so that it hears the refusal. */
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
    // Without a body nobody looked at the type.
    if (!/^application\/octet-stream *(;|$)/i.test(headers['content-type'] ?? ''))
      throw commonErrors.UNSUPPORTED_MEDIA_TYPE();
    // Taken for the whole, a part would be published (RFC 9110, 14.5).
    if (headers['content-range'] !== undefined)
      throw commonErrors.VALIDATION_FAILED({
        message: 'A file is sent whole, not in parts: no Content-Range.',
      });
  });
  // Asked to close, Node would do so right after the answer, which is lost when more of the body arrives then.
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

/** What is left of a body that nobody wants: to end the connection at once would lose the answer. */
function discardRest(raw: IncomingMessage, onEnd: () => void): void {
  if (raw.destroyed) return;
  const timer = setTimeout(() => raw.destroy(), DISCARD_MS);
  raw.once('end', onEnd);
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer));
  raw.resume();
}

export interface UploadOptions extends Partial<PaceOptions> {
  maxBytes: number;
}

/**
 * The body of an upload, as it arrives: held to the least rate that the table of limits says, unless another one
 * is given.
 * @throws PAYLOAD_TOO_LARGE as soon as that is known, REQUEST_TIMEOUT when nothing comes any more or too slowly,
 *   VALIDATION_FAILED when it ends before its announced end
 */
export const uploadOf = (request: FastifyRequest, options: UploadOptions): Incoming =>
  readBody(request.raw, {
    allowanceMs: BOUNDS.uploadAllowance.value,
    mostMs: BOUNDS.uploadSilence.value,
    bytesPerSecond: BOUNDS.uploadRate.value,
    ...options,
  });

/**
 * A body in pieces, each in memory of its own, for whoever keeps or passes them on.
 * @param least how many bytes are waited for; left out: as many as a piece has
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

/** Refuses to go on for a client that is gone. @throws VALIDATION_FAILED */
export function requireClient({ raw }: FastifyRequest): void {
  if (!isWhole(raw)) throw cutOff();
}
