import { commonErrors, ServiceError } from '../errors.ts';

/** The disk is full, a quota is exhausted, or the file is too large. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Throws the refusal for a failure of the file system. Refusals are thrown again as they are. */
export function refuseFailure(cause: unknown): never {
  if (cause instanceof ServiceError) throw cause;
  const refusal = FULL.has(codeOf(cause)) ? commonErrors.STORAGE_FULL : commonErrors.STORAGE_UNAVAILABLE;
  throw refusal({ cause });
}

/** Whether there is no file of this name. */
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';
