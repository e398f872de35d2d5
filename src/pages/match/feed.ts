import type { MatchCause, PublicMatch } from '../../domains/matches/index.ts';
import { type Followed, follow } from '../follow.ts';

/** A match as the event stream tells it. */
export interface MatchFeed {
  match: PublicMatch;
  cause: MatchCause | null;
  /** Milliseconds to add to this computer's clock to get the server's. */
  offsetMs: number;
}

export type FollowedMatch = Followed<MatchFeed>;

/** Follows a match in all tabs over one connection. */
export const followMatch = (matchGuid: string, show: (followed: FollowedMatch) => void): (() => void) =>
  follow<MatchFeed>({
    address: `matches/${matchGuid}/events`,
    as: 'match',
    events: ['match', 'end'],
    last: 'end',
    reduce: (state, type, data) => {
      if (type === 'end' && state !== null) return state;
      const { time, match, cause } = data as { time: string; match: PublicMatch; cause: MatchCause | null };
      return { match, cause, offsetMs: Date.parse(time) - Date.now() };
    },
    show,
  });

/** The server's time now, milliseconds since 1970; null before the first event. */
export const serverNow = (feed: MatchFeed | null): number | null => feed && Date.now() + feed.offsetMs;
