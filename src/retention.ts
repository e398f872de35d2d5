import type { Config } from './config.ts';
import { expireAudit } from './domains/audit/index.ts';
import { expirePlatformIdRefusals, PLATFORM_ID_REFUSAL_MS } from './domains/auth/index.ts';
import { expireMessages } from './domains/connections/index.ts';
import { expireFailedChecks, expireKeys, expireQuestions, expireVersions } from './domains/maps/index.ts';
import { expirePenalties } from './domains/penalties/index.ts';
import { expireErasedIdentities } from './domains/players/index.ts';
import { expireReports } from './domains/reports/index.ts';
import { expirePendingLogins, expireSessions } from './domains/sessions/index.ts';
import { eachOnItsOwn, inBatches } from './platform/batches.ts';
import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/database/database.ts';
import type { Expiry } from './platform/database/expiry.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AT_ONCE = 1000;

type RetentionOptions = { database: Database; clock: Clock } & Pick<
  Config,
  'auditRetentionDays' | 'penaltyRetentionDays' | 'reportRetentionDays' | 'mapHostRetentionDays'
>;

/**
 * One table of the data that are removed from the database after some time. docs/operations.md also names the data that
 * are never removed, and the rows that other tasks remove.
 */
export function createRetention({ database, clock, ...config }: RetentionOptions) {
  const mapHostMs = config.mapHostRetentionDays * DAY_MS;
  const kept: [remove: Expiry, forMs: number][] = [
    [expireAudit, config.auditRetentionDays * DAY_MS],
    [expirePenalties, config.penaltyRetentionDays * DAY_MS],
    [expireReports, config.reportRetentionDays * DAY_MS],
    [expireVersions, mapHostMs],
    [expireKeys, mapHostMs],
    [expireFailedChecks, mapHostMs],
    // These have their end in the row.
    [expirePendingLogins, 0],
    [expireSessions, 0],
    [expireQuestions, 0],
    // These go with the last ban and penalty.
    [expireErasedIdentities, 0],
    [expirePlatformIdRefusals, PLATFORM_ID_REFUSAL_MS],
    // A node takes its messages within a second. These are for a node that has died.
    [expireMessages, HOUR_MS],
  ];
  return {
    /**
     * Removes rows whose time is over. A table that fails keeps no other one from it.
     * @throws the first error, after all rows that could be removed are
     */
    removeExpired: (): Promise<void> =>
      eachOnItsOwn(kept, ([remove, forMs]) =>
        inBatches(AT_ONCE, async (most) => {
          const removed = await remove(database, new Date(clock.now() - forMs), most);
          return removed.length;
        }),
      ),
  };
}
