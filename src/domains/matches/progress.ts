import type { Clock } from '../../platform/clock.ts';
import { dropOldest } from '../../platform/drop-oldest.ts';
import { type MatchState, SEATS } from './state.ts';
import type { DownloadProgress } from './view.ts';

export interface ProgressReport {
  reporterGuid: string;
  matchGuid: string;
  roundNumber: number;
  /** 0…1; null: the newest report has no progress. */
  progress: number | null;
}

interface Entry {
  report: ProgressReport;
  deliveredAt: number;
  /** Set while the report waits to be delivered. */
  timer: NodeJS.Timeout | null;
}

/** Reports of players of other nodes are only removed by this bound. */
const MOST = 10_000;
/** The progress of one player is delivered at most this often. */
const INTERVAL_MS = 500;

export type ProgressReports = ReturnType<typeof createProgressReports>;

/**
 * The progress of downloads. It is no part of a match: it is kept in memory while the round is prepared, delivered to
 * both players, and lost in a restart.
 */
export function createProgressReports({
  clock,
  deliver,
}: {
  clock: Clock;
  deliver(report: ProgressReport): void;
}) {
  const players = new Map<string, Entry>();

  const forget = (playerGuid: string): void => {
    clearTimeout(players.get(playerGuid)?.timer ?? undefined);
    players.delete(playerGuid);
  };

  const note = (report: ProgressReport): void => {
    forget(report.reporterGuid);
    players.set(report.reporterGuid, { report, deliveredAt: clock.now(), timer: null });
    dropOldest(players, MOST);
  };

  const isOf = (
    { matchGuid, roundNumber }: ProgressReport,
    match: Pick<ProgressReport, 'matchGuid' | 'roundNumber'>,
  ) => matchGuid === match.matchGuid && roundNumber === match.roundNumber;

  return {
    /** The progress of each player of a match in its present round, where it is known. */
    in: (match: MatchState): DownloadProgress => {
      const known = new Map<string, number | null>();
      if (match.status !== 'preparing') return known;
      for (const seat of SEATS) {
        const { playerGuid, ready } = match.seats[seat];
        const report = players.get(playerGuid)?.report;
        if (ready === 'downloading' && report && isOf(report, match)) known.set(playerGuid, report.progress);
      }
      return known;
    },

    /** Keeps a report that the caller delivers now. */
    note,

    /** Delivers a report now, or at the end of the interval the newest one by then. */
    merge: (report: ProgressReport): void => {
      const known = players.get(report.reporterGuid);
      const before = known && isOf(known.report, report) ? known.report.progress : null;
      if (before === report.progress) return;
      // At most an interval, also after the clock was set back.
      const waitMs = known ? Math.min(INTERVAL_MS, known.deliveredAt + INTERVAL_MS - clock.now()) : 0;
      if (known === undefined || waitMs <= 0) {
        note(report);
        deliver(report);
        return;
      }
      known.report = report;
      known.timer ??= setTimeout(() => {
        known.timer = null;
        known.deliveredAt = clock.now();
        deliver(known.report);
      }, waitMs).unref();
    },

    /** Removes the report of a player who said something newer, or is gone. */
    forget,
  };
}
