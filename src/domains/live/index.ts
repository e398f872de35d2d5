import type { Http } from '../../platform/http/server.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { liveRoutes } from './routes.ts';
import { createService, type LiveOptions } from './service.ts';

export { liveErrors } from './errors.ts';

/** Opens the domain. */
export const createLive = (options: Omit<LiveOptions, 'onHandshake'> & { metrics: Metrics }) => {
  const { metrics } = options;
  const live = createService({
    ...options,
    onHandshake: metrics.count(
      'live_handshakes_total',
      'Connections to live plays that were asked for, by outcome',
      'outcome',
      ['ok'],
    ),
  });
  metrics.gauge('live_publishers', 'Plays published on this node', () => live.counts().publishers);
  metrics.gauge('live_spectators', 'Spectators on this node', () => live.counts().spectators);
  metrics.total(
    'live_frames_published_total',
    'Frames that publishers sent to this node',
    () => live.counts().framesPublished,
  );
  metrics.total(
    'live_frames_sent_total',
    'Frames for the spectators of this node, one for each of them',
    () => live.counts().framesSent,
  );
  metrics.total(
    'live_spectators_dropped_total',
    'Spectators who read too slowly and were cut off',
    () => live.counts().spectatorsDropped,
  );
  return { ...live, routes: (http: Http) => http.register(liveRoutes, { live }) };
};
