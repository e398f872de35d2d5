import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { vary } from './cache.ts';
import { etagOf } from './etag.ts';

const zip = promisify(gzip);

/** Whether `Accept-Encoding` names gzip, and not with the weight 0 (RFC 9110, 12.5.3). */
export const takesGzip = (accepted: string | undefined): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted ?? '');

/** Smaller ones travel in one packet as they are. */
const LEAST_BYTES = 1024;

/** The compressed answers, by the tags of the plain ones. */
const done = new Map<string, Promise<Buffer>>();

/**
 * Compresses answers that change with a deployment only, each once: the compressed bytes stay in memory. For an `onSend`
 * hook, before the one that makes the entity tag: each form has a tag of its own.
 */
export async function compress(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const type = String(reply.getHeader('content-type'));
  const isText = /^text\/|json|javascript|svg/.test(type);
  // A 304 has the `Vary` of its 200, and no type (RFC 9110, 15.4.5).
  const isUnchanged = reply.statusCode === 304;
  if (!isUnchanged && !(reply.statusCode === 200 && isText)) return payload;
  vary(reply, 'Accept-Encoding');
  if (isUnchanged || !takesGzip(request.headers['accept-encoding'])) return payload;
  if (request.method === 'HEAD' && payload instanceof Readable) {
    // A file is not read for HEAD: its length compressed is not known.
    reply.removeHeader('content-length');
    return payload;
  }
  const plain = payload instanceof Readable ? await buffer(payload) : payload;
  if (typeof plain !== 'string' && !Buffer.isBuffer(plain)) return plain;
  if (Buffer.byteLength(plain) < LEAST_BYTES) return plain;
  const key = etagOf(plain);
  const zipped = done.get(key) ?? zip(plain, { level: 9 });
  done.set(key, zipped);
  reply.header('content-encoding', 'gzip').removeHeader('content-length');
  return zipped;
}
