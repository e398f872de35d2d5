export { type PoolMap, poolMap } from './schemas.ts';
