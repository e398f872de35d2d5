import type { FastifyReply, FastifyRequest } from 'fastify';

/** How long anybody may go on using a public answer before asking again (with `If-None-Match`). */
const PUBLIC_SECONDS = 30;
export const PUBLIC = `public, max-age=${PUBLIC_SECONDS}`;

/** Marks an answer that is the same for everybody, for so long. */
export const publicAnswer = (reply: FastifyReply, seconds = PUBLIC_SECONDS): FastifyReply =>
  reply.header('cache-control', `public, max-age=${seconds}`);

/** Marks an answer of a route that shows staff more than others: this one is what everybody sees. */
export function publicAnswerUnlessStaff(reply: FastifyReply): FastifyReply {
  const vary = reply.getHeader('vary');
  return publicAnswer(reply).header('vary', [vary, 'Authorization', 'Cookie'].filter(Boolean).join(', '));
}

/** `onRequest` hook: nothing is kept anywhere unless the route says that it is public. */
export async function noStore(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cache-control', 'no-store');
}
