import type { Db } from '../../platform/database/database.ts';
import { recordAudit } from '../audit/index.ts';
import type { MatchContext } from './context.ts';
import type { BrokenLog } from './delivery.ts';

export type BrokenLogs = ReturnType<typeof createBrokenLogs>;

/** Reports logs that do not lead to what is stored: to staff in the audit log, to operators in log and metrics. */
export function createBrokenLogs({
  database,
  clock,
  logger,
}: Pick<MatchContext, 'database' | 'clock' | 'logger'>) {
  let count = 0;
  const note = (broken: BrokenLog): void => {
    logger.error(broken, 'the log of a match does not fit; what is stored stands');
    count += 1;
  };
  const record = (db: Db, { matchGuid, ...broken }: BrokenLog): Promise<void> =>
    recordAudit(db, {
      at: clock.now(),
      actorGuid: null,
      action: 'foundMatchLogBroken',
      target: `/matches/${matchGuid}`,
      before: null,
      after: broken,
    });
  return {
    /** How many were found since the start. */
    count: () => count,
    /** Tells operators, after the commit of what `record` wrote. */
    note,
    /** Tells staff, in the transaction of the caller. */
    record,
    /** Tells both. */
    report: (broken: BrokenLog): void => {
      note(broken);
      record(database.prisma, broken).catch((error: unknown) =>
        logger.error({ err: error, matchGuid: broken.matchGuid }, 'a broken log was not recorded'),
      );
    },
  };
}
