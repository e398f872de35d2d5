import type { Http } from '../../platform/http/server.ts';
import { privacyRoutes } from './routes.ts';
import { createService, type PrivacyOptions } from './service.ts';

/** Opens the domain. */
export const createPrivacy = (options: PrivacyOptions) => {
  const privacy = createService(options);
  return { ...privacy, routes: (http: Http) => http.register(privacyRoutes, { privacy }) };
};
