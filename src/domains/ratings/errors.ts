import { errorEntries } from '../../platform/errors.ts';

export const ratingErrors = errorEntries({
  NOT_ON_LEADERBOARD: { status: 404, message: 'This player has no rated match in this queue and season.' },
});
