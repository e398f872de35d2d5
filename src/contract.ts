import { z } from 'zod';
import { authErrors } from './domains/auth/index.ts';
import { categoryErrors } from './domains/categories/index.ts';
import { connectionEvents } from './domains/connections/index.ts';
import { liveErrors } from './domains/live/index.ts';
import { mapErrors } from './domains/maps/index.ts';
import { LIFE, matchErrors, matchEvents } from './domains/matches/index.ts';
import { observerErrors } from './domains/observers/index.ts';
import { pairingErrors, pairingEvents } from './domains/pairing/index.ts';
import { playerErrors } from './domains/players/index.ts';
import { poolErrors } from './domains/pools/index.ts';
import { queueErrors } from './domains/queues/index.ts';
import { ratingErrors } from './domains/ratings/index.ts';
import { releaseErrors } from './domains/releases/index.ts';
import { replayErrors } from './domains/replays/index.ts';
import { reportErrors } from './domains/reports/index.ts';
import { seasonErrors } from './domains/seasons/index.ts';
import { sessionErrors } from './domains/sessions/index.ts';
import examples from './examples.json' with { type: 'json' };
import type { SocketContract, SocketExamples } from './platform/documents/asyncapi.ts';
import type { HttpExamples } from './platform/documents/operations.ts';
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
  observerErrors,
  reportErrors,
  liveErrors,
  replayErrors,
]);

/** Real requests and answers (scripts/examples.ts), by the names of operations and messages. */
export const httpExamples: HttpExamples = examples.http;
export const socketExamples: SocketExamples = examples.socket;

/** The groups of the HTTP reference, in the order of a reader. */
export const httpGroups = {
  Service: 'Whether the service runs, and whether one can play.',
  'Plugin releases': 'The plugin of each game version, with checksum and signature.',
  Auth: 'Who one is, and the login of a browser.',
  Seasons: 'Spans of time with pools and a ladder of their own.',
  'Map categories': 'Labels that staff sort maps by.',
  Maps: 'Playlists and downloads of the maps that are played.',
  Pools: 'The maps of a queue, from draft over review to publication.',
  'Pool maps': 'The maps of one pool: added, changed, imported, and how they are played.',
  Queues: 'Where players wait for an opponent.',
  Leaderboards: 'The ladder of a queue in a season.',
  Players: 'People, as everybody sees them.',
  Matches: 'Matches, running and ended, with their evidence.',
  Reports: 'What players report about each other, and what staff decide.',
  Replays: 'Recordings of plays and what the checks found in them.',
  Live: 'Plays while they happen.',
  Staff: 'Roles, bans, decisions about matches and replays, and the audit log.',
  Reference: 'This document and the one of the socket channel.',
} as const;

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
  life: LIFE,
  toServer: { ...connectionEvents.toServer, ...pairingEvents.toServer, ...matchEvents.toServer },
  toClient: { ...pairingEvents.toClient, ...matchEvents.toClient, ...connectionEvents.toClient },
};
