import { inBatches } from '../../platform/batches.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { isOutOfReach } from '../../platform/database/out-of-reach.ts';
import type { BrokenLogs } from './broken-logs.ts';
import type { MatchContext } from './context.ts';
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

  const replay = async (matchGuid: string, version: number): Promise<void> => {
    const reason = await problemOf(matchGuid);
    const broken = reason === null ? null : { matchGuid, version, reason };
    const isFirst = await inTransaction(database, ['Match'], async (db) => {
      const [marked] = await markReplayed(db, matchGuid, version);
      if (marked !== undefined && broken !== null) await brokenLogs.record(db, broken);
      return marked !== undefined;
    });
    // Another node has played it, too, or the match was changed meanwhile.
    if (!isFirst) return;
    count += 1;
    if (broken !== null) brokenLogs.note(broken);
  };

  return {
    /** How many logs this node has played again since its start. */
    replayedLogs: () => count,

    /**
     * Plays the logs of matches that have ended, or were corrected, since the last time. One that fails keeps no other one from
     * it, and stays for the next time.
     * @throws Error that names the first one that failed, after all others are done
     */
    replayEndedLogs: async (): Promise<void> => {
      const failed = new Map<string, unknown>();
      await inBatches(AT_ONCE, async (most) => {
        const rows = await selectUnreplayed(database, rulebook.versions, most + failed.size);
        const found = rows.filter(({ matchGuid }) => !failed.has(matchGuid));
        for (const { matchGuid, version } of found)
          await replay(matchGuid, version).catch((error: unknown) => {
            if (isOutOfReach(error)) throw error;
            failed.set(matchGuid, error);
          });
        return found.length;
      });
      for (const [matchGuid, cause] of failed)
        throw new Error(`The log of the match ${matchGuid} could not be checked.`, { cause });
    },
  };
}
