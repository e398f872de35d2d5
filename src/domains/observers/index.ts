import { createEventStreams } from '../../platform/http/event-streams.ts';
import type { Http } from '../../platform/http/server.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { observerRoutes } from './routes.ts';
import { createService, type ObserversOptions } from './service.ts';

export { observerErrors } from './errors.ts';

/** Opens the domain. */
export const createObservers = (
  options: Omit<ObserversOptions, 'streams' | 'onRefused'> & { http: Http; metrics: Metrics },
) => {
  const { http, metrics } = options;
  const observers = createService({
    ...options,
    streams: createEventStreams(http),
    onRefused: metrics.count(
      'event_streams_refused_total',
      'Streams of events that were refused, by the code of the refusal',
      'code',
    ),
  });
  metrics.gauge('event_streams_open', 'Streams of events that are open on this node', observers.count);
  return { ...observers, routes: (app: Http) => app.register(observerRoutes, { observers }) };
};
