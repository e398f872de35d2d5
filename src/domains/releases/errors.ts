import { errorEntries } from '../../platform/errors.ts';

export const releaseErrors = errorEntries({
  RELEASE_NOT_FOUND: { status: 404, message: 'No plugin is published for this game version.' },
});
