import type { Database } from '../../platform/database/database.ts';
import { type Committed, loadMatch, type StoredMatch } from './store.ts';
import type { ReplayVerdicts } from './view.ts';

/**
 * The running matches this node has dealt with lately, so that most commands and questions need not read
 * them again. The database stays the truth: what is decided from a state that was only seen is stored if its
 * version is still the newest, and a state is shown only where nobody else can have stored a newer one.
 */
export interface RecentMatches {
  /** The newest state this node has seen of a running match; null when it has seen none. May be outdated. */
  seen(matchGuid: string): StoredMatch | null;
  /** The match as it is now, from the database only where it must be; null when there is none. */
  current(matchGuid: string): Promise<StoredMatch | null>;
  /** The match as the database has it; null when there is none. */
  load(matchGuid: string): Promise<StoredMatch | null>;
  /** Has the next state of a match stored; `commit` returns nothing true when somebody else was faster. */
  store<T extends Committed | null>(
    match: Pick<StoredMatch, 'state' | 'sequence'>,
    commit: () => Promise<T>,
  ): Promise<T>;
  /** Verdicts were stored beside the match as it was in this version; null: nobody knows beside which. */
  judged(matchGuid: string, stored: { version: number; replays: ReplayVerdicts } | null): Promise<void>;
}

interface Sight {
  match: StoredMatch;
  /** The exclusive period of the node in which it was seen; null: there were other nodes. */
  exclusivePeriod: object | null;
}

/** Far more than one node plays at once; a state takes some dozen kilobytes. */
const MOST = 2000;

export function createRecentMatches(options: {
  database: Database;
  /** The current period in which no other node writes, an object for each; null while one may. */
  exclusivePeriod(): object | null;
}): RecentMatches {
  const { database, exclusivePeriod } = options;
  /** By the time of the last change. null: ended, or nobody knows what was stored: that is asked for anew. */
  const sights = new Map<string, Sight | null>();

  const put = (matchGuid: string, sight: Sight | null): void => {
    sights.delete(matchGuid);
    sights.set(matchGuid, sight);
    if (sights.size <= MOST) return;
    for (const oldest of sights.keys()) {
      sights.delete(oldest);
      break;
    }
  };

  /** Answers of the database overtake each other: only what is newer replaces what was seen. */
  const note = (match: StoredMatch, during: object | null): void => {
    const { matchGuid, version, endedAt } = match.state;
    const known = sights.get(matchGuid);
    if (known === null) return;
    if (endedAt !== null) put(matchGuid, null);
    else if (known === undefined) put(matchGuid, { match, exclusivePeriod: during });
    else {
      const lead = version - known.match.state.version;
      // Of one version the one with more verdicts is newer; of equals the one that nobody else can have changed.
      const added = match.replays.length - known.match.replays.length;
      if (lead > 0 || (lead === 0 && (added > 0 || (added === 0 && during !== null))))
        put(matchGuid, { match, exclusivePeriod: during });
    }
  };

  const load: RecentMatches['load'] = async (matchGuid) => {
    const during = exclusivePeriod();
    const match = await loadMatch(database, matchGuid);
    if (match !== null) note(match, during);
    return match;
  };

  return {
    load,
    seen: (matchGuid) => sights.get(matchGuid)?.match ?? null,
    current: async (matchGuid) => {
      const sight = sights.get(matchGuid);
      return sight?.exclusivePeriod && sight.exclusivePeriod === exclusivePeriod()
        ? sight.match
        : load(matchGuid);
    },
    store: async ({ state, sequence }, commit) => {
      const during = exclusivePeriod();
      try {
        const stored = await commit();
        if (stored) note({ state, sequence, ratings: null, replays: stored.replays }, during);
        return stored;
      } catch (error) {
        // The connection may have broken after the commit: whether it is stored only the database knows.
        put(state.matchGuid, null);
        throw error;
      }
    },
    judged: async (matchGuid, stored) => {
      const known = sights.get(matchGuid);
      if (known === null) return;
      if (stored === null || known?.match.state.version !== stored.version) await load(matchGuid);
      else if (stored.replays.length > known.match.replays.length)
        put(matchGuid, { ...known, match: { ...known.match, replays: stored.replays } });
    },
  };
}
