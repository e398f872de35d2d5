import { bind } from '../../platform/socket/contract.ts';
import { toServer } from './events.ts';
import type { Joiner, Pairing } from './service.ts';

export const pairingSocket = (pairing: Pairing) =>
  bind(toServer, {
    joinQueue: async (joiner: Joiner, { queueGuid }) => ({
      queueEntry: await pairing.join(joiner, queueGuid),
    }),
    leaveQueue: async ({ playerGuid }: Joiner) => {
      await pairing.leave(playerGuid);
      return {};
    },
  });
