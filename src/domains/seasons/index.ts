export { seasonErrors } from './errors.ts';
export { seasonRoutes } from './routes.ts';
export { type Season, season } from './schemas.ts';
export { createSeasons, type Seasons } from './service.ts';
export { findSeason } from './store.ts';
