export {
  addEntry,
  countEntries,
  entriesOf,
  entryOf,
  markConnected,
  markDisconnected,
  type QueueEntry,
  removeAbandoned,
  removeEntries,
  removeEntriesOfQueues,
  removeEntriesOfVersions,
  restartAbsences,
  waitingVersions,
} from './entries-store.ts';
export { queueErrors } from './errors.ts';
export { queueRoutes } from './routes.ts';
export { closeWithLastMatch, createQueues } from './service.ts';
export {
  holdQueue,
  loadQueue,
  loadQueuesToPair,
  lockQueue,
  type Queue,
  stoppedQueuesWithEntries,
} from './store.ts';
