import type { FollowedMatch, MatchContext, MatchesOptions } from './context.ts';
import { type Announcement, type Step, stepsSince } from './delivery.ts';
import { type DisplayCache, loadPublicExtras } from './display.ts';
import type { FeedMatch } from './feed-schemas.ts';
import { changedMatches, runningSpans, spansSince } from './following-store.ts';
import { loadShown } from './list-store.ts';
import { changesSince } from './log-store.ts';
import type { ProgressReport, ProgressReports } from './progress.ts';
import { loadPublicMatch } from './reading.ts';
import { type MatchState, seatOf } from './state.ts';
import { causeFor, feedView, isRunning, publicView } from './view.ts';

export type { MatchSpan } from './following-store.ts';

interface FollowingOptions
  extends Omit<MatchContext, 'display'>,
    Pick<MatchesOptions, 'isFollowed' | 'followedVersion' | 'onFollowed'> {
  display: Pick<DisplayCache, 'cached' | 'names'>;
  progressIn: ProgressReports['in'];
}

export type Following = ReturnType<typeof createFollowing>;

/** Shows changes of matches to those who follow them. Its players get them before. */
export function createFollowing(options: FollowingOptions) {
  const { database, logger, rulebook, cache, display, progressIn, isFollowed, onFollowed } = options;
  const { prisma } = database;

  /** Changes are shown one after the other, in the order in which they were stored here. */
  let shown = Promise.resolve();
  const inTurn = (matchGuid: string, show: () => Promise<void>): void => {
    shown = shown
      .then(show)
      .catch((error: unknown) => logger.debug({ err: error, matchGuid }, 'a change could not be shown'));
  };

  /**
   * The changes of a match between two versions, from its log: other nodes stored them. They are left out when the log
   * does not lead there.
   */
  const stepsBetween = async (matchGuid: string, after: number, before: number): Promise<Step[]> => {
    if (before <= after + 1) return [];
    try {
      const [match] = await changesSince(database, [{ matchGuid, version: 0 }]);
      const rules = match && rulebook.find(match.state.rulesVersion);
      if (!rules) return [];
      const steps = stepsSince(null, match, rules);
      return steps.filter(({ state: { version } }) => version > after && version < before);
    } catch (error) {
      logger.warn({ err: error, matchGuid }, 'changes could not be shown');
      return [];
    }
  };

  return {
    /** Shows changes that this node has stored, after those of other nodes that came before. */
    announce: ({ steps, extras }: Announcement): void => {
      const [{ state: first }] = steps;
      if (!isFollowed(first.matchGuid)) return;
      inTurn(first.matchGuid, async () => {
        const names = await display.names(first);
        const known = options.followedVersion(first.matchGuid) ?? first.version;
        for (const { state, cause } of [
          ...(await stepsBetween(first.matchGuid, known, first.version)),
          ...steps,
        ]) {
          const match = publicView(state, { ...extras, names, progress: progressIn(state) });
          onFollowed({ match, cause: causeFor(state, null, cause) }, 'change');
        }
      });
    },

    /** Shows the progress of a download, which is no change. */
    announceProgress: ({ matchGuid, reporterGuid }: ProgressReport): void => {
      if (!isFollowed(matchGuid)) return;
      const isDownloading = (state: MatchState): boolean =>
        state.version >= (options.followedVersion(matchGuid) ?? 0) && progressIn(state).has(reporterGuid);
      inTurn(matchGuid, async () => {
        const cached = cache.cached(matchGuid);
        // Another node may have stored the change that began the download, or a later one.
        const found = cached && isDownloading(cached.state) ? cached : await cache.load(matchGuid);
        const seat = found && seatOf(found.state, reporterGuid);
        if (!found || seat === null || !isDownloading(found.state)) return;
        const { state, ratings, replays } = found;
        const [displayed, names] = await Promise.all([display.cached(state), display.names(state)]);
        const progress = progressIn(state);
        const match = publicView(state, { ratings, replays, display: displayed, names, progress });
        onFollowed({ match, cause: causeFor(state, null, { type: 'readyChanged', seat }) }, 'progress');
      });
    },

    /** A match as it is stored; null when there is none. */
    stored: (matchGuid: string) => loadPublicMatch(database, matchGuid),

    /** The changes of these matches since the known versions, in order for each match. */
    changedSince: async (
      known: readonly { matchGuid: string; version: number }[],
    ): Promise<FollowedMatch[]> => {
      const changed = await changedMatches(database, known);
      const extras = await loadPublicExtras(prisma, changed);
      const versions = new Map(known.map(({ matchGuid, version }) => [matchGuid, version]));
      const shownMatches: FollowedMatch[] = [];
      for (const { state: last, cause: lastCause, endVersion, ...match } of changed) {
        const { matchGuid } = last;
        const newest = endVersion ?? last.version;
        const missed = await stepsBetween(matchGuid, versions.get(matchGuid) ?? newest, newest);
        for (const { state, cause } of missed)
          shownMatches.push({
            match: publicView(state, { ...match, ...extras, endVersion: null }),
            cause: causeFor(state, null, cause),
          });
        shownMatches.push({
          match: publicView(last, {
            ...match,
            ...extras,
            endVersion,
            ...(isRunning(last) && { progress: progressIn(last) }),
          }),
          cause: lastCause && causeFor(last, null, lastCause),
        });
      }
      return shownMatches;
    },

    /** The summaries of these matches, newest first. */
    summaries: async (matchGuids: readonly string[]): Promise<FeedMatch[]> => {
      if (matchGuids.length === 0) return [];
      const matches = await loadShown(database, matchGuids);
      const extras = await loadPublicExtras(prisma, matches);
      return matches.map(({ state, ...match }) => feedView(state, { ...match, ...extras }));
    },

    runningSpans: () => runningSpans(database),
    spansSince: (since: number, matchGuids: readonly string[]) =>
      spansSince(database, new Date(since), matchGuids),
  };
}
