export { ACCESS, type Access, accessOf, requireGameEvents, securityOf } from './access.ts';
export { createAdmission, type GameSession } from './admission.ts';
export { banRefusal, GAME_TOKEN } from './checks.ts';
export { createDeployGuard } from './deploy-secret.ts';
export { authErrors } from './errors.ts';
export { bearerToken, guard } from './guard.ts';
export { type IdentityKeys, openIdentityKeys } from './keys.ts';
export { authRoutes } from './routes.ts';
export { type Auth, createAuth } from './service.ts';
