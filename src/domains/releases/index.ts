export { releaseErrors } from './errors.ts';
export { releaseRoutes } from './routes.ts';
export { isAccepted, isSameVersion, notAccepted, type PluginVersions, pluginVersionOf } from './rules.ts';
export { createReleases } from './service.ts';
