import { errorEntries } from '../../platform/errors.ts';

export const sessionErrors = errorEntries({
  LOGIN_FAILED: {
    status: 400,
    message:
      'This login was not begun in this browser, took too long, or was finished before. Go back and log in again.',
  },
  RETURN_TO_NOT_ALLOWED: {
    status: 400,
    message: 'A login may only return to an address of this service or of its website.',
  },
});
