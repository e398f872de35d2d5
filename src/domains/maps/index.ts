import type { Http } from '../../platform/http/server.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { mapRoutes } from './routes.ts';
import { createService, type MapsOptions } from './service.ts';

export { mapErrors } from './errors.ts';
export { attachment } from './playlist.ts';
export { isMapHostAway } from './resolver.ts';
export { chooseDifficulty, isHash } from './rules.ts';
export { characteristic, difficulty, hostKey, mapHash, mapKey, playlist, shownHash } from './schemas.ts';

export type { Maps, MapsOptions } from './service.ts';
export { expireFailedChecks, expireKeys, expireQuestions, expireVersions } from './store.ts';

/** Opens the domain. */
export const createMaps = (options: Omit<MapsOptions, 'onAsked'> & { metrics: Metrics }) => {
  const { metrics } = options;
  const maps = createService({
    ...options,
    onAsked: metrics.times(
      'map_host_request_duration_seconds',
      'Requests to the map host',
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    ),
  });
  metrics.gauge('map_host_waiting', 'Requests waiting for a turn to ask the map host', maps.waitingForHost);
  metrics.gauge('map_host_unavailable', 'Whether requests to the map host are stopped: 1 or 0', () =>
    Number(maps.hostStatus() !== null),
  );
  return { ...maps, routes: (http: Http) => http.register(mapRoutes, { maps }) };
};
