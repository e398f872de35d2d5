import { z } from 'zod';
import { guid } from '../../platform/http/schemas.ts';
import type { ToClient, ToServer } from '../../platform/socket/contract.ts';
import { matchCause, matchView, readyState } from './schemas.ts';
import type { ReadyState } from './state.ts';

/** More cards than any hand has, so that too many are refused with TOO_MANY_DISCARDS and not with VALIDATION_FAILED. */
const MOST_CARDS = 50;

const match = { matchGuid: guid };
const data = z.object({ match: matchView }).meta({ id: 'MatchData' });
/** JSON has a −0, which the database stores as 0: the state of this node would differ from the stored one. */
const int = z.int().overwrite((number) => number + 0);
const count = int.min(0);

export const toServer = {
  joinMatch: {
    description: 'Says that the player is there. When both have, the opponent and the hand are shown.',
    payload: z.strictObject(match),
    data,
    refusals: ['MATCH_NOT_FOUND', 'WRONG_PHASE'],
  },
  discardMaps: {
    description: 'Gives up some cards of the hand, or none, once a match; they are replaced at once.',
    payload: z.strictObject({ ...match, cardGuids: z.array(guid).max(MOST_CARDS) }),
    data,
    refusals: [
      'MATCH_NOT_FOUND',
      'WRONG_PHASE',
      'DISCARD_ALREADY_DONE',
      'TOO_MANY_DISCARDS',
      'DUPLICATE_CARD',
      'CARD_NOT_IN_HAND',
      'NO_REPLACEMENT_AVAILABLE',
    ],
  },
  selectMap: {
    description: 'Picks the next map from the hand; for whose turn it is (`pickerGuid`).',
    payload: z.strictObject({ ...match, cardGuid: guid }),
    data,
    refusals: ['MATCH_NOT_FOUND', 'WRONG_PHASE', 'NOT_YOUR_TURN', 'CARD_NOT_IN_HAND'],
  },
  setReady: {
    description:
      'Tells how far the download of the map is. When both are ready, a countdown begins. Another state stops it; each player may do so twice in a round.',
    payload: z.strictObject({
      ...match,
      roundNumber: z.int(),
      state: readyState,
      progress: z.number().min(0).max(1).nullable().optional().describe('Share of the download'),
    }),
    data,
    refusals: ['MATCH_NOT_FOUND', 'WRONG_PHASE', 'WRONG_ROUND'],
    // Only the share of a running download is merged: a change of state is applied immediately.
    isMerged: ({ state, progress }: { state: ReadyState; progress?: number | null | undefined }) =>
      state === 'downloading' && progress != null,
  },
  submitScore: {
    description:
      'Reports the play of the round, finished or failed. It stays hidden until the round is finished.',
    payload: z.strictObject({
      ...match,
      roundNumber: z.int(),
      rawScore: int.describe('Before modifiers: 0 to the map’s `maxScore`, else `SCORE_IMPOSSIBLE`'),
      modifiedScore: int.describe('floor(rawScore × (1 + Σ)) with the modifiers’ values'),
      missCount: count,
      badCutCount: count,
      fullCombo: z.boolean(),
      noFailTriggered: z.boolean().describe('The play went on only by No Fail'),
      failed: z.boolean(),
    }),
    data,
    refusals: [
      'MATCH_NOT_FOUND',
      'WRONG_PHASE',
      'WRONG_ROUND',
      'SCORE_IMPOSSIBLE',
      'SCORE_ALREADY_SUBMITTED',
    ],
  },
  forfeit: {
    description: 'Gives the match up: lost now. Before the first pick it is no contest, with a penalty.',
    payload: z.strictObject(match),
    data,
    refusals: ['MATCH_NOT_FOUND', 'WRONG_PHASE'],
  },
  getMatchState: {
    description: 'The match as it is now, running or ended.',
    isReadOnly: true,
    payload: z.strictObject(match),
    data,
    refusals: ['MATCH_NOT_FOUND'],
  },
} as const satisfies ToServer;

export const toClient = {
  matchUpdated: {
    description: 'The match changed: the whole of what the player may see of it, and why it changed.',
    payload: z.object({ match: matchView, cause: matchCause }),
  },
} as const satisfies ToClient;
