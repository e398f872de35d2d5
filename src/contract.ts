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
import type { HttpExamples, HttpParameters } from './platform/documents/operations.ts';
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

/** Descriptions and examples of parameters in the HTTP reference whose schemas have none, by name or by operation and name. */
export const httpParameters: HttpParameters = {
  gameVersion: { description: 'A version of the game, as it names itself', example: '1.40.8' },
  hash: {
    description: 'Hash of a version of a map: SHA-1 as 40 hexadecimal digits',
    example: '44101FC77B8595417C3B05199EE9E4B241F78583',
  },
  roundNumber: { description: 'Round of the match, from 1', example: 1 },
  platformId: { description: 'Account on the platform of the game', example: '76561190000000001' },
  status: { description: 'Only those with this status' },
  reason: { description: 'Only those with this reason' },
  dryRun: { description: '`true`: say what would be added, and add nothing' },
  'listMatches state': { description: 'Only those that run, or only those that have ended' },
  state: { description: 'What the provider was given with the login', example: 'zL0a…' },
  code: {
    description: 'The authorization code of a login that succeeded',
    example: 'SplxlOBeZQQYbYS6WxSbIA',
  },
  error: { description: 'Why a login failed, in the words of OAuth 2.0', example: 'access_denied' },
  error_description: { description: 'The same for people; it is in the log', example: 'You said no.' },
  iss: { description: 'The provider that answers (RFC 9207)', example: 'https://id.example.org' },
  cursor: { example: 'WyIwMWEyMDRhMC02MzkzIl0' },
  query: { example: 'Anna' },
  'if-match': { example: '"3"' },
  'last-event-id': { example: '17' },
  authorization: { example: 'Bearer eyJhbGciOiJSUzI1NiIs…' },
  'x-service-plugin-version': { example: '1.4.0' },
  'content-encoding': { example: 'gzip' },
  since: { example: '2026-07-01T00:00:00.000Z' },
  until: { example: '2026-08-01T00:00:00.000Z' },
  target: { example: '01a204a0-6393-7230-8931-a0347e0d2158' },
  action: { example: 'abortMatch' },
};

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
