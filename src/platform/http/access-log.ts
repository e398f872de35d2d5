import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Of reads that everybody may make and that went well, one in so many has a line, and one in this time. */
const LOGGED_OF = 100;
const LOGGED_EVERY_MS = 100;

/** @returns asked of each such read at a time of `performance.now()`: how many a line stands for; 0: it has none */
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

/** What the log says of a request. Not its query: there a login carries its code and its state. */
export const describeRequest = ({ method, url, ip }: Pick<FastifyRequest, 'method' | 'url' | 'ip'>) => ({
  method,
  path: url.split('?', 1)[0],
  remoteAddress: ip,
});

/**
 * One line for each answer. Public reads that went well are most of all requests and tell nothing new, so
 * they are sampled, whoever asks; refusals, writes and whatever is not for everybody always have their line.
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
