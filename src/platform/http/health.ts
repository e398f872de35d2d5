import { z } from 'zod';
import { type Clock, isoTime } from '../clock.ts';
import { within } from '../within.ts';
import { refusalsOf } from './refusals.ts';
import { isoInstant } from './schemas.ts';
import type { Http } from './server.ts';

export interface HealthOptions {
  clock: Clock;
  /** By name. A check that throws has failed. */
  checks: Record<string, () => Promise<CheckResult>>;
}

/** A request with more than one `Host` header is refused, as everywhere. */
const refusals = refusalsOf({});

const CHECK_TIMEOUT_MS = 2000;

const checkResult = z
  .object({
    ok: z.boolean(),
    message: z.string().nullable().describe('For operators; null: nothing is wrong'),
  })
  .meta({ id: 'ReadinessCheck' });
/**
 * The result of a readiness check. With `ok` and a message, which holds no secrets and addresses, the part works, but an
 * operator should look at it.
 */
type CheckResult = z.output<typeof checkResult>;

const readiness = z
  .object({
    ok: z.boolean(),
    time: isoInstant,
    checks: z.record(z.string(), checkResult).describe('The dependencies of the service, by name'),
  })
  .meta({ id: 'Readiness' });

async function runCheck(check: () => Promise<CheckResult>): Promise<CheckResult> {
  const failed = { ok: false, message: 'failed' };
  const result = await within(CHECK_TIMEOUT_MS, check()).catch(() => failed);
  return result === 'too long' ? { ok: false, message: 'does not answer' } : result;
}

/** Liveness, which answers also while dependencies are down, and readiness, which names the dependencies that are down. */
export async function healthRoutes(app: Http, { clock, checks }: HealthOptions): Promise<void> {
  app.get(
    '/health',
    {
      config: { limit: 'none' },
      schema: {
        tags: ['Service'],
        operationId: 'getHealth',
        sends: ['Cache-Control'],
        summary: 'Whether the process is alive',
        response: {
          200: z.object({ ok: z.literal(true), time: isoInstant }).meta({ id: 'Health' }),
          ...refusals('VALIDATION_FAILED'),
        },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return { ok: true as const, time: isoTime(clock.now()) };
    },
  );

  app.get(
    '/health/ready',
    {
      config: { limit: 'none' },
      schema: {
        tags: ['Service'],
        operationId: 'getReadiness',
        sends: ['Cache-Control'],
        summary: 'Whether requests should be sent here; 503 names the failing check',
        response: { 200: readiness, 503: readiness, ...refusals('VALIDATION_FAILED') },
      },
    },
    async (_request, reply) => {
      const results = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => [name, await runCheck(check)] as const),
      );
      const ok = results.every(([, result]) => result.ok);
      reply.header('cache-control', 'no-store').code(ok ? 200 : 503);
      return { ok, time: isoTime(clock.now()), checks: Object.fromEntries(results) };
    },
  );
}
