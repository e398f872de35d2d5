import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { commonErrors, type ServiceError } from '../errors.ts';
import { RATES, type Rate } from '../limits.ts';
import { addressLimit, type LimitOptions, type RateLimit, windowLimit } from '../rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The rate of requests, counted together with other routes of the same name. Left out: the limit of public reads.
     * `refused`: only requests without valid credentials count, by address.
     */
    limit?: { name: string; rate: Rate } | 'none' | 'refused';
  }
}

/** The limit of pages, of what they load from here, and of the opening of streams of events. */
export const PAGE_LIMIT = { name: 'pages', rate: RATES.pages };

/** A limit of a route's own. */
type RouteLimit = Exclude<NonNullable<FastifyContextConfig['limit']>, string>;

/** The configuration is missing where there is no route. */
const limitOf = (request: FastifyRequest) => request.routeOptions.config?.limit;

/** The caller that a request counts for: the person for a rate of persons or players, otherwise the address. */
const callerOf = ({ principal, ip }: FastifyRequest, { rate }: RouteLimit): string =>
  rate.of === 'address' ? ip : (principal?.playerGuid ?? ip);

/** RATE_LIMITED, `waitMs` before the window ends; null for 0, which is no refusal. */
export const refusalAfter = (waitMs: number): ServiceError | null => {
  if (waitMs === 0) return null;
  const seconds = Math.ceil(waitMs / 1000);
  return commonErrors.RATE_LIMITED({
    message: `Too many requests. Try again in ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  });
};

/**
 * Counts every request once. Requests are counted by address before anything else, so unknown routes and malformed
 * requests count as well. Routes with a limit of their own count callers, when the caller is known. A request that is
 * refused before that counts by address; otherwise credentials could be guessed without limit.
 */
export function limitRequests(app: FastifyInstance, options: LimitOptions) {
  const byAddress = addressLimit('reads', RATES.reads, options);
  const byName = new Map<string, RateLimit>();
  const ofRoute = ({ name, rate }: RouteLimit): RateLimit => {
    let limit = byName.get(name);
    if (limit === undefined) {
      const make = rate.of === 'address' ? addressLimit : windowLimit;
      limit = make(name, rate, options);
      byName.set(name, limit);
    }
    return limit;
  };

  const counted = new WeakSet<FastifyRequest>();
  /** Counts a request. It waits only if Redis has to be asked. */
  const count = (
    request: FastifyRequest,
    limit: RateLimit,
    caller: string,
    done: (refusal?: Error) => void,
  ): void => {
    counted.add(request);
    const answer = (waitMs: number) => done(refusalAfter(waitMs) ?? undefined);
    const waitMs = limit.take(caller);
    if (typeof waitMs === 'number') answer(waitMs);
    else waitMs.then(answer, done);
  };

  app.addHook('onRequest', (request, _reply, done) => {
    if (limitOf(request) !== undefined) done();
    else count(request, byAddress, request.ip, done);
  });
  // After all hooks of `onRequest`, which find the caller, and before the body is read.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const limit = limitOf(request);
    // A request that comes this far has valid credentials.
    if (limit === 'refused') counted.add(request);
    if (typeof limit !== 'object') done();
    else count(request, ofRoute(limit), callerOf(request, limit), done);
  });
  return {
    /** Counts a refused request. @returns RATE_LIMITED when it was one too many: the response instead of the refusal */
    oneTooMany: async (request: FastifyRequest) => {
      if (limitOf(request) === 'none' || counted.has(request)) return null;
      counted.add(request);
      return refusalAfter(await byAddress.take(request.ip));
    },
    /**
     * Counts a public read that the framework does not see, by the limit of its route.
     * @returns false when it was one too many
     */
    admits: (address: string, limit: FastifyContextConfig['limit']) => {
      if (limit === 'none') return true;
      const waitMs = (typeof limit === 'object' ? ofRoute(limit) : byAddress).take(address);
      return typeof waitMs === 'number' ? waitMs === 0 : waitMs.then((ms) => ms === 0);
    },
  };
}
