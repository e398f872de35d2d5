import { z } from 'zod';
import { guid, keyInteger, nextCursor, pageQuery } from '../../platform/http/schemas.ts';
import { player } from '../players/index.ts';

export const leaderboardParams = z.strictObject({ queueGuid: guid });

export const leaderboardQuery = pageQuery
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
export type LeaderboardQuery = z.output<typeof leaderboardQuery>;

/** Keyset of a page: rating descending, then id, so that of equal ratings the older account comes first. */
export const cursorOfLeaderboard = z.tuple([keyInteger, guid]);
export type LeaderboardKey = z.output<typeof cursorOfLeaderboard>;

export const leaderboardEntry = z
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

export const leaderboard = z
  .object({ entries: z.array(leaderboardEntry), nextCursor })
  .meta({ id: 'Leaderboard' });
