import { recordAudit } from '../audit/index.ts';
import type { MatchContext } from './context.ts';
import type { BrokenLog } from './delivery.ts';

/** Reports logs that do not lead to what is stored: to staff in the audit log, to operators in log and metrics. */
export function createBrokenLogs({
  database,
  clock,
  logger,
}: Pick<MatchContext, 'database' | 'clock' | 'logger'>) {
  let count = 0;
  return {
    /** How many were found since the start. */
    count: () => count,
    report: ({ matchGuid, ...broken }: BrokenLog): void => {
      logger.error({ matchGuid, ...broken }, 'the log of a match does not fit; what is stored stands');
      count += 1;
      recordAudit(database.prisma, {
        at: clock.now(),
        actorGuid: null,
        action: 'foundMatchLogBroken',
        target: `/matches/${matchGuid}`,
        before: null,
        after: broken,
      }).catch((error: unknown) => logger.error({ err: error, matchGuid }, 'a broken log was not recorded'));
    },
  };
}
