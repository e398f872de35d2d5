import { z } from 'zod';
import {
  guid,
  isoInstant,
  keyInstant,
  keyInteger,
  nextCursor,
  page,
  pageQuery,
} from '../../platform/http/schemas.ts';
import { player } from '../players/index.ts';

export const ladderParams = z.strictObject({ queueGuid: guid });

export const ladderQuery = pageQuery
  .extend({
    around: guid.optional().describe('Begin so that this player stands in the middle of the page'),
    seasonGuid: guid
      .optional()
      .describe('A season of `GET /leaderboards`. Left out: the season of the queue’s pool'),
  })
  .refine((query) => query.around === undefined || query.cursor === undefined, {
    path: ['around'],
    message: 'cannot be combined with cursor',
  });
export type LadderQuery = z.output<typeof ladderQuery>;

/** Keyset of a page: rating descending, then id, so that of equal ratings the older account comes first. */
export const cursorOfLadder = z.tuple([keyInteger, guid]);
export type LadderKey = z.output<typeof cursorOfLadder>;

const ladderEntry = z
  .object({
    rank: z.int().describe('1 is the best; equal ratings share a rank, and the next is left out'),
    player,
    rating: z.int(),
    provisional: z.boolean().describe('True until the rating has settled'),
    wins: z.int(),
    losses: z.int(),
    draws: z.int(),
    winStreak: z.int().describe('Wins since the last match that was not won'),
  })
  .meta({ id: 'LeaderboardEntry' });

export const ladder = z.object({ entries: z.array(ladderEntry), nextCursor }).meta({ id: 'Leaderboard' });

export const historyParams = z.strictObject({ playerGuid: guid });
export const historyQuery = pageQuery.extend({ queueGuid: guid.optional(), seasonGuid: guid.optional() });
export type HistoryQuery = z.output<typeof historyQuery>;
/** Keyset of the list: when the last match of a page ended, and its guid. */
export const historyKey = z.tuple([keyInstant, guid]);
export type HistoryKey = z.output<typeof historyKey>;

export const ratedMatch = z
  .object({
    matchGuid: guid,
    queueGuid: guid,
    seasonGuid: guid,
    endedAt: isoInstant,
    opponent: z.object({ playerGuid: guid, username: z.string() }).meta({ id: 'Opponent' }),
    outcome: z.enum(['win', 'loss', 'draw']).meta({ id: 'RatedOutcome' }),
    before: z.int().describe('The rating before the match'),
    after: z.int().describe('The rating after it'),
  })
  .meta({ id: 'RatedMatch' });
export type RatedMatchView = z.output<typeof ratedMatch>;
export const ratedMatches = page('RatedMatchList', ratedMatch);
