import type { PublicMatch } from '../../domains/matches/index.ts';
import type { FollowOptions } from '../follow.ts';

/** A match as its event stream tells it. */
export interface MatchFeed<Match = PublicMatch> {
  match: Match;
  /** Milliseconds to add to this computer's clock to get the server's. */
  offsetMs: number;
}

/** How the stream of a match is followed: all pages that show it share one connection. */
export const matchFeed = <Match = PublicMatch>(): Omit<
  FollowOptions<MatchFeed<Match>>,
  'address' | 'show'
> => ({
  as: 'match',
  events: ['match', 'end'],
  last: 'end',
  reduce: (state, type, data) => {
    if (type === 'end' && state !== null) return state;
    const { time, match } = data as { time: string; match: Match };
    return { match, offsetMs: Date.parse(time) - Date.now() };
  },
});

/** The server's time now, milliseconds since 1970; null before the first event. */
export const serverNow = (feed: MatchFeed | null): number | null => feed && Date.now() + feed.offsetMs;
