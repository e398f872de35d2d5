import { commonErrors, ServiceError } from '../errors.ts';

/** The disk is full, a quota is exhausted, or the file is too large. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** The HTTP status of an answer of an object storage. */
export const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } })?.$metadata?.httpStatusCode;

/** Throws the refusal for a failure of the file system or the object storage. Refusals are thrown again as they are. */
export function refuseFailure(cause: unknown): never {
  if (cause instanceof ServiceError) throw cause;
  const isFull = FULL.has(codeOf(cause)) || statusOf(cause) === 507;
  throw (isFull ? commonErrors.STORAGE_FULL : commonErrors.STORAGE_UNAVAILABLE)({ cause });
}

/** Whether there is no file of this name. */
export const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';
