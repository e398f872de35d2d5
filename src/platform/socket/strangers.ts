import type { Socket } from 'socket.io';
import { networksOf } from '../address.ts';
import { BOUNDS } from '../limits.ts';

type Transport = Socket['conn'];

/** Sockets that are open and whose handshake is not through: each costs memory for a while. */
export interface Strangers {
  /** Whether an address, or the network around it, has as many as it may. */
  isCrowded(address: string): boolean;
  /** A socket was opened; one that closes is no stranger any more. */
  arrived(transport: Transport, address: string): void;
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
    isCrowded: (address) =>
      networksOf(address).some(({ name, share }) => (counts.get(name) ?? 0) >= most * share),
    arrived: (transport, address) => {
      const networks = networksOf(address);
      for (const { name } of networks) counts.set(name, (counts.get(name) ?? 0) + 1);
      const welcome = (): void => {
        if (!welcomes.delete(transport)) return;
        // What listens for as long as a connection lives takes memory for as long.
        transport.off('close', welcome);
        for (const { name } of networks) {
          const left = (counts.get(name) ?? 1) - 1;
          if (left > 0) counts.set(name, left);
          else counts.delete(name);
        }
      };
      welcomes.set(transport, welcome);
      transport.once('close', welcome);
    },
    welcome: (transport) => welcomes.get(transport)?.(),
  };
}
