import { errorEntries } from '../../platform/errors.ts';

export const poolErrors = errorEntries({
  MODIFIERS_CONFLICT: { status: 400, message: 'At most one of SS, FS and SFS applies to a map.' },
  SELF_REVIEW: {
    status: 403,
    message:
      'You, or somebody who was erased before you joined, submitted or changed this pool since its last review: ' +
      'somebody else has to review it.',
  },
  POOL_NOT_FOUND: { status: 404, message: 'There is no such pool.' },
  POOL_NOT_EDITABLE: {
    status: 409,
    message: 'Only a draft can be changed. Correct a published pool by a copy.',
    details: ['status'],
  },
  POOL_NOT_IN_REVIEW: { status: 409, message: 'This pool is not in review.', details: ['status'] },
  POOL_NOT_PUBLISHED: { status: 409, message: 'This pool is not published.', details: ['status'] },
  REVIEW_REQUIRED: {
    status: 409,
    message: 'Somebody has to review this revision of the pool and approve it before it is published.',
  },
  MAP_ALREADY_IN_POOL: { status: 409, message: 'This difficulty of this map is in the pool already.' },
  MAP_STALE: {
    status: 409,
    message: 'The map host no longer publishes this upload. Remove the map and add the new upload.',
  },
});
