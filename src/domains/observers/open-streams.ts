import { countOpen } from '../../platform/address.ts';
import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { observerErrors } from './errors.ts';

/** Seconds, in `Retry-After`. */
const AFTER_FULL = { 'retry-after': '10' };
const AFTER_DRAINING = { 'retry-after': '2' };

interface OpenStreamsOptions {
  /** Multiplies the limit of an address; 0 switches it off. */
  rateLimitFactor: number;
  isDraining(): boolean;
  /** Called for each stream that is refused. */
  onRefused(code: string): void;
}

/** Counts the open streams of this node, in all and by address. */
export function createOpenStreams({ rateLimitFactor: factor, isDraining, onRefused }: OpenStreamsOptions) {
  const open = countOpen(factor === 0 ? Number.POSITIVE_INFINITY : BOUNDS.streamsOfAddress.value * factor);
  let count = 0;

  const refusal = (address: string): ServiceError | null => {
    if (open.isFull(address)) return observerErrors.TOO_MANY_STREAMS({ headers: AFTER_FULL });
    if (count >= BOUNDS.streams.value)
      return commonErrors.SERVICE_UNAVAILABLE({
        message: 'Too many are watching here already. Try again in a moment.',
        headers: AFTER_FULL,
      });
    return isDraining() ? commonErrors.DRAINING({ headers: AFTER_DRAINING }) : null;
  };

  return {
    /** @throws TOO_MANY_STREAMS, SERVICE_UNAVAILABLE, DRAINING */
    enter: (address: string) => {
      const refused = refusal(address);
      if (refused !== null) {
        onRefused(refused.code);
        throw refused;
      }
      count += 1;
      open.add(address);
    },
    /** An admitted stream has ended. */
    leave: (address: string): void => {
      count -= 1;
      open.remove(address);
    },
    /** How many are open. */
    count: () => count,
  };
}
