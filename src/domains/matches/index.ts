export { matchErrors } from './errors.ts';
export * as matchEvents from './events.ts';
export { loadLog } from './evidence.ts';
export { checkLog } from './proof.ts';
export { matchRoutes } from './routes.ts';
export { type MatchLog, matchLog, matchResult, matchView } from './schemas.ts';
export { modifiedScoreOf } from './scoring.ts';
export { createMatches, type Matches, type Pairable } from './service.ts';
export { matchesSocket } from './socket.ts';
