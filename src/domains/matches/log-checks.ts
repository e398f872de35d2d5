import { inBatches } from '../../platform/batches.ts';
import type { MatchContext } from './context.ts';
import type { BrokenLog } from './delivery.ts';
import { problemOfLog } from './evidence.ts';
import { markReplayed, selectUnreplayed } from './log-checks-store.ts';
import { loadMatch } from './store.ts';

/** Logs that are played again in one batch. One takes a few milliseconds of a processor. */
const AT_ONCE = 20;

interface LogChecksOptions extends Pick<MatchContext, 'database' | 'rulebook'> {
  onBroken(broken: BrokenLog): void;
}

/**
 * Plays the log of every ended match again, by the rules of its version. A log that does not lead to what is stored is
 * reported once and changes nothing.
 */
export function createLogChecks({ database, rulebook, onBroken }: LogChecksOptions) {
  let count = 0;

  const check = async (matchGuid: string): Promise<BrokenLog | null> => {
    const found = await loadMatch(database, matchGuid);
    if (found === null) return null;
    const reason = await problemOfLog(database, found, rulebook);
    return { matchGuid, version: found.state.version, reason: reason ?? '' };
  };

  return {
    /** How many logs this node has played again since its start. */
    replayedLogs: () => count,

    /** Plays the logs of matches that have ended, or were corrected, since the last time. */
    replayEndedLogs: (): Promise<void> =>
      inBatches(AT_ONCE, async (most) => {
        const found = await selectUnreplayed(database, rulebook.versions, most);
        const checked: BrokenLog[] = [];
        for (const { matchGuid } of found) {
          const one = await check(matchGuid);
          if (one !== null) checked.push(one);
        }
        const marked = await markReplayed(
          database,
          checked.map(({ matchGuid }) => matchGuid),
          checked.map(({ version }) => version),
        );
        count += marked.length;
        const isMarked = new Set(marked.map(({ matchGuid }) => matchGuid));
        for (const one of checked) if (one.reason !== '' && isMarked.has(one.matchGuid)) onBroken(one);
        return found.length;
      }),
  };
}
