import type { Http } from '../../platform/http/server.ts';
import { standingRoutes } from './routes.ts';
import { createService, type StandingOptions } from './service.ts';

/** Opens the domain. */
export const createStanding = (options: StandingOptions) => {
  const standings = createService(options);
  return { ...standings, routes: (http: Http) => http.register(standingRoutes, { standings }) };
};
