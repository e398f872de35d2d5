export { createCookies } from './cookies.ts';
export { sessionErrors } from './errors.ts';
export { openProvider } from './provider.ts';
export { sessionRoutes } from './routes.ts';
export { routePathOf } from './rules.ts';
export { createSessions } from './service.ts';
export { signInBar } from './sign-in.ts';
