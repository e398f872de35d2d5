import type { Socket } from 'socket.io';
import { BOUNDS } from '../limits.ts';

type Transport = Socket['conn'];

/** Sockets that are open and whose handshake is not through: each costs memory for a while. */
export interface Strangers {
  /** Whether a network has as many as it may. */
  isCrowded(network: string): boolean;
  /** A socket was opened; one that closes is no stranger any more. */
  arrived(transport: Transport, network: string): void;
  /** Its handshake is through. */
  welcome(transport: Transport): void;
}

/** @param factor of the limits: where more handshakes are allowed more may be under way; 0: any number */
export function countStrangers(factor: number): Strangers {
  const most = factor === 0 ? Number.POSITIVE_INFINITY : BOUNDS.strangers.value * Math.max(1, factor);
  const counts = new Map<string, number>();
  /** Takes one off the count again. */
  const welcomes = new WeakMap<Transport, () => void>();
  return {
    isCrowded: (network) => (counts.get(network) ?? 0) >= most,
    arrived: (transport, network) => {
      counts.set(network, (counts.get(network) ?? 0) + 1);
      const welcome = (): void => {
        if (!welcomes.delete(transport)) return;
        // What listens for as long as a connection lives takes memory for as long.
        transport.off('close', welcome);
        const left = (counts.get(network) ?? 1) - 1;
        if (left > 0) counts.set(network, left);
        else counts.delete(network);
      };
      welcomes.set(transport, welcome);
      transport.once('close', welcome);
    },
    welcome: (transport) => welcomes.get(transport)?.(),
  };
}
