import { z } from 'zod';
import { type Clock, isoTime } from '../clock.ts';
import { isoInstant } from './schemas.ts';
import type { Http } from './server.ts';

/** What a readiness check found. A degraded part works on for now, but somebody should look. */
export interface CheckResult {
  ok: boolean;
  /** What an operator should know; null when there is nothing to say. Never a secret, never an address. */
  message: string | null;
}

export interface HealthOptions {
  clock: Clock;
  /** By name; one that throws has failed. */
  checks: Record<string, () => Promise<CheckResult>>;
}

const CHECK_TIMEOUT_MS = 2000;

const checkResult = z.object({ ok: z.boolean(), message: z.string().nullable() });
const readiness = z.object({ ok: z.boolean(), time: isoInstant, checks: z.record(z.string(), checkResult) });

async function runCheck(check: () => Promise<CheckResult>): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, message: 'does not answer' }), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return { ok: false, message: 'failed' };
  } finally {
    clearTimeout(timer);
  }
}

/** Liveness, which answers even while dependencies are down, and readiness, which names what is down. */
export async function healthRoutes(app: Http, { clock, checks }: HealthOptions): Promise<void> {
  app.get(
    '/health',
    {
      config: { limit: 'none' },
      schema: {
        tags: ['Service'],
        summary: 'Whether the process is alive',
        response: { 200: z.object({ ok: z.literal(true), time: isoInstant }).meta({ id: 'Health' }) },
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
        summary: 'Whether requests should be sent here; 503 names the failing check',
        response: { 200: readiness, 503: readiness },
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
