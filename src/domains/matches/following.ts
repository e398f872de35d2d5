import type { FollowedMatch, MatchContext, MatchesOptions } from './context.ts';
import type { Announcement } from './delivery.ts';
import { type DisplayCache, loadDisplay } from './display.ts';
import type { FeedMatch } from './feed-schemas.ts';
import { changedMatches, phasesSince, runningPhases } from './following-store.ts';
import { loadShown, type ShownMatch } from './list-store.ts';
import { loadNames } from './names-store.ts';
import type { ProgressReport, ProgressReports } from './progress.ts';
import { type MatchState, seatOf } from './state.ts';
import { feedView, type PublicExtras, publicCause, publicView } from './view.ts';

export type { MatchPhase } from './following-store.ts';

interface FollowingOptions
  extends Omit<MatchContext, 'display'>,
    Pick<MatchesOptions, 'isFollowed' | 'onFollowed'> {
  display: Pick<DisplayCache, 'cached' | 'names'>;
  progressIn: ProgressReports['in'];
}

export type Following = ReturnType<typeof createFollowing>;

/** Shows changes of matches to those who follow them. Players are told before. */
export function createFollowing(options: FollowingOptions) {
  const { database, logger, cache, display, progressIn, isFollowed, onFollowed } = options;
  const { prisma } = database;

  /** Changes are shown one after the other, in the order in which they were stored here. */
  let shown = Promise.resolve();
  const inTurn = (matchGuid: string, show: () => Promise<void>): void => {
    shown = shown
      .then(show)
      .catch((error: unknown) => logger.debug({ err: error, matchGuid }, 'a change could not be shown'));
  };

  const extrasOf = async (
    matches: readonly ShownMatch[],
  ): Promise<Pick<PublicExtras, 'display' | 'names'>> => {
    const states = matches.map(({ state }) => state);
    const [displayed, names] = await Promise.all([loadDisplay(prisma, states), loadNames(prisma, states)]);
    return { display: displayed, names };
  };

  return {
    /** Shows changes that this node has stored. */
    announce: ({ steps, extras }: Announcement): void => {
      const [{ state: first }] = steps;
      if (!isFollowed(first.matchGuid)) return;
      inTurn(first.matchGuid, async () => {
        const names = await display.names(first);
        for (const { state, cause } of steps) {
          const match = publicView(state, { ...extras, names, progress: progressIn(state) });
          onFollowed({ match, cause: publicCause(state, cause) }, 'change');
        }
      });
    },

    /** Shows the progress of a download, which is no change. */
    announceProgress: ({ matchGuid, reporterGuid }: ProgressReport): void => {
      if (!isFollowed(matchGuid)) return;
      inTurn(matchGuid, async () => {
        const found = cache.cached(matchGuid) ?? (await cache.load(matchGuid));
        const seat = found && seatOf(found.state, reporterGuid);
        if (!found || seat === null || found.state.endedAt !== null) return;
        const { state, ratings, replays }: { state: MatchState } & Pick<ShownMatch, 'ratings' | 'replays'> =
          found;
        const [displayed, names] = await Promise.all([display.cached(state), display.names(state)]);
        const progress = progressIn(state);
        const match = publicView(state, { ratings, replays, display: displayed, names, progress });
        onFollowed({ match, cause: publicCause(state, { type: 'readyChanged', seat }) }, 'progress');
      });
    },

    /** Those of these matches that have a greater version than the known one, as they are stored. */
    changedSince: async (
      known: readonly { matchGuid: string; version: number }[],
    ): Promise<FollowedMatch[]> => {
      const changed = await changedMatches(database, known);
      const extras = await extrasOf(changed);
      return changed.map(({ state, cause, ...match }) => ({
        match: publicView(state, { ...match, ...extras }),
        cause: cause && publicCause(state, cause),
      }));
    },

    /** These matches in few words, newest first. */
    inFewWords: async (matchGuids: readonly string[]): Promise<FeedMatch[]> => {
      if (matchGuids.length === 0) return [];
      const matches = await loadShown(database, matchGuids);
      const extras = await extrasOf(matches);
      return matches.map(({ state, ...match }) => feedView(state, { ...match, ...extras }));
    },

    runningPhases: () => runningPhases(database),
    phasesSince: (since: number, matchGuids: readonly string[]) => phasesSince(database, since, matchGuids),
  };
}
