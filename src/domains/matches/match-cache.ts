import type { Database } from '../../platform/database/database.ts';
import { dropOldest } from '../../platform/drop-oldest.ts';
import { type Committed, isNewest, loadMatch, type StoredMatch } from './store.ts';
import type { ReplayVerdicts } from './view.ts';

interface CacheEntry {
  match: StoredMatch;
  /** The exclusive period of the node in which it was read or stored; null: there were other nodes. */
  exclusivePeriod: object | null;
}

/** Far more than one node plays at once; a state takes some dozen kilobytes. */
const MOST = 2000;

export type MatchCache = ReturnType<typeof createMatchCache>;

/**
 * The running matches that this node used or delivered last, so that most commands and reads find them in memory.
 * The database stays the truth: a change that was decided from a cached state is stored only if its version is
 * still the newest, and a cached state is shown only if no other node can have stored a newer one, or the database says
 * that none has.
 */
export function createMatchCache({
  database,
  exclusivePeriod,
}: {
  database: Database;
  /** The current period in which no other node writes, an object for each; null while one may. */
  exclusivePeriod(): object | null;
}) {
  /** In the order of their last change. null: the match ended, or it is unknown what was stored of it. */
  const entries = new Map<string, CacheEntry | null>();

  const put = (matchGuid: string, entry: CacheEntry | null): void => {
    entries.delete(matchGuid);
    entries.set(matchGuid, entry);
    dropOldest(entries, MOST);
  };

  /** Two reads may be answered in the opposite order, so only a newer match replaces a cached one. */
  const remember = (match: StoredMatch, during: object | null): void => {
    const { matchGuid, version, endedAt } = match.state;
    const known = entries.get(matchGuid);
    if (known === null) return;
    if (endedAt !== null) {
      put(matchGuid, null);
      return;
    }
    if (known !== undefined) {
      const { state, replays } = known.match;
      if (version < state.version) return;
      // The same match: only a read in an exclusive period says more.
      if (version === state.version && match.replays.length <= replays.length && during === null) return;
    }
    // Verdicts are only added. One that was stored after this match was read is cached already.
    const isBehind = known !== undefined && known.match.replays.length > match.replays.length;
    const newest = isBehind ? { ...match, replays: known.match.replays } : match;
    put(matchGuid, { match: newest, exclusivePeriod: during });
  };

  /** The match as the database has it; null when there is none. */
  const load = async (matchGuid: string): Promise<StoredMatch | null> => {
    const during = exclusivePeriod();
    const match = await loadMatch(database, matchGuid);
    if (match !== null) remember(match, during);
    return match;
  };

  return {
    load,
    /** A match was read that another node had changed. */
    remember: (match: StoredMatch): void => remember(match, null),
    /** The newest state of a running match that this node knows, maybe outdated; null when it knows none. */
    cached: (matchGuid: string): StoredMatch | null => entries.get(matchGuid)?.match ?? null,
    /**
     * The match as it is now; null when there is none. If another node may write, the database is asked whether the
     * cached one is the newest.
     */
    current: async (matchGuid: string): Promise<StoredMatch | null> => {
      const entry = entries.get(matchGuid);
      if (!entry) return load(matchGuid);
      const during = exclusivePeriod();
      if (during !== null && entry.exclusivePeriod === during) return entry.match;
      if (!(await isNewest(database, entry.match))) return load(matchGuid);
      if (entries.get(matchGuid) === entry) entries.set(matchGuid, { ...entry, exclusivePeriod: during });
      return entry.match;
    },
    /** Stores the next state of a match with `commit`, which answers null when another writer was first. */
    store: async <T extends Committed | null>(
      { state, sequence }: Pick<StoredMatch, 'state' | 'sequence'>,
      commit: () => Promise<T>,
    ): Promise<T> => {
      const during = exclusivePeriod();
      try {
        const stored = await commit();
        if (stored) remember({ state, sequence, ratings: null, replays: stored.replays }, during);
        return stored;
      } catch (error) {
        // The connection may have broken after the commit.
        put(state.matchGuid, null);
        throw error;
      }
    },
    /** A verdict was stored. One that another node stores meanwhile is missing until the database is asked. */
    addVerdict: (matchGuid: string, verdict: ReplayVerdicts[number]): void => {
      const known = entries.get(matchGuid);
      if (!known) return;
      const { match } = known;
      const isOfSamePlay = ({ roundNumber, playerGuid }: ReplayVerdicts[number]): boolean =>
        roundNumber === verdict.roundNumber && playerGuid === verdict.playerGuid;
      // It may have been read with a change that was stored after it.
      if (match.replays.some(isOfSamePlay)) return;
      put(matchGuid, { ...known, match: { ...match, replays: [...match.replays, verdict] } });
    },
  };
}
