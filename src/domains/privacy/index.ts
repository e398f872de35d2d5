import type { Http } from '../../platform/http/server.ts';
import type { ErasureOptions } from './erasure.ts';
import { privacyRoutes } from './routes.ts';
import { createService } from './service.ts';

/** Opens the domain. */
export const createPrivacy = (options: ErasureOptions) => {
  const privacy = createService(options);
  return { ...privacy, routes: (http: Http) => http.register(privacyRoutes, { privacy }) };
};
