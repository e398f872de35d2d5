import { withoutDeadline } from '../../platform/database/deadline.ts';
import { commonErrors } from '../../platform/errors.ts';
import { RATES } from '../../platform/limits.ts';
import { TokenBuckets } from '../../platform/rate-limit.ts';
import { tooMany } from '../../platform/socket/refusals.ts';
import type { MatchContext, MatchesOptions } from './context.ts';
import type { Delivery } from './delivery.ts';
import type { Following } from './following.ts';
import type { DueReport, ProgressReport, ProgressReports } from './progress.ts';
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

  /**
   * Another node has sent the progress of a download. Those who follow the match get it now, the players together with
   * other progress of the match.
   * @param playerGuids who are, or were, connected here
   */
  const receiveProgress = (playerGuids: readonly string[], report: ProgressReport): void => {
    if (playerGuids.length > 0) progress.receive(report);
    else progress.note(report);
    following.announceProgress(report);
  };

  redis?.subscribe(CHANNEL, (message) => {
    try {
      const { from, playerGuids, report }: PublishedReport = JSON.parse(message.toString());
      if (from === nodeGuid()) return;
      const here = playerGuids.filter(delivery.isConnected);
      if (here.length > 0 || isFollowed(report.matchGuid)) receiveProgress(here, report);
    } catch (error) {
      logger.debug({ err: error }, 'the progress of a download could not be received');
    }
  });

  const playersIn = async (matchGuid: string): Promise<string[]> => {
    const match = cache.cached(matchGuid) ?? (await cache.load(matchGuid));
    return match ? playersOf(match.state) : [];
  };

  const notDelivered = (error: unknown, matchGuid: string): void =>
    logger.debug({ err: error, matchGuid }, 'the progress of a download could not be delivered');

  /**
   * Sends a report to the other nodes with a player or a follower of its match. Without Redis the database carries it, to the
   * players alone.
   */
  const sendProgress = async (report: ProgressReport): Promise<void> => {
    try {
      const playerGuids = await playersIn(report.matchGuid);
      const published: PublishedReport = { from: nodeGuid(), playerGuids, report };
      if (redis?.publish(CHANNEL, Buffer.from(JSON.stringify(published)))) return;
      for (const playerGuid of playerGuids)
        if (!delivery.isConnected(playerGuid)) await options.relayProgress(playerGuid, report);
    } catch (error) {
      notDelivered(error, report.matchGuid);
    }
  };

  /**
   * Delivers the progress of downloads in one match: to its players on this node in one update, and each report to this node
   * to those who follow the match here and to the other nodes.
   * @param due the newest last
   */
  const deliverProgress = async (matchGuid: string, due: readonly DueReport[]): Promise<void> => {
    for (const { report, isOwn } of due) {
      if (!isOwn) continue;
      following.announceProgress(report);
      void sendProgress(report);
    }
    try {
      const reporterGuids = due.map(({ report }) => report.reporterGuid);
      for (const playerGuid of await playersIn(matchGuid))
        await delivery.deliverProgress(playerGuid, matchGuid, reporterGuids);
    } catch (error) {
      notDelivered(error, matchGuid);
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
      const { roundNumber } = said;
      const isDownload = said.state === 'downloading';
      const unchanged = isDownload ? await runner.unchangedBy(playerGuid, matchGuid, event) : null;
      const report = { reporterGuid: playerGuid, matchGuid, roundNumber, progress: share };
      if (unchanged !== null) {
        // In a later phase it is a repeat, and nothing is delivered.
        const { status, roundNumber: current } = unchanged.state;
        if (status === 'preparing' && current === roundNumber) progress.merge(report);
        return unchanged;
      }
      if (!isDownload || share === null) {
        progress.forget(playerGuid);
        return apply();
      }
      progress.note(report);
      const changed = await apply();
      void withoutDeadline(() => sendProgress(report));
      return changed;
    },
  };
}
