import type { FastifyBaseLogger } from 'fastify';
import { newGuid } from '../clock.ts';
import { unavailable } from '../database/out-of-reach.ts';
import { commonErrors, ServiceError } from '../errors.ts';

/** Turns a thrown error into a refusal that a client may see. Unexpected errors are logged with their stacks. */
export type AsRefusal = (error: unknown, about: Record<string, unknown>) => ServiceError;

/** Refusals with a status of 500 or more that are no defect. */
const NO_FAULT = new Set(['DRAINING', 'SERVICE_UNAVAILABLE']);

export const asRefusalWith =
  (logger: FastifyBaseLogger): AsRefusal =>
  (error, about) => {
    const known = error instanceof ServiceError && (error.status < 500 || NO_FAULT.has(error.code));
    const refusal = known ? error : unavailable(error);
    if (refusal) {
      logger.debug({ ...about, code: refusal.code }, 'refused');
      return refusal;
    }
    const requestId = newGuid();
    logger.error({ ...about, err: error, requestId }, 'a socket message failed');
    return error instanceof ServiceError
      ? error
      : commonErrors.INTERNAL_ERROR({
          message: `${commonErrors.INTERNAL_ERROR.entry.message} Request ${requestId}.`,
        });
  };

/** The message of `RATE_LIMITED`. @param waitMs until there is room again, above 0; shown rounded up */
export const tooMany = (waitMs: number): string =>
  `Too many requests. Try again in ${(Math.ceil(waitMs / 100) / 10).toFixed(1)} s.`;
