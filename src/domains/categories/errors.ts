import { errorEntries } from '../../platform/errors.ts';

export const categoryErrors = errorEntries({
  CATEGORY_NOT_FOUND: { status: 404, message: 'There is no such map category.' },
  CATEGORY_IN_USE: { status: 409, message: 'Maps of a pool are in this category.' },
});
