import type { Http } from '../../platform/http/server.ts';
import { type RatingRoutesOptions, ratingRoutes } from './routes.ts';
import { createService, type RatingsOptions } from './service.ts';

export { correct, formerStepsOf, lockCorrections, type ShownAgain } from './corrections-store.ts';
export { ratingErrors } from './errors.ts';
export { ladderMoves, previewMatch } from './moves-store.ts';
export { type Correction, type EndedMatch, previewCorrection } from './rerating-store.ts';
export { type MatchScore, NEWCOMER_RATING } from './rules.ts';
export { expectedOfRed, type LadderOf, ofLadder, rateMatch, ratingsOf } from './store.ts';

/** Opens the domain. */
export const createRatings = ({
  queueErrors,
  ...options
}: RatingsOptions & Pick<RatingRoutesOptions, 'queueErrors'>) => {
  const ratings = createService(options);
  return {
    ...ratings,
    routes: (http: Http) => http.register(ratingRoutes, { ratings, queueErrors }),
  };
};
