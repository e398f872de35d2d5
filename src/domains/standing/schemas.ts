import { z } from 'zod';
import { guid, isoInstant } from '../../platform/http/schemas.ts';
import { penalty } from '../penalties/index.ts';
import { shownPlatformId } from '../players/index.ts';
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

export const standingParams = z.strictObject({ playerGuid: guid });

/** The members of a person that staff see beside profile, roles and bans. */
export const playerStanding = z
  .object({
    playerGuid: guid,
    platformId: shownPlatformId.nullable(),
    erasedAt: isoInstant.nullable().describe('When the person was erased; null: they were not'),
    penalties: z
      .array(
        penalty
          .extend({ matchGuid: guid, at: isoInstant.describe('When the offence was') })
          .meta({ id: 'PenaltyOfPlayer' }),
      )
      .describe('Queue time-outs that are kept, also those that are over; newest first, at most 100'),
    logins: z
      .array(
        z
          .object({ startedAt: isoInstant, endsAt: isoInstant.describe('Unless it is used again before') })
          .meta({ id: 'LoginOfPlayer' }),
      )
      .describe('Browsers that are logged in, newest first'),
  })
  .meta({ id: 'PlayerStanding' });
