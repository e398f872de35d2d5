export { releaseErrors } from './errors.ts';
export { releaseRoutes } from './routes.ts';
export { createReleases } from './service.ts';
