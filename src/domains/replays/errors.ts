import { errorEntries } from '../../platform/errors.ts';

export const replayErrors = errorEntries({
  REPLAY_NOT_FOUND: { status: 404, message: 'There is no such replay, or its match has not ended.' },
  REPLAY_REMOVED: {
    status: 410,
    message: 'This file was removed after its time. Its verdict stays.',
  },
  REPLAY_FILE_MISSING: {
    status: 404,
    message: 'The file of this replay is missing; the operator was told. Its verdict stays.',
  },
  REPLAY_EXISTS: { status: 409, message: 'Another replay was published for this round already.' },
  REPLAY_TOO_LATE: { status: 409, message: 'A replay is taken until 15 minutes after the end of its match.' },
  REPLAY_UNREADABLE: {
    status: 422,
    message: 'This is not a replay of the BSOR format, version 1, or not all of one.',
    details: ['byteOffset'],
  },
  REPLAY_QUOTA_EXCEEDED: {
    status: 429,
    message: 'You have published more than is kept of one player a day.',
    remedy: 'retry',
  },
  UPLOADS_BUSY: {
    status: 503,
    message: 'Too many replays arrive at once. Publish this one again in a moment.',
    remedy: 'retry',
  },
  REPLAY_REVIEW_NOT_FOUND: { status: 404, message: 'There is no such review.' },
  REPLAY_REVIEW_RESOLVED: { status: 409, message: 'Somebody has decided this already.' },
});
