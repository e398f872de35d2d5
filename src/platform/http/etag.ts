import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commonErrors } from '../errors.ts';

/** A strong entity tag over the bytes of a response (RFC 9110, 8.8.3). */
export const etagOf = (body: string | Uint8Array): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;

const tagsIn = (header: string): string[] => header.split(',').map((one) => one.trim());

/** Whether `If-None-Match` names this tag, so that the response is 304 (RFC 9110, 13.1.2: weak comparison). */
export const isUnchanged = ({ headers }: Pick<IncomingMessage, 'headers'>, tag: string): boolean => {
  const known = headers['if-none-match'];
  if (known === undefined || known === tag) return known === tag;
  return tagsIn(known).some((one) => one === '*' || one.replace(/^W\//, '') === tag);
};

/**
 * Refuses a write that was made against an older state: `If-Match` must name a current tag
 * (RFC 9110, 13.1.1: strong comparison). Without the header nothing is checked. A weak tag never matches, so a proxy must
 * not weaken the tags of responses to staff (docs/operations.md).
 * @param currentTags of the responses that show this state: several where it can be read in several ways
 * @throws STALE (412)
 */
export function requireMatch(ifMatch: string | undefined, ...currentTags: readonly string[]): void {
  if (ifMatch === undefined) return;
  const made = tagsIn(ifMatch);
  if (!made.includes('*') && !currentTags.some((tag) => made.includes(tag))) throw commonErrors.STALE();
}

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
  return null;
}
