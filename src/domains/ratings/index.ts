import type { Http } from '../../platform/http/server.ts';
import { type LeaderboardRoutesOptions, leaderboardRoutes } from './routes.ts';
import { createService, type LeaderboardsOptions } from './service.ts';

export { formerStepsOf, lockLadder, rateAgain } from './corrections-store.ts';
export { ratingErrors } from './errors.ts';
export { rankOf } from './ladder-store.ts';
export { ladderMoves } from './moves-store.ts';
export { type MatchScore, NEWCOMER_RATING } from './rules.ts';
export { expectedOfRed, rateMatch, ratingsOf, stepsOf } from './store.ts';

/** Opens the domain. */
export const createLeaderboards = ({
  queueErrors,
  ...options
}: LeaderboardsOptions & Pick<LeaderboardRoutesOptions, 'queueErrors'>) => {
  const leaderboards = createService(options);
  return {
    ...leaderboards,
    routes: (http: Http) => http.register(leaderboardRoutes, { leaderboards, queueErrors }),
  };
};
