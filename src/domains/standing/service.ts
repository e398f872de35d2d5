import { type Clock, isoTime, isoTimeOrNull } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { penaltyOf } from '../penalties/index.ts';
import { bansInForce } from '../players/index.ts';
import type { Replays } from '../replays/index.ts';
import type { Reports } from '../reports/index.ts';

export interface StandingOptions {
  database: Database;
  clock: Clock;
  reports: Pick<Reports, 'filedBy'>;
  replays: Pick<Replays, 'underReview'>;
}

export type Standing = ReturnType<typeof createService>;

/** Reads the time-out, bans, reports and reviews of a person, for that person. */
export function createService({ database: { prisma }, clock, reports, replays }: StandingOptions) {
  return {
    of: async (playerGuid: string) => {
      const now = clock.now();
      const [penalty, bans, filed, reviewed] = await Promise.all([
        penaltyOf(prisma, playerGuid, now),
        bansInForce(prisma, playerGuid, now),
        reports.filedBy(playerGuid),
        replays.underReview(playerGuid),
      ]);
      return {
        penalty: penalty && { reason: penalty.reason, until: isoTime(penalty.until) },
        bans: bans.map(({ reason, until }) => ({ reason, until: isoTimeOrNull(until) })),
        reports: filed,
        replays: reviewed,
      };
    },
  };
}
