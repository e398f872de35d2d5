import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { withoutDeadline } from '../../platform/database/deadline.ts';
import { existing } from '../../platform/errors.ts';
import type { StreamOwner } from '../../platform/http/event-streams.ts';
import { type FollowedMatch, type Matches, matchErrors } from '../matches/index.ts';
import { createMatchFeed, type MatchFeed } from './match-feed.ts';

interface MatchFeedsOptions {
  clock: Clock;
  following: Pick<Matches['following'], 'stored' | 'changedSince'>;
  inSlices(work: Iterator<unknown>): void;
}

/** This node sends its own changes version by version. A version that was read waits this long for them. */
const OWN_FIRST_MS = 50;

interface Followed {
  feed: MatchFeed;
  /** One owner for all streams of the match: an owner per stream would keep the request in memory. */
  owner: StreamOwner;
  /** Settles when the match was read. @throws MATCH_NOT_FOUND */
  ready: Promise<void>;
  /** The number of streams that wait for `ready`. */
  entering: number;
}

/** The matches that somebody follows on this node. */
export function createMatchFeeds({ clock, following, inSlices }: MatchFeedsOptions) {
  const followed = new Map<string, Followed>();

  const read = async (matchGuid: string, feed: MatchFeed) => {
    const match = existing(await following.stored(matchGuid), matchErrors.MATCH_NOT_FOUND);
    feed.change({ match, cause: null });
  };

  const forgetWhenEmpty = (matchGuid: string) => {
    const one = followed.get(matchGuid);
    if (one?.feed.isEmpty() && one.entering === 0) followed.delete(matchGuid);
  };

  const begin = (matchGuid: string): Followed => {
    const feed = createMatchFeed({ clock, inSlices });
    const ready = withoutDeadline(() => read(matchGuid, feed));
    const owner: StreamOwner = {
      onTaken: feed.taken,
      onClosed: (stream) => {
        feed.leave(stream);
        forgetWhenEmpty(matchGuid);
      },
    };
    const one: Followed = { feed, owner, ready, entering: 0 };
    followed.set(matchGuid, one);
    return one;
  };

  /**
   * Sends what other nodes have stored.
   * @param matchGuids of these matches alone; left out: of all that are followed
   */
  const catchUp = async (matchGuids: Iterable<string> = followed.keys()): Promise<void> => {
    const known = [...matchGuids].flatMap((matchGuid) => {
      const match = followed.get(matchGuid)?.feed.match();
      return match && match.endedAt === null ? [{ matchGuid, version: match.version }] : [];
    });
    if (known.length === 0) return;
    const changed = await following.changedSince(known);
    if (changed.length === 0) return;
    await sleep(OWN_FIRST_MS);
    for (const one of changed) followed.get(one.match.matchGuid)?.feed.change(one);
  };

  return {
    isFollowed: (matchGuid: string) => followed.has(matchGuid),
    /** The newest version that was sent to readers; null: none yet. */
    versionOf: (matchGuid: string) => followed.get(matchGuid)?.feed.match()?.version ?? null,

    /**
     * Runs `enter` with the feed of a match and the owner of its streams. The match is read first if nobody follows it, or if
     * the reader has a newer version from another node.
     * @throws MATCH_NOT_FOUND
     */
    with: async <T>(
      matchGuid: string,
      knownVersion: number,
      enter: (feed: MatchFeed, owner: StreamOwner) => T,
    ): Promise<T> => {
      const one = followed.get(matchGuid) ?? begin(matchGuid);
      one.entering += 1;
      try {
        await one.ready;
        if (knownVersion > (one.feed.match()?.version ?? 0)) await catchUp([matchGuid]);
        return enter(one.feed, one.owner);
      } finally {
        one.entering -= 1;
        forgetWhenEmpty(matchGuid);
      }
    },

    /** This node has stored a change of a match, or heard of the progress of a download. */
    onFollowed: (shown: FollowedMatch, kind: 'change' | 'progress'): void => {
      const feed = followed.get(shown.match.matchGuid)?.feed;
      if (kind === 'change') feed?.change(shown);
      else feed?.progress(shown);
    },

    catchUp,
  };
}
