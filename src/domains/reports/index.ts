import type { Http } from '../../platform/http/server.ts';
import { reportRoutes } from './routes.ts';
import { createService, type ReportsOptions } from './service.ts';

export { reportErrors } from './errors.ts';
export { report } from './schemas.ts';
export type { Reports } from './service.ts';
export { expireReports } from './store.ts';

/** Opens the domain. */
export const createReports = (options: ReportsOptions) => {
  const reports = createService(options);
  return { ...reports, routes: (http: Http) => http.register(reportRoutes, { reports }) };
};
