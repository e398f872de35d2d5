import { z } from 'zod';
import { isoInstant } from '../../platform/http/schemas.ts';
import { penalty } from '../penalties/index.ts';
import { replayUnderReview } from '../replays/index.ts';
import { report } from '../reports/index.ts';

/** What the service holds against a person, and what became of their reports. */
export const standing = z
  .object({
    penalty: penalty.nullable().describe('The queue time-out in force; null: there is none'),
    bans: z
      .array(
        z
          .object({ reason: z.string(), until: isoInstant.nullable().describe('Null: for good') })
          .meta({ id: 'BanInForce' }),
      )
      .describe('Those in force, the one that ends last first'),
    reports: z.array(report).describe('Those one filed, newest first, with their status of now'),
    replays: z.array(replayUnderReview).describe('One’s own that staff look at'),
  })
  .meta({ id: 'Standing' });
