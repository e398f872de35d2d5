import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import { commonErrors, type ServiceError } from '../errors.ts';
import { RATES } from '../limits.ts';
import { addressLimit, type RateLimit, windowLimit } from '../rate-limit.ts';
import type { Redis } from '../redis.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Requests a minute, counted together with other routes of the same name; left out: those of public
     * reads. Counted for each address, or for each `caller`. `refused`: only who is not let in counts, as an
     * address.
     */
    limit?:
      | { name: string; perMinute: number; caller?: (request: FastifyRequest) => string }
      | 'none'
      | 'refused';
  }
}

const MINUTE_MS = 60_000;

export interface LimitOptions {
  /** Multiplies every limit; 0 switches them off. */
  factor: number;
  clock: Clock;
  redis: Redis | null;
}

export interface Limits {
  /** What to answer instead of a refusal, when the request was one too many. */
  oneTooMany(request: FastifyRequest): Promise<ServiceError | null>;
  /** Counts a public read that the framework does not see. @returns false when it was one too many */
  admits(address: string): boolean | Promise<boolean>;
}

type RouteLimit = NonNullable<FastifyContextConfig['limit']>;

/** Not set for an address at which there is no route. */
const limitOf = (request: FastifyRequest) => request.routeOptions.config?.limit;

/** The refusal of one request too many, `waitMs` before the next is counted anew; null when it was none. */
export const refusalAfter = (waitMs: number): ServiceError | null => {
  if (waitMs === 0) return null;
  const seconds = Math.ceil(waitMs / 1000);
  return commonErrors.RATE_LIMITED({
    message: `Too many requests. Try again in ${seconds} s.`,
    headers: { 'retry-after': String(seconds) },
  });
};

/**
 * Counts every request once. Addresses are counted before anything is looked at, so unknown routes and
 * malformed requests count too. Callers of routes with a limit of their own are counted once they are known;
 * who is refused before counts as an address: else credentials could be guessed without end.
 */
export function limitRequests(app: FastifyInstance, options: LimitOptions): Limits {
  const byAddress = addressLimit('reads', RATES.reads, options);
  const byName = new Map<string, RateLimit>();
  const ofRoute = ({ name, perMinute, caller }: Exclude<RouteLimit, string>): RateLimit => {
    let limit = byName.get(name);
    if (limit === undefined) {
      const make = caller ? windowLimit : addressLimit;
      limit = make(name, { most: perMinute, everyMs: MINUTE_MS }, options);
      byName.set(name, limit);
    }
    return limit;
  };

  const counted = new WeakSet<FastifyRequest>();
  /** Counts, and goes on without waiting where nobody else has to be asked. */
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
  // After all hooks of `onRequest`, which say who asks, and before the body is read.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const limit = limitOf(request);
    // Whoever comes this far was let in.
    if (limit === 'refused') counted.add(request);
    if (typeof limit !== 'object') done();
    else count(request, ofRoute(limit), limit.caller?.(request) ?? request.ip, done);
  });
  return {
    oneTooMany: async (request) => {
      if (limitOf(request) === 'none' || counted.has(request)) return null;
      counted.add(request);
      return refusalAfter(await byAddress.take(request.ip));
    },
    admits: (address) => {
      const waitMs = byAddress.take(address);
      return typeof waitMs === 'number' ? waitMs === 0 : waitMs.then((ms) => ms === 0);
    },
  };
}
