import type { FastifyInstance, FastifyRequest } from 'fastify';

/** At most one successful public read in so many has a line in the log, and at most one in this time. */
const LOGGED_OF = 100;
const LOGGED_EVERY_MS = 100;

/** @returns called for each of these reads with the time of `performance.now()`: how many reads a line stands for; 0: no line */
export function sampleReads(): (now: number) => number {
  let since = LOGGED_OF - 1;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (now) => {
    since += 1;
    if (since < LOGGED_OF || now - loggedAt < LOGGED_EVERY_MS) return 0;
    const standsFor = since;
    since = 0;
    loggedAt = now;
    return standsFor;
  };
}

/** The members of a request in the log. The query is left out, because a login carries its code and its state there. */
export const describeRequest = ({ method, url, ip }: Pick<FastifyRequest, 'method' | 'url' | 'ip'>) => ({
  method,
  path: url.split('?', 1)[0],
  remoteAddress: ip,
});

/**
 * Logs one line for each response. Successful public reads are most of the requests and tell nothing new, so they are
 * sampled. Refusals, writes and personal responses always have their line.
 */
export function logAnswers(app: FastifyInstance): void {
  const sample = sampleReads();
  app.addHook('onResponse', (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isSampled = isRead && reply.statusCode < 400 && request.routeOptions.config.isPersonal !== true;
    const oneOf = isSampled ? sample(performance.now()) : 1;
    if (oneOf > 0)
      request.log.info(
        {
          req: request,
          res: { statusCode: reply.statusCode },
          responseTime: reply.elapsedTime,
          ...(request.principal && { playerGuid: request.principal.playerGuid }),
          ...(isSampled && { oneOf }),
        },
        'request completed',
      );
    done();
  });
}
