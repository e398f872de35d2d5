import type { FastifyBaseLogger } from 'fastify';
import { newGuid } from '../clock.ts';
import { unavailable } from '../database/outage.ts';
import { commonErrors, ServiceError } from '../errors.ts';

/** Turns whatever was thrown into what a client may see; what is a defect of ours is logged with its stack. */
export type AsRefusal = (error: unknown, about: Record<string, unknown>) => ServiceError;

export const refusals =
  (logger: FastifyBaseLogger): AsRefusal =>
  (error, about) => {
    const known = error instanceof ServiceError && (error.status < 500 || error.code === 'DRAINING');
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

/** What is said to whoever asks too often. @param waitMs until there is room again, above 0; said rounded up */
export const tooMany = (waitMs: number): string =>
  `Too many requests. Try again in ${(Math.ceil(waitMs / 100) / 10).toFixed(1)} s.`;
