export { ratingErrors } from './errors.ts';
export { leaderboardRoutes } from './routes.ts';
export { isProvisional, type MatchScore, NEWCOMER, shownRating } from './rules.ts';
export { createLeaderboards, type Leaderboards } from './service.ts';
export {
  type CurrentRating,
  type RatedMatch,
  type RatingStep,
  rankOf,
  rateMatch,
  ratingOf,
  ratingsOf,
  stepsOf,
} from './store.ts';
