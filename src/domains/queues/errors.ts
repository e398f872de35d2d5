import { errorEntries } from '../../platform/errors.ts';

export const queueErrors = errorEntries({
  QUEUE_NOT_FOUND: { status: 404, message: 'There is no such queue.' },
  QUEUE_NOT_CLOSED: {
    status: 409,
    message: 'This needs a closed queue: drain it and wait for its last match.',
    details: ['status'],
  },
  POOL_TOO_SMALL: {
    status: 409,
    message: 'The pool has too few maps for a match.',
    details: ['required', 'actual'],
  },
  SEASON_MISMATCH: {
    status: 409,
    message: 'The pool belongs to another season. Only a closed queue can be given such a pool.',
  },
  SEASON_ENDED: {
    status: 409,
    message: 'The season of the pool has ended. Choose a pool of another season.',
  },
});
