export { liveErrors } from './errors.ts';
export { liveRoutes } from './routes.ts';
export { createLive, type Live } from './service.ts';
