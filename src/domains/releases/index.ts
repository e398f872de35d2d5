import type { Http } from '../../platform/http/server.ts';
import type { ReleaseRoutesOptions } from './deploy-routes.ts';
import { releaseRoutes } from './routes.ts';
import { createService, type ReleasesOptions } from './service.ts';

export { releaseErrors } from './errors.ts';
export { isAccepted, isSameVersion, notAccepted, type PluginVersions, pluginVersionOf } from './rules.ts';

/** Opens the domain. */
export const createReleases = (options: ReleasesOptions & Pick<ReleaseRoutesOptions, 'deployGuard'>) => {
  const releases = createService(options);
  const { deployGuard } = options;
  return { ...releases, routes: (http: Http) => http.register(releaseRoutes, { releases, deployGuard }) };
};
