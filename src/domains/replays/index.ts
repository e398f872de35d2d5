export * from './bsor/index.ts';
export { replayErrors } from './errors.ts';
export { replayRoutes } from './routes.ts';
export { createReplays } from './service.ts';
export { notesOf } from './verdict.ts';
