import type { Shapes } from '../api.ts';
import { strings } from './strings.ts';

/** The status of a pool, which looks different in each. */
export const Status = ({ status }: { status: Shapes['PoolStatus'] }) => (
  <span class={`pool-status ${status}`} data-status={status}>
    {strings.status[status]}
  </span>
);
