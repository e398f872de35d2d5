export { seasonErrors } from './errors.ts';
export { seasonRoutes } from './routes.ts';
export { season } from './schemas.ts';
export { createSeasons } from './service.ts';
export { findSeason } from './store.ts';
