export { poolErrors } from './errors.ts';
export { poolRoutes } from './routes.ts';
export { type Pool, type PoolMap, poolMap } from './schemas.ts';
export { createPools, type Pools } from './service.ts';
export { findPool, holdPool, loadPoolMaps, type StoredPool } from './store.ts';
