import { withoutDeadline } from '../../platform/database/deadline.ts';
import type { MatchContext, MatchesOptions } from './context.ts';
import type { Delivery } from './delivery.ts';
import type { Following } from './following.ts';
import type { ProgressReport, ProgressReports } from './progress.ts';
import type { Runner, Seated } from './runner.ts';
import { playersOf, type ReadyState, type SeatName } from './state.ts';

export interface ReadyReport {
  roundNumber: number;
  state: ReadyState;
  /** 0…1 of a download; null: the report has none. */
  progress: number | null;
}

interface ReadinessOptions extends MatchContext, Pick<MatchesOptions, 'relayProgress' | 'redis'> {
  progress: ProgressReports;
  delivery: Delivery;
  runner: Runner;
  following: Pick<Following, 'announceProgress'>;
}

/** The channel on which all nodes hear of the progress of downloads in a match. */
const channelOf = (matchGuid: string): string => `progress:${matchGuid}`;

/** The reports of players about their preparation. */
export function createReadiness(options: ReadinessOptions) {
  const { logger, redis, cache, progress, delivery, following, runner, relayProgress } = options;

  /**
   * Delivers the progress of a download to both players of its match, on whatever node they are connected.
   * @param here false: the players of this node have it already
   */
  const deliverProgress = async (report: ProgressReport, here: boolean): Promise<void> => {
    try {
      const match = cache.cached(report.matchGuid) ?? (await cache.load(report.matchGuid));
      if (here) following.announceProgress(report);
      redis?.publish(channelOf(report.matchGuid), Buffer.from(JSON.stringify(report)));
      for (const playerGuid of match ? playersOf(match.state) : []) {
        if (!delivery.isConnected(playerGuid)) await relayProgress(playerGuid, report);
        else if (here) await delivery.deliverProgress(playerGuid, report);
      }
    } catch (error) {
      logger.debug({ err: error, ...report }, 'the progress of a download could not be delivered');
    }
  };

  /** A node with a player of the match is sent the report for that player. @throws SyntaxError for what is no report */
  const overhear = async (matchGuid: string, message: Buffer): Promise<void> => {
    const report: ProgressReport | null = JSON.parse(message.toString());
    if (report?.matchGuid !== matchGuid || typeof report.progress !== 'number') return;
    const match = cache.cached(matchGuid) ?? (await cache.load(matchGuid));
    if (match === null || playersOf(match.state).some(delivery.isConnected)) return;
    progress.note(report);
    following.announceProgress(report);
  };

  return {
    deliverProgress,

    /** Hears of the progress of downloads in a match that is followed here. @returns stops it */
    followProgress: (matchGuid: string): (() => void) => {
      const subscription = redis?.subscribe(channelOf(matchGuid), (message) => {
        overhear(matchGuid, message).catch((error: unknown) =>
          logger.debug({ err: error, matchGuid }, 'the progress of a download could not be shown'),
        );
      });
      return () => subscription?.end();
    },

    /** Stores a report, or merges it: the share of a download alone is no change of the match. */
    report: async (
      playerGuid: string,
      matchGuid: string,
      { progress: share, ...said }: ReadyReport,
      arrivedAt: number,
    ): Promise<Seated> => {
      const event = (seat: SeatName) => ({ type: 'setReady', seat, ...said }) as const;
      if (share === null || said.state !== 'downloading') {
        progress.forget(playerGuid);
        return runner.applyAs(playerGuid, matchGuid, event, arrivedAt);
      }
      const unchanged = await runner.preview(playerGuid, matchGuid, event);
      const { roundNumber } = said;
      const report = { reporterGuid: playerGuid, matchGuid, roundNumber, progress: share };
      if (unchanged === null) {
        progress.note(report);
        const changed = await runner.applyAs(playerGuid, matchGuid, event, arrivedAt);
        void withoutDeadline(() => deliverProgress(report, false));
        return changed;
      }
      // In a later phase it is a repeat, and nothing is delivered.
      const { status, roundNumber: current } = unchanged.state;
      if (status === 'preparing' && current === roundNumber) progress.merge(report);
      return unchanged;
    },

    /** Another node sends the progress of a download for a player who was connected here. */
    receiveProgress: async (playerGuid: string, report: ProgressReport): Promise<void> => {
      progress.note(report);
      following.announceProgress(report);
      await delivery.deliverProgress(playerGuid, report);
    },
  };
}
