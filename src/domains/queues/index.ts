export {
  addEntry,
  countEntries,
  entriesOf,
  entryOf,
  markConnection,
  type QueueEntry,
  removeAbandoned,
  removeEntries,
  removeEntriesOfQueues,
  restartAbsences,
} from './entries.ts';
export { queueErrors } from './errors.ts';
export { queueRoutes } from './routes.ts';
export { closeWithLastMatch, createQueues } from './service.ts';
export { holdQueue, loadQueue, loadQueuesToPair, lockQueue, type Queue } from './store.ts';
