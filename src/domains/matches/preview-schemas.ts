import { z } from 'zod';
import { guid } from '../../platform/http/schemas.ts';

/** The effect of a decision of staff on a ladder. */

const ladderMove = z
  .object({
    playerGuid: guid,
    username: z.string(),
    ratingBefore: z.int().describe('Now'),
    ratingAfter: z.int().describe('With the decision'),
    rankBefore: z.int().nullable().describe('Null: not on the ladder, without a match that counts'),
    rankAfter: z.int().nullable(),
  })
  .meta({ id: 'LadderMove' });

export const ladderPreview = z
  .object({
    players: z
      .array(ladderMove)
      .describe(
        'Red and blue of the match, then everybody else whose rating would change, then those whose rank alone would; each by rank, at most 100 in all',
      ),
    total: z.int().describe('How many there are, also those who are not listed'),
    matches: z.int().describe('Later matches whose ratings would come out differently'),
  })
  .meta({ id: 'LadderPreview' });
export type LadderPreview = z.output<typeof ladderPreview>;
