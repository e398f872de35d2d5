import { withoutDeadline } from '../../platform/database/deadline.ts';
import { commonErrors } from '../../platform/errors.ts';
import { RATES } from '../../platform/limits.ts';
import { TokenBuckets } from '../../platform/rate-limit.ts';
import { tooMany } from '../../platform/socket/refusals.ts';
import type { MatchContext, MatchesOptions } from './context.ts';
import type { Delivery } from './delivery.ts';
import type { Following } from './following.ts';
import type { ProgressReport, ProgressReports } from './progress.ts';
import type { Runner, Seated } from './runner.ts';
import { playersOf, type ReadyState, type SeatName, seatOf } from './state.ts';

export interface ReadyReport {
  roundNumber: number;
  state: ReadyState;
  /** 0…1 of a download; null: the report has none. */
  progress: number | null;
}

interface ReadyReportsOptions
  extends MatchContext,
    Pick<MatchesOptions, 'config' | 'relayProgress' | 'redis' | 'nodeGuid' | 'isFollowed'> {
  progress: ProgressReports;
  delivery: Delivery;
  runner: Runner;
  following: Pick<Following, 'announceProgress'>;
}

/** The channel on which all nodes hear of the progress of downloads. */
const CHANNEL = 'progress';

/** Changes of a player's state in one round. A player who prepares a map makes a few. */
const CHANGES_AT_ONCE = 40;

/** A report for the nodes with one of these players, and for those on which the match is followed. */
interface PublishedReport {
  from: string;
  playerGuids: string[];
  report: ProgressReport;
}

/** The reports of players about their preparation. */
export function createReadyReports(options: ReadyReportsOptions) {
  const { clock, logger, redis, nodeGuid, cache, progress, delivery, following, runner, isFollowed } =
    options;
  const { rateLimitFactor } = options.config;
  const buckets = new TokenBuckets(
    { perSecond: RATES.readyChanges.most, burst: CHANGES_AT_ONCE },
    rateLimitFactor,
    clock,
  );

  /**
   * Limits the reports that may change a match or have to read one. Each change is a line of the log, and a player could
   * alternate two states as long as the preparation lasts. A report that repeats what this node knows does not count.
   * @throws RATE_LIMITED
   */
  const requireRate = (playerGuid: string, matchGuid: string, said: Omit<ReadyReport, 'progress'>): void => {
    const match = cache.cached(matchGuid)?.state;
    const seat = match ? seatOf(match, playerGuid) : null;
    const isSeated = match !== undefined && seat !== null;
    const isRepeat =
      isSeated &&
      match.status === 'preparing' &&
      match.roundNumber === said.roundNumber &&
      match.seats[seat].ready === said.state;
    if (isRepeat) return;
    const waitMs = buckets.take(isSeated ? `${matchGuid} ${match.roundNumber} ${playerGuid}` : playerGuid);
    if (waitMs > 0) throw commonErrors.RATE_LIMITED({ message: tooMany(waitMs) });
  };

  /** Another node has sent the progress of a download for players who are, or were, connected here. */
  const receiveProgress = async (playerGuids: readonly string[], report: ProgressReport): Promise<void> => {
    progress.note(report);
    following.announceProgress(report);
    for (const playerGuid of playerGuids) await delivery.deliverProgress(playerGuid, report);
  };

  const receivePublished = async (message: Buffer): Promise<void> => {
    const { from, playerGuids, report }: PublishedReport = JSON.parse(message.toString());
    if (from === nodeGuid()) return;
    const here = playerGuids.filter(delivery.isConnected);
    if (here.length > 0 || isFollowed(report.matchGuid)) await receiveProgress(here, report);
  };

  redis?.subscribe(CHANNEL, (message) => {
    receivePublished(message).catch((error: unknown) =>
      logger.debug({ err: error }, 'the progress of a download could not be received'),
    );
  });

  /**
   * Delivers the progress of a download to both players of its match, on whatever node they are connected, and to those who
   * follow it. Without Redis the database carries it, to the players alone.
   * @param here false: the players of this node have it already
   */
  const deliverProgress = async (report: ProgressReport, here: boolean): Promise<void> => {
    try {
      const match = cache.cached(report.matchGuid) ?? (await cache.load(report.matchGuid));
      const playerGuids = match ? playersOf(match.state) : [];
      if (here) following.announceProgress(report);
      const published: PublishedReport = { from: nodeGuid(), playerGuids, report };
      const isPublished = redis?.publish(CHANNEL, Buffer.from(JSON.stringify(published))) ?? false;
      for (const playerGuid of playerGuids) {
        if (delivery.isConnected(playerGuid)) {
          if (here) await delivery.deliverProgress(playerGuid, report);
        } else if (!isPublished) await options.relayProgress(playerGuid, report);
      }
    } catch (error) {
      logger.debug({ err: error, ...report }, 'the progress of a download could not be delivered');
    }
  };

  return {
    deliverProgress,
    receiveProgress,

    /**
     * Stores a report, or merges it: the share of a download alone is no change of the match.
     * @throws RATE_LIMITED, the refusal of the rules
     */
    report: async (
      playerGuid: string,
      matchGuid: string,
      { progress: share, ...said }: ReadyReport,
      arrivedAt: number,
    ): Promise<Seated> => {
      requireRate(playerGuid, matchGuid, said);
      const event = (seat: SeatName) => ({ type: 'setReady', seat, ...said }) as const;
      const apply = () => runner.applyAs(playerGuid, matchGuid, event, arrivedAt);
      if (said.state !== 'downloading') {
        progress.forget(playerGuid);
        return apply();
      }
      const unchanged = await runner.unchangedBy(playerGuid, matchGuid, event);
      const { roundNumber } = said;
      const report = { reporterGuid: playerGuid, matchGuid, roundNumber, progress: share };
      if (unchanged === null && share === null) {
        progress.forget(playerGuid);
        return apply();
      }
      if (unchanged === null) {
        progress.note(report);
        const changed = await apply();
        void withoutDeadline(() => deliverProgress(report, false));
        return changed;
      }
      // In a later phase it is a repeat, and nothing is delivered.
      const { status, roundNumber: current } = unchanged.state;
      if (status === 'preparing' && current === roundNumber) progress.merge(report);
      return unchanged;
    },
  };
}
