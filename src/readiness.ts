import type { IdentityKeys } from './domains/auth/index.ts';
import type { Maps } from './domains/maps/index.ts';
import type { Database } from './platform/database/database.ts';
import { ping } from './platform/database/statement.ts';
import type { HealthOptions } from './platform/http/health.ts';
import type { ServiceNode } from './platform/node.ts';
import type { Redis } from './platform/redis.ts';
import { isOff, type ServiceClock } from './platform/service-clock.ts';

interface ReadinessOptions {
  database: Database;
  keys: Pick<IdentityKeys, 'status'>;
  redis: Pick<Redis, 'isConnected'> | null;
  maps: Pick<Maps, 'hostStatus'>;
  isStarted(): boolean;
  isDraining(): boolean;
  node(): Pick<ServiceNode, 'confirm'>;
  databaseClock: Pick<ServiceClock, 'machineAheadMs'>;
}

/** A machine whose clock is further off than this is not to be trusted with anything else. */
const CLOCK_UNREADY_MS = 30_000;

/**
 * What `GET /health/ready` looks at. Only what nobody can play without keeps requests away from this node; of
 * everything else it tells who looks.
 */
export function readinessChecks(options: ReadinessOptions): HealthOptions['checks'] {
  const { database, keys, redis, maps, isStarted, isDraining, node, databaseClock } = options;
  return {
    database: async () => {
      await ping(database);
      // Read and written, not long ago.
      await node().confirm();
      return { ok: true, message: null };
    },
    identityProvider: async () => ({
      ok: true,
      message: keys.status().degraded ? 'does not answer; tokens are verified with its last keys' : null,
    }),
    ...(redis && {
      redis: async () => ({
        ok: true,
        message: redis.isConnected() ? null : 'does not answer; this node goes on without it',
      }),
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
