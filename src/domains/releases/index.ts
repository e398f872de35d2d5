export { releaseErrors } from './errors.ts';
export { releaseRoutes } from './routes.ts';
export { createReleases, type Releases } from './service.ts';
