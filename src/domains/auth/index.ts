import type { Http } from '../../platform/http/server.ts';
import { authRoutes } from './routes.ts';
import { type AuthOptions, createService } from './service.ts';

export { ACCESS, type Access, accessOf, isStaffOnly, showAccess } from './access.ts';
export { createAdmission, type GameSession } from './admission.ts';
export { banRefusalOf, hasExpired, keepPerson } from './checks.ts';
export { createDeployGuard } from './deploy-secret.ts';
export { authErrors } from './errors.ts';
export { bearerToken, guard, overHttp, type RequirePlugin, refuseOthersPage } from './guard.ts';
export { type InspectedCheck, inspectToken } from './inspection.ts';
export { candidatesOf } from './key-document.ts';
export { fetchKeyDocument, type IdentityKeys, openIdentityKeys } from './keys.ts';
export type { Auth } from './service.ts';
export { expirePlatformIdRefusals, PLATFORM_ID_REFUSAL_MS } from './store.ts';

/** Opens the domain. */
export const createAuth = (options: AuthOptions) => ({
  ...createService(options),
  routes: (http: Http) => http.register(authRoutes),
});
