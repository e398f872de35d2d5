export { formerStepsOf, holdLadder, rateAgain } from './corrections-store.ts';
export { ratingErrors } from './errors.ts';
export { rankOf, ratingsOf } from './ladder-store.ts';
export { leaderboardRoutes } from './routes.ts';
export type { MatchScore } from './rules.ts';
export { createLeaderboards } from './service.ts';
export { rateMatch, ratingOf, stepsOf } from './store.ts';
