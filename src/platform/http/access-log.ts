import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Of reads that everybody may make and that went well, one in so many has a line. */
export const LOGGED_OF = 100;

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
  let publicReads = 0;
  app.addHook('onResponse', (request, reply, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isSampled = isRead && reply.statusCode < 400 && request.routeOptions.config.isPersonal !== true;
    if (!isSampled || publicReads++ % LOGGED_OF === 0)
      request.log.info(
        {
          req: request,
          res: { statusCode: reply.statusCode },
          responseTime: reply.elapsedTime,
          ...(request.principal && { playerGuid: request.principal.playerGuid }),
          ...(isSampled && { oneOf: LOGGED_OF }),
        },
        'request completed',
      );
    done();
  });
}
