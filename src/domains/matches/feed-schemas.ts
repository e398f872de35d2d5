import { z } from 'zod';
import { publicMatch } from './schemas.ts';

const { matchGuid, queueGuid, queueName, status, rated, players, startedAt, endedAt, result } =
  publicMatch.shape;

/** The summary of a match in a list. */
export const feedMatch = z
  .object({
    matchGuid,
    queueGuid,
    queueName,
    status,
    rated,
    players: players.describe('Red, blue'),
    health: z.array(z.number()).describe('Red, blue; 1 at the start, 0 loses'),
    roundNumber: z.int().describe('0 until the first pick begins'),
    startedAt,
    endedAt,
    result,
  })
  .meta({ id: 'FeedMatch' });
export type FeedMatch = z.output<typeof feedMatch>;
