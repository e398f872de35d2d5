import { networksOf } from '../../platform/address.ts';
import { commonErrors, type ServiceError } from '../../platform/errors.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { observerErrors } from './errors.ts';

/** Seconds, in `Retry-After`. */
const AFTER_FULL = { 'retry-after': '10' };
const AFTER_DRAINING = { 'retry-after': '2' };

interface AdmissionOptions {
  /** Multiplies the limit of an address; 0 switches it off. */
  rateLimitFactor: number;
  isDraining(): boolean;
  /** Called for each stream that is refused. */
  onRefused(code: string): void;
}

/** Counts the open streams of this node, in all and by address. */
export function createAdmission({ rateLimitFactor, isDraining, onRefused }: AdmissionOptions) {
  const open = new Map<string, number>();
  let all = 0;

  const change = (address: string, by: 1 | -1) => {
    all += by;
    for (const { name } of networksOf(address)) {
      const count = (open.get(name) ?? 0) + by;
      if (count > 0) open.set(name, count);
      else open.delete(name);
    }
  };

  const refusal = (address: string): ServiceError | null => {
    const most = BOUNDS.streamsOfAddress.value * rateLimitFactor;
    const full = networksOf(address).find(({ name, share }) => (open.get(name) ?? 0) >= most * share);
    if (rateLimitFactor > 0 && full !== undefined)
      return observerErrors.TOO_MANY_STREAMS({ headers: AFTER_FULL });
    if (all >= BOUNDS.streams.value)
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
      change(address, 1);
    },
    /** An admitted stream has ended. */
    leave: (address: string): void => change(address, -1),
    /** How many are open. */
    count: () => all,
  };
}
