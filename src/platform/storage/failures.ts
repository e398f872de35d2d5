import { commonErrors, ServiceError } from '../errors.ts';

/** No room: of the disk, of a quota, of a file system without any. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** Says what a failure of the file system or of the object storage means to a client; rethrows refusals. */
export function refuseFailure(cause: unknown): never {
  if (cause instanceof ServiceError) throw cause;
  const refusal = FULL.has(codeOf(cause)) ? commonErrors.STORAGE_FULL : commonErrors.STORAGE_UNAVAILABLE;
  throw refusal({ cause });
}

/** Whether there is nothing at this name. */
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';
