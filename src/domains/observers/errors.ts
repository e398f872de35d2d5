import { errorEntries } from '../../platform/errors.ts';

export const observerErrors = errorEntries({
  TOO_MANY_STREAMS: {
    status: 429,
    message: 'Too many streams are open from this address. Close one, or try again a little later.',
    remedy: 'retry',
  },
});
