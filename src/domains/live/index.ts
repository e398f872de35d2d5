export { liveErrors } from './errors.ts';
export { liveRoutes } from './routes.ts';
export { createLive } from './service.ts';
