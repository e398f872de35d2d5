import { type Clock, isoTime } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { offencesOf, type PenaltyReason, penaltyOf } from '../penalties/index.ts';
import { bansInForce, type Players } from '../players/index.ts';
import type { Replays } from '../replays/index.ts';
import type { Reports } from '../reports/index.ts';
import { loginsOf } from '../sessions/index.ts';

export interface StandingOptions {
  database: Database;
  clock: Clock;
  players: Pick<Players, 'account'>;
  reports: Pick<Reports, 'filedBy'>;
  replays: Pick<Replays, 'underReview'>;
}

export type Standing = ReturnType<typeof createService>;

const MOST_PENALTIES = 100;

/** Penalties, bans, reports and reviews of a person, in one form for the person and in another one for staff. */
export function createService({ database: { prisma }, clock, players, reports, replays }: StandingOptions) {
  return {
    /** For staff. @throws PLAYER_NOT_FOUND */
    ofPlayer: async (playerGuid: string) => {
      const [account, offences, logins] = await Promise.all([
        players.account(playerGuid),
        offencesOf(prisma, playerGuid, MOST_PENALTIES),
        loginsOf(prisma, playerGuid, clock.now()),
      ]);
      return {
        ...account,
        penalties: offences.map(({ matchGuid, reason, at, until }) => ({
          matchGuid,
          reason: reason as PenaltyReason,
          at: at.toISOString(),
          until: until.toISOString(),
        })),
        logins: logins.map(({ startedAt, endsAt }) => ({
          startedAt: startedAt.toISOString(),
          endsAt: endsAt.toISOString(),
        })),
      };
    },

    /** For the person. */
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
        bans: bans.map(({ reason, until }) => ({ reason, until: until?.toISOString() ?? null })),
        reports: filed,
        replays: reviewed,
      };
    },
  };
}
