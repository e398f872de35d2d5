import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { commonErrors } from '../errors.ts';
import { BOUNDS } from '../limits.ts';

/** Uploads are raw bytes: `application/octet-stream`, read as they arrive and never held as a whole. */

/** A client that goes on sending after it was refused is listened to this long, so that it hears the refusal. */
const DISCARD_MS = 30_000;

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
  });
  // Asked to close, Node would do so right after the answer, which is lost when more of the body arrives then.
  scope.addHook('onSend', async ({ raw }, reply) => {
    if (!raw.complete) reply.raw.shouldKeepAlive = true;
  });
  scope.addHook('onResponse', async ({ raw }) => discardRest(raw));
}

/** What is left of a body that nobody wants: to end the connection at once would lose the answer. */
function discardRest(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  const timer = setTimeout(() => raw.destroy(), DISCARD_MS);
  for (const event of ['end', 'close']) raw.once(event, () => clearTimeout(timer));
  raw.resume();
}

export interface UploadOptions {
  maxBytes: number;
  /** How long nothing may come; left out: what the table of limits says. */
  idleMs?: number;
}

/**
 * The body of an upload, as it arrives.
 * @throws PAYLOAD_TOO_LARGE as soon as that is known, REQUEST_TIMEOUT when nothing comes any more,
 *   VALIDATION_FAILED when it ends before its announced end
 */
export async function* uploadOf(
  request: FastifyRequest,
  { maxBytes, idleMs = BOUNDS.uploadSilence.value }: UploadOptions,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  // Not destroyed with its reader: that would close the connection before the refusal is on its way.
  const chunks = request.raw.iterator({ destroyOnReturn: false });
  let received = 0;
  try {
    for (;;) {
      const next = await inTime(chunks.next(), idleMs);
      if (next.done) break;
      const chunk: Uint8Array = next.value;
      received += chunk.length;
      if (received > maxBytes) throw tooLarge(maxBytes);
      yield chunk;
    }
  } finally {
    // Not waited for: a read that timed out is still going on.
    chunks.return?.().catch(() => {});
  }
  requireClient(request);
}

/**
 * Refuses to go on for a client that is gone, or whose connection turned out to be no HTTP: who sends more
 * than was announced has sent something else than it meant.
 * @throws VALIDATION_FAILED
 */
export function requireClient({ raw }: FastifyRequest): void {
  if (!raw.complete || !raw.socket.writable) throw cutOff();
}

const tooLarge = (maxBytes: number) =>
  commonErrors.PAYLOAD_TOO_LARGE({ message: `This is larger than ${maxBytes / 1024 / 1024} MiB.` });

const cutOff = (cause?: unknown) =>
  commonErrors.VALIDATION_FAILED({ message: 'The body is not as long as announced.', cause });

async function inTime<T>(arriving: Promise<T>, idleMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(commonErrors.REQUEST_TIMEOUT()), idleMs);
  });
  try {
    return await Promise.race([
      arriving.catch((cause: unknown) => {
        throw cutOff(cause);
      }),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
