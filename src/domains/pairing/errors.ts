import { errorEntries } from '../../platform/errors.ts';

/** Why nobody is paired, as players are told. */
export const MAINTENANCE_MESSAGE = 'The service is in maintenance; no new matches are made.';

export const pairingErrors = errorEntries({
  QUEUE_NOT_OPEN: { status: 409, message: 'This queue is not open.' },
  ALREADY_IN_MATCH: { status: 409, message: 'You are in a running match.' },
  ALREADY_QUEUED: { status: 409, message: 'You are waiting in another queue. Leave it first.' },
  PENALIZED: { status: 403, message: 'You may not queue yet.' },
});
