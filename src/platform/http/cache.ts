import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long a public response may be used before it is checked again (with `If-None-Match`). */
const PUBLIC_SECONDS = 30;
export const PUBLIC = `public, max-age=${PUBLIC_SECONDS}`;

/** For addresses whose answer never changes. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Marks a response that is the same for everybody and valid for `seconds`. */
export const publicAnswer = (reply: FastifyReply, seconds = PUBLIC_SECONDS): FastifyReply =>
  reply.header('cache-control', `public, max-age=${seconds}`);

/** Adds names of request headers to `Vary`, each once. */
export function vary(reply: FastifyReply, ...names: string[]): FastifyReply {
  const present = String(reply.getHeader('vary') ?? '').split(/, */);
  return reply.header('vary', [...new Set([...present, ...names])].filter(Boolean).join(', '));
}

/** Marks the public response of a route that shows more to staff. */
export const publicAnswerUnlessStaff = (reply: FastifyReply): FastifyReply =>
  vary(publicAnswer(reply), 'Authorization', 'Cookie');

/** `onRequest` hook: nothing is stored in caches unless the route marks its response as public. */
export async function noStore(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cache-control', 'no-store');
}
