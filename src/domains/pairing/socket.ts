import { bind } from '../../platform/socket/contract.ts';
import { toServer } from './events.ts';
import type { Joiner, Pairing } from './service.ts';

export const pairingSocket = (pairing: Pairing) =>
  bind(toServer, {
    joinQueue: async ({ playerGuid, pluginVersion, gameVersion }: Joiner, { queueGuid }) => ({
      queueEntry: await pairing.join({ playerGuid, pluginVersion, gameVersion }, queueGuid),
    }),
    leaveQueue: async ({ playerGuid }: Joiner) => {
      await pairing.leave(playerGuid);
      return {};
    },
  });
