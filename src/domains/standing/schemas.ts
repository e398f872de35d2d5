import { z } from 'zod';
import { isoInstant } from '../../platform/http/schemas.ts';
import { penalty } from '../penalties/index.ts';
import { replayUnderReview } from '../replays/index.ts';
import { report } from '../reports/index.ts';

/** A person's time-out, bans and replays under review, and the reports that they filed. */
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
    reports: z.array(report).describe('Those that the caller filed, newest first, with their present status'),
    replays: z.array(replayUnderReview).describe('The caller’s own that staff look at'),
  })
  .meta({ id: 'Standing' });
