import type { IdentityKeys } from './domains/auth/index.ts';
import type { Maps } from './domains/maps/index.ts';
import type { Database } from './platform/database/database.ts';
import type { HealthOptions } from './platform/http/health.ts';
import type { Redis } from './platform/redis.ts';

interface ReadinessOptions {
  database: Pick<Database, 'pool'>;
  keys: Pick<IdentityKeys, 'status'>;
  redis: Pick<Redis, 'isConnected'> | null;
  maps: Pick<Maps, 'hostStatus'>;
  isDraining(): boolean;
}

/**
 * What `GET /health/ready` looks at. Only what nobody can play without keeps requests away from this node; of
 * everything else it tells who looks.
 */
export function readinessChecks(options: ReadinessOptions): HealthOptions['checks'] {
  const { database, keys, redis, maps, isDraining } = options;
  return {
    database: async () => {
      await database.pool.query('SELECT 1');
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
    mapHost: async () => ({ ok: true, message: maps.hostStatus() }),
    accepting: async () => ({ ok: !isDraining(), message: isDraining() ? 'stopping' : null }),
  };
}
