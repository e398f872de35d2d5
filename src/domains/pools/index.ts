import type { Http } from '../../platform/http/server.ts';
import { poolRoutes } from './routes.ts';
import { createService, type PoolsOptions } from './service.ts';

export { createMapChecks } from './checks.ts';
export { poolErrors } from './errors.ts';
export { loadPoolMaps, staleMapsOf } from './maps-store.ts';
export { type PoolMap, poolMap } from './schemas.ts';
export { findPool, isPublic, sharePool } from './store.ts';

/** Opens the domain. */
export const createPools = (options: PoolsOptions) => {
  const pools = createService(options);
  return { ...pools, routes: (http: Http) => http.register(poolRoutes, { pools }) };
};
