import type { Http } from '../../platform/http/server.ts';
import { createLadders } from './ladders.ts';
import { queueRoutes } from './routes.ts';
import { createService, type QueuesOptions } from './service.ts';

export {
  addEntry,
  claimEntries,
  connectedEntriesOf,
  countEntries,
  extendPlaces,
  loadEntries,
  loadWaitingGroups,
  markConnected,
  markDisconnected,
  type QueueEntry,
  removeAbandoned,
  removeEntries,
  removeEntriesOfQueues,
  removeEntriesOfStopped,
  removeEntriesOfVersions,
  type WaitingGroup,
} from './entries-store.ts';
export { queueErrors } from './errors.ts';
export { type QueueView, queueRules, queueView } from './schemas.ts';
export { closeWithLastMatch, type Queues } from './service.ts';
export {
  loadQueuesToPair,
  type Queue,
  shareQueue,
  shareQueueForEnd,
  stoppedQueuesWithEntries,
} from './store.ts';

/** Opens the domain. */
export const createQueues = (options: QueuesOptions) => {
  const queues = { ...createService(options), ...createLadders(options) };
  return { ...queues, routes: (http: Http) => http.register(queueRoutes, { queues }) };
};
