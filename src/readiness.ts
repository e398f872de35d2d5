import type { Maps } from './domains/maps/index.ts';
import { ping } from './platform/database/statement.ts';
import type { HealthOptions } from './platform/http/health.ts';
import { isOff } from './platform/service-clock.ts';
import type { Resources } from './resources.ts';

/** A machine whose clock differs by more than this is not ready. */
const CLOCK_UNREADY_MS = 30_000;

/**
 * The checks of `GET /health/ready`. Only parts that a match needs make this node unready; the message of every other check
 * informs operators.
 */
export function readinessChecks(resources: Resources, maps: Maps): HealthOptions['checks'] {
  const { database, keys, redis, isStarted, isDraining, node, databaseClock } = resources;
  return {
    database: async () => {
      await ping(database);
      // This node is not in service then, but reads go on.
      if (database.isFull()) return { ok: true, message: 'its disk is full; writes are refused' };
      // Waits until this node has read and written the database within the last seconds.
      await node().untilInService();
      return { ok: true, message: null };
    },
    identityProvider: async () => ({
      ok: true,
      message: keys.isDegraded() ? 'does not answer; tokens are verified with its last keys' : null,
    }),
    ...(redis && {
      redis: async () => {
        const problem = redis.problem();
        return { ok: true, message: problem && `${problem}; this node goes on without it` };
      },
    }),
    clock: async () => {
      const aheadMs = databaseClock.machineAheadMs();
      const ok = Math.abs(aheadMs) <= CLOCK_UNREADY_MS;
      return { ok, message: isOff(aheadMs) ? `the clock of this machine is ${aheadMs} ms ahead` : null };
    },
    mapHost: async () => ({ ok: true, message: maps.hostStatus() }),
    accepting: async () => {
      const message = isDraining() ? 'stopping' : isStarted() ? null : 'starting';
      return { ok: message === null, message };
    },
  };
}
