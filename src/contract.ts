import { z } from 'zod';
import { authErrors } from './domains/auth/index.ts';
import { categoryErrors } from './domains/categories/index.ts';
import { connectionEvents } from './domains/connections/index.ts';
import { liveErrors } from './domains/live/index.ts';
import { mapErrors } from './domains/maps/index.ts';
import { matchErrors, matchEvents } from './domains/matches/index.ts';
import { pairingErrors, pairingEvents } from './domains/pairing/index.ts';
import { playerErrors } from './domains/players/index.ts';
import { poolErrors } from './domains/pools/index.ts';
import { queueErrors } from './domains/queues/index.ts';
import { ratingErrors } from './domains/ratings/index.ts';
import { releaseErrors } from './domains/releases/index.ts';
import { replayErrors } from './domains/replays/index.ts';
import { seasonErrors } from './domains/seasons/index.ts';
import { sessionErrors } from './domains/sessions/index.ts';
import type { SocketContract } from './platform/documents/asyncapi.ts';
import { assembleCatalogue, commonErrors } from './platform/errors.ts';

/** The public contract of the service, assembled from the domains. Both references are made from it. */

export const catalogue = assembleCatalogue([
  commonErrors,
  authErrors,
  sessionErrors,
  playerErrors,
  seasonErrors,
  categoryErrors,
  mapErrors,
  poolErrors,
  queueErrors,
  ratingErrors,
  releaseErrors,
  pairingErrors,
  matchErrors,
  liveErrors,
  replayErrors,
]);

export const socketContract: SocketContract = {
  handshake: {
    auth: z.object({
      token: z.string().describe('Access token of the type `platform:game`'),
      pluginVersion: z.string().describe('Semantic version of the plugin'),
      gameVersion: z.string().optional().describe('Stored with the match, never a reason to refuse'),
    }),
    refusals: [
      'TOKEN_MISSING',
      'TOKEN_INVALID',
      'TOKEN_EXPIRED',
      'INSUFFICIENT_SCOPE',
      'TOKEN_TYPE_NOT_ALLOWED',
      'PLATFORM_NOT_VERIFIED',
      'PLUGIN_VERSION_MISSING',
      'PLUGIN_VERSION_NOT_ACCEPTED',
      'PLATFORM_ID_TAKEN',
      'BANNED',
      'DRAINING',
      'RATE_LIMITED',
      'SERVICE_UNAVAILABLE',
      'INTERNAL_ERROR',
    ],
  },
  toServer: { ...connectionEvents.toServer, ...pairingEvents.toServer, ...matchEvents.toServer },
  toClient: { ...pairingEvents.toClient, ...matchEvents.toClient, ...connectionEvents.toClient },
};
