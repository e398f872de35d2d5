export { mapErrors } from './errors.ts';
export { attachment } from './playlist.ts';
export { mapRoutes } from './routes.ts';
export { chooseDifficulty } from './rules.ts';
export { mapHash, mapKey, playlist } from './schemas.ts';
export { createMaps, type Maps, type MapsOptions } from './service.ts';
