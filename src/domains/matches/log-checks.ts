import { inBatches } from '../../platform/batches.ts';
import { inTransaction } from '../../platform/database/database.ts';
import type { BrokenLogs } from './broken-logs.ts';
import type { MatchContext } from './context.ts';
import type { BrokenLog } from './delivery.ts';
import { problemOfLog } from './evidence.ts';
import { markReplayed, selectUnreplayed } from './log-checks-store.ts';
import { loadMatch } from './store.ts';

/** Logs that are played again in one batch. One takes a few milliseconds of a processor. */
const AT_ONCE = 20;

interface LogChecksOptions extends Pick<MatchContext, 'database' | 'rulebook'> {
  brokenLogs: Pick<BrokenLogs, 'note' | 'record'>;
}

/**
 * Plays the log of every ended match again, by the rules of its version. A log that does not lead to what is stored, or that
 * cannot be read, is reported once and changes nothing.
 */
export function createLogChecks({ database, rulebook, brokenLogs }: LogChecksOptions) {
  let count = 0;

  const problemOf = async (matchGuid: string): Promise<string | null> => {
    try {
      const found = await loadMatch(database, matchGuid);
      return found && (await problemOfLog(database, found, rulebook));
    } catch (error) {
      // A stored state that lacks its parts. Without the database nothing is known of a log.
      if (error instanceof TypeError) return error.message;
      throw error;
    }
  };

  /** Marks a match and, in the same transaction, records its problem. @returns whether this node was the first */
  const settle = async (matchGuid: string, version: number, broken: BrokenLog | null): Promise<boolean> => {
    if (broken === null) return (await markReplayed(database, matchGuid, version)).length > 0;
    return inTransaction(database, ['Match'], async (db) => {
      const [marked] = await markReplayed(db, matchGuid, version);
      if (marked !== undefined) await brokenLogs.record(db, broken);
      return marked !== undefined;
    });
  };

  return {
    /** How many logs this node has played again since its start. */
    replayedLogs: () => count,

    /** Plays the logs of matches that have ended, or were corrected, since the last time. */
    replayEndedLogs: (): Promise<void> =>
      inBatches(AT_ONCE, async (most) => {
        const found = await selectUnreplayed(database, rulebook.versions, most);
        for (const { matchGuid, version } of found) {
          const reason = await problemOf(matchGuid);
          const broken = reason === null ? null : { matchGuid, version, reason };
          if (!(await settle(matchGuid, version, broken))) continue;
          count += 1;
          if (broken !== null) brokenLogs.note(broken);
        }
        return found.length;
      }),
  };
}
