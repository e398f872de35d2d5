import type { Http } from '../../platform/http/server.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { ReplaysOptions } from './options.ts';
import { replayRoutes } from './routes.ts';
import { createService } from './service.ts';

export * from './bsor/index.ts';
export { eraseReplays } from './erasure-store.ts';
export { replayErrors } from './errors.ts';
export { replayUnderReview } from './schemas.ts';
export type { Replays } from './service.ts';
export { notesOf } from './verdict.ts';

/** Opens the domain. */
export const createReplays = (
  options: Omit<ReplaysOptions, 'onPublished'> & { metrics: Pick<Metrics, 'count'> },
) => {
  const onPublished = options.metrics.count(
    'replays_published_total',
    'Replays that were published, by verdict',
    'verdict',
    ['verified', 'mismatch'],
  );
  const replays = createService({ ...options, onPublished });
  return { ...replays, routes: (http: Http) => http.register(replayRoutes, { replays }) };
};
