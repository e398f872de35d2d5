import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A strong entity tag over the bytes of a response (RFC 9110, 8.8.3). */
export const etagOf = (body: string | Uint8Array): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;

/** The entity tags that a header names. */
export const tagsIn = (header: string): string[] => header.split(',').map((one) => one.trim());

/** Whether `If-None-Match` names this tag, so that the response is 304 (RFC 9110, 13.1.2: weak comparison). */
export const isUnchanged = ({ headers }: Pick<IncomingMessage, 'headers'>, tag: string): boolean => {
  const known = headers['if-none-match'];
  return known !== undefined && tagsIn(known).some((one) => one === '*' || one.replace(/^W\//, '') === tag);
};

/**
 * The body of a 304. To HEAD it is an empty stream: the framework would fail with null, and state the length 0 with undefined,
 * which is not the one of the 200 (RFC 9110, 8.6).
 */
export const noBody = ({ method }: Pick<FastifyRequest, 'method'>): Readable | undefined =>
  method === 'HEAD' ? Readable.from([]) : undefined;

/** `onSend` hook of cacheable reads: tags a successful response, and makes it a 304 if the client has it already. */
export async function tagAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode !== 200 || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return payload;
  const tag = reply.getHeader('etag') ?? etagOf(payload);
  reply.header('etag', tag);
  if (!isUnchanged(request, String(tag))) return payload;
  reply.code(304).removeHeader('content-length').removeHeader('content-type');
  return noBody(request) ?? null;
}
