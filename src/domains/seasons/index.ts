import type { Http } from '../../platform/http/server.ts';
import { seasonRoutes } from './routes.ts';
import { createService, type SeasonsOptions } from './service.ts';

export { seasonErrors } from './errors.ts';
export { season } from './schemas.ts';
export { findSeason } from './store.ts';

/** Opens the domain. */
export const createSeasons = (options: SeasonsOptions) => {
  const seasons = createService(options);
  return { ...seasons, routes: (http: Http) => http.register(seasonRoutes, { seasons }) };
};
