export { createMapChecks } from './checks.ts';
export { poolErrors } from './errors.ts';
export { poolRoutes } from './routes.ts';
export { type PoolMap, poolMap } from './schemas.ts';
export { createPools } from './service.ts';
export { holdPool, loadPoolMaps, type StoredPool } from './store.ts';
