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

/** The last delivery of progress to the players of a match, and the next one. */
interface Interval {
  deliveredAt: number;
  /** Players who have reported since. */
  waiting: Set<string>;
  timer: NodeJS.Timeout | null;
}

/** Reports of players of other nodes, and intervals, are only removed by this bound. */
const MOST = 10_000;
/**
 * The players of a match are told of progress at most this often, of both downloads at once: each update is a whole match, and
 * the line of a player is busy with the download.
 */
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
  /** The newest report of each player. */
  const reports = new Map<string, ProgressReport>();
  /** By match. */
  const intervals = new Map<string, Interval>();

  const forget = (playerGuid: string): void => void reports.delete(playerGuid);

  const keep = (report: ProgressReport): void => {
    forget(report.reporterGuid);
    reports.set(report.reporterGuid, report);
    dropOldest(reports, MOST);
  };

  const delivered = (matchGuid: string): void => {
    const interval = intervals.get(matchGuid);
    if (interval) interval.deliveredAt = clock.now();
    else intervals.set(matchGuid, { deliveredAt: clock.now(), waiting: new Set(), timer: null });
    dropOldest(intervals, MOST);
  };

  const note = (report: ProgressReport): void => {
    keep(report);
    delivered(report.matchGuid);
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
        const report = reports.get(playerGuid);
        if (ready === 'downloading' && report && isOf(report, match)) known.set(playerGuid, report.progress);
      }
      return known;
    },

    /** Keeps a report that the caller delivers now. */
    note,

    /** Delivers a report now, or at the end of the interval the newest ones by then. */
    merge: (report: ProgressReport): void => {
      const { reporterGuid, matchGuid } = report;
      const known = reports.get(reporterGuid);
      const before = known && isOf(known, report) ? known.progress : null;
      if (before === report.progress) return;
      const interval = intervals.get(matchGuid);
      // At most an interval, also after the clock was set back.
      const waitMs = interval ? Math.min(INTERVAL_MS, interval.deliveredAt + INTERVAL_MS - clock.now()) : 0;
      if (interval === undefined || waitMs <= 0) {
        note(report);
        deliver(report);
        return;
      }
      keep(report);
      interval.waiting.add(reporterGuid);
      interval.timer ??= setTimeout(() => {
        interval.timer = null;
        // An update tells of both players. One who has said something newer meanwhile is not waited for.
        const [newest] = [...interval.waiting]
          .flatMap((playerGuid) => reports.get(playerGuid) ?? [])
          .filter((one) => one.matchGuid === matchGuid);
        interval.waiting.clear();
        if (newest === undefined) return;
        delivered(matchGuid);
        deliver(newest);
      }, waitMs).unref();
    },

    /** Removes the report of a player who said something newer, or is gone. */
    forget,
  };
}
