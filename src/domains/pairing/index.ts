import type { Metrics } from '../../platform/metrics.ts';
import { createService, type PairingOptions } from './service.ts';
import { pairingSocket } from './socket.ts';

export { MAINTENANCE_MESSAGE, pairingErrors } from './errors.ts';
export type { QueueUpdate } from './events.ts';
export * as pairingEvents from './events.ts';

export type { Pairing } from './service.ts';
export type { Place } from './store.ts';

/** Opens the domain. */
export const createPairing = ({
  metrics,
  ...options
}: Omit<PairingOptions, 'onPaired'> & { metrics: Metrics }) => {
  const onPaired = metrics.times(
    'pairing_wait_seconds',
    'Time players waited until they were put into a match',
    [1, 2, 5, 10, 20, 30, 60, 120, 300, 600],
  );
  const pairing = createService({ ...options, onPaired });
  metrics.gauge('players_waiting', 'Players in a queue, on all nodes', pairing.waiting);
  return { ...pairing, binding: pairingSocket(pairing) };
};
