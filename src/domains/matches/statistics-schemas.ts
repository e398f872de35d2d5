import { z } from 'zod';
import { guid } from '../../platform/http/schemas.ts';
import { characteristic, difficulty, hostKey } from '../maps/index.ts';

/** How the maps of a pool are played. */

export const statisticsParams = z.strictObject({ poolGuid: guid });

const mapStatistics = z
  .object({
    mapGuid: guid,
    key: hostKey,
    name: z.string(),
    characteristic,
    difficulty,
    dealt: z.int().describe('How often it came into a hand, also for a discarded card: `kept` + `discarded`'),
    kept: z.int(),
    discarded: z.int(),
    picked: z.int().describe('By a player; not by the limit'),
    played: z.int().describe('Rounds that counted'),
    medianGap: z
      .number()
      .nullable()
      .describe(
        'Median of the difference between both accuracies in rounds that were really played; null without any',
      ),
    wonByPicker: z.int().describe('Rounds that counted and that the picker won'),
    expectedWonByPicker: z
      .number()
      .describe(
        'The same by the ratings before each match: the sum of the probabilities of the rating model',
      ),
    averageAccuracy: z.number().nullable().describe('0…1 over all scores; null without any'),
  })
  .meta({ id: 'MapStatistics' });

export const poolStatistics = z
  .object({ poolGuid: guid, maps: z.array(mapStatistics) })
  .meta({ id: 'PoolStatistics' });
export type PoolStatistics = z.output<typeof poolStatistics>;
