import { errorEntries } from '../../platform/errors.ts';

export const liveErrors = errorEntries({
  NOT_PLAYING: { status: 403, message: 'Only who plays a match can publish its play.' },
  TOO_MANY_SPECTATORS: {
    status: 429,
    message: 'Too many are watching already. Try again a little later.',
    remedy: 'retry',
  },
});
