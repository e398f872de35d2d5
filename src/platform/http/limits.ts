import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { commonErrors, type ServiceError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests a minute for one caller; left out: {@link PUBLIC_READS_A_MINUTE} for each address. */
    limit?: { perMinute: number; caller?: (request: FastifyRequest) => string } | 'none';
  }
}

const PUBLIC_READS_A_MINUTE = 300;
const MINUTE_MS = 60_000;
/** Callers remembered at once; the ones not seen for longest are forgotten first. */
const MOST_CALLERS = 50_000;

/** Not set for an address at which there is no route. */
const limitOf = (request: FastifyRequest) => request.routeOptions.config?.limit;

/**
 * Counts every request once. Addresses are counted before anything is looked at, so unknown routes and
 * malformed requests count too. Callers of routes with a limit of their own are counted once they are known;
 * who is refused before counts as an address: else credentials could be guessed without end.
 * @param factor multiplies every limit; 0 switches them off
 * @returns what to answer instead of a refusal, when it was one too many
 */
export async function limitRequests(
  app: FastifyInstance,
  factor: number,
): Promise<(request: FastifyRequest) => Promise<ServiceError | null>> {
  if (factor === 0) return async () => null;
  const most = (perMinute: number): number => Math.max(1, Math.round(perMinute * factor));
  await app.register(rateLimit, { global: false, timeWindow: MINUTE_MS, cache: MOST_CALLERS });
  const byAddress = app.createRateLimit({
    max: most(PUBLIC_READS_A_MINUTE),
    keyGenerator: (request) => request.ip,
  });
  const byCaller = app.createRateLimit({
    max: (request) => {
      const limit = limitOf(request);
      return most(typeof limit === 'object' ? limit.perMinute : PUBLIC_READS_A_MINUTE);
    },
    keyGenerator: (request) => {
      const limit = limitOf(request);
      return typeof limit === 'object'
        ? `${limit.perMinute} ${limit.caller?.(request) ?? request.ip}`
        : request.ip;
    },
  });

  const counted = new WeakSet<FastifyRequest>();
  const count = async (limiter: typeof byAddress, request: FastifyRequest): Promise<ServiceError | null> => {
    counted.add(request);
    const outcome = await limiter(request);
    if (outcome.isAllowed || !outcome.isExceeded) return null;
    const seconds = Math.max(1, outcome.ttlInSeconds);
    return commonErrors.RATE_LIMITED({
      message: `Too many requests. Try again in ${seconds} s.`,
      headers: { 'retry-after': String(seconds) },
    });
  };

  app.addHook('onRequest', async (request) => {
    if (limitOf(request) !== undefined) return;
    const refusal = await count(byAddress, request);
    if (refusal) throw refusal;
  });
  // After all hooks of `onRequest`, which say who asks, and before the body is read.
  app.addHook('preParsing', async (request) => {
    if (typeof limitOf(request) !== 'object') return;
    const refusal = await count(byCaller, request);
    if (refusal) throw refusal;
  });
  return async (request) =>
    limitOf(request) === 'none' || counted.has(request) ? null : count(byAddress, request);
}
