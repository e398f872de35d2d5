import { errorEntries } from '../../platform/errors.ts';

export const seasonErrors = errorEntries({
  SEASON_NOT_FOUND: { status: 404, message: 'There is no such season.' },
  SEASON_OVERLAP: { status: 409, message: 'Another season lies in this time. Seasons do not overlap.' },
});
