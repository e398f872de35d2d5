import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commonErrors } from '../errors.ts';
import type { ByteRange } from '../storage/file-store.ts';
import { isUnchanged, noBody } from './etag.ts';

/** A file to respond with. */
export interface Download {
  /** A strong entity tag. */
  tag: string;
  /** Bytes. */
  size: number;
  /** Headers of a response with the file, and of a 304. */
  headers: Record<string, string>;
  /** Its bytes, all of them or a part. */
  read(range?: ByteRange): Promise<Uint8Array | Readable>;
}

/**
 * Responds with a file or a range of it (RFC 9110, 13 and 14): 200, 206 for one range, 304 when the client has it already.
 * @throws RANGE_NOT_SATISFIABLE
 */
export async function answerFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, size, headers, read }: Download,
): Promise<FastifyReply> {
  const about = { ...headers, etag: tag, 'accept-ranges': 'bytes' };
  if (isUnchanged(request, tag)) return reply.code(304).headers(about).send(noBody(request));
  const range = rangeOf(request, tag, size);
  const length = range === null ? size : range.end - range.start + 1;
  const bytes = await read(range ?? undefined);
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  reply.headers({ ...about, 'content-type': 'application/octet-stream', 'content-length': length });
  return sendBody(request, reply, bytes);
}

/** Sends a body. Of a stream nothing is read for HEAD: the framework would read it to its end, and leaves a destroyed one alone. */
export function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Uint8Array | Readable,
): FastifyReply {
  if (request.method === 'HEAD' && body instanceof Readable) body.destroy();
  return reply.send(body);
}

/** Responds with a small file as a whole: 200, or 304 when the client has it already. */
export function answerWhole(
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, type, bytes, cacheControl }: { tag: string; type: string; bytes: Buffer; cacheControl: string },
): FastifyReply {
  reply.headers({ etag: tag, 'cache-control': cacheControl });
  return isUnchanged(request, tag) ? reply.code(304).send(noBody(request)) : reply.type(type).send(bytes);
}

/**
 * The range that a request asks for. Null means the whole file: for HEAD, for several ranges at once, for an unknown form
 * of range, and when `If-Range` names another version.
 * @throws RANGE_NOT_SATISFIABLE
 */
function rangeOf({ method, headers }: FastifyRequest, tag: string, size: number): ByteRange | null {
  const asked = /^bytes *= *(\d*) *- *(\d*) *$/i.exec(headers.range ?? '');
  const ifRange = headers['if-range'];
  if (method !== 'GET' || asked === null || (ifRange !== undefined && ifRange !== tag)) return null;
  const [, first = '', last = ''] = asked;
  if (first === '' && last === '') return null;
  // Without a first byte it is the number of bytes at the end.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  if (start > end)
    throw commonErrors.RANGE_NOT_SATISFIABLE({ headers: { 'content-range': `bytes */${size}` } });
  return { start, end };
}
