export { formerStepsOf, holdLadder, rateAgain } from './corrections.ts';
export { ratingErrors } from './errors.ts';
export { leaderboardRoutes } from './routes.ts';
export type { MatchScore } from './rules.ts';
export { createLeaderboards } from './service.ts';
export { rankOf, rateMatch, ratingOf, ratingsOf, stepsOf } from './store.ts';
