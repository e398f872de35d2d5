import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commonErrors } from '../errors.ts';
import type { ByteRange } from '../storage/place.ts';
import { isUnchanged } from './etag.ts';

/** A file to answer with. */
export interface Download {
  /** A strong entity tag: with other bytes it is another. */
  tag: string;
  /** Bytes. */
  size: number;
  /** Headers of an answer that has the file, or says that it is unchanged. */
  headers: Record<string, string>;
  /** Its bytes, all of them or a part. */
  read(range?: ByteRange): Promise<Uint8Array | Readable>;
}

/**
 * Answers with a file, as much of it as is asked for (RFC 9110, 13 and 14): 200, 206 for one range, 304 for
 * who has it.
 * @throws RANGE_NOT_SATISFIABLE
 */
export async function answerFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, size, headers, read }: Download,
): Promise<FastifyReply> {
  const about = { ...headers, etag: tag, 'accept-ranges': 'bytes' };
  if (isUnchanged(request, tag)) return reply.code(304).headers(about).send();
  const range = rangeOf(request, tag, size);
  const length = range === null ? size : range.end - range.start + 1;
  const bytes = await read(range ?? undefined);
  if (range !== null) reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  return reply
    .headers({ ...about, 'content-type': 'application/octet-stream', 'content-length': length })
    .send(bytes);
}

/**
 * The one range a request asks for; null when it gets everything: for HEAD, for several ranges at once, for
 * a range in a form we do not know, and when `If-Range` has another version in mind.
 * @throws RANGE_NOT_SATISFIABLE
 */
function rangeOf({ method, headers }: FastifyRequest, tag: string, size: number): ByteRange | null {
  const asked = /^bytes *= *(\d*) *- *(\d*) *$/i.exec(headers.range ?? '');
  const ifRange = headers['if-range'];
  if (method !== 'GET' || asked === null || (ifRange !== undefined && ifRange !== tag)) return null;
  const [, first = '', last = ''] = asked;
  if (first === '' && last === '') return null;
  // Without a first byte it is a number of last ones.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  if (start > end)
    throw commonErrors.RANGE_NOT_SATISFIABLE({ headers: { 'content-range': `bytes */${size}` } });
  return { start, end };
}
