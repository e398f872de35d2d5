import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commonErrors } from '../errors.ts';

/** A strong entity tag over the bytes of an answer (RFC 9110, 8.8.3). */
export const etagOf = (body: string | Uint8Array): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;

const listed = (header: string, tag: string): boolean =>
  header === tag ||
  header.trim() === '*' ||
  header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);

/** Whether `If-None-Match` names this tag: the answer is then 304 (RFC 9110, 13.1.2: weak comparison). */
export const isUnchanged = ({ headers }: Pick<IncomingMessage, 'headers'>, tag: string): boolean =>
  headers['if-none-match'] !== undefined && listed(headers['if-none-match'], tag);

/**
 * Refuses a write that was made against an older state: `If-Match` must name a current tag
 * (RFC 9110, 13.1.1). No header, no check. A weak one will do, where the standard would refuse it: a proxy that
 * compresses makes every tag weak, and staff behind one could change nothing. Ours name a state, not its bytes.
 * @param currentTags of the thing's answers: several where it can be read in several ways
 * @throws STALE (412)
 */
export function requireMatch(ifMatch: string | undefined, ...currentTags: readonly string[]): void {
  if (ifMatch !== undefined && !currentTags.some((tag) => listed(ifMatch, tag))) throw commonErrors.STALE();
}

/** `onSend` hook of cacheable reads: tags a successful answer and turns it into 304 where it is known. */
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
  return null;
}
