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

/** A report that is to be delivered. */
export interface DueReport {
  report: ProgressReport;
  /** Reported to this node, which tells the other nodes; false: another node has told this one. */
  isOwn: boolean;
}

/** The last delivery of progress to the players of a match on this node, and the next one. */
interface Pace {
  deliveredAt: number;
  /** The newest report of each player who has reported since, in the order of the reports. */
  due: Map<string, DueReport>;
  timer: NodeJS.Timeout | null;
}

/** Reports of players of other nodes, and paces, are only removed by this bound. */
const MOST = 10_000;
/**
 * The players of a match are told of progress at most this often, of both downloads at once: each update is a whole match,
 * and a player's line is busy with the download.
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
  /** @param due of one match, one of each reporter at most, the newest last */
  deliver(matchGuid: string, due: readonly DueReport[]): void;
}) {
  /** The newest report of each player. */
  const reports = new Map<string, ProgressReport>();
  /** By match, in the order of their last use. */
  const paces = new Map<string, Pace>();

  const paceOf = (matchGuid: string): Pace => {
    const pace = paces.get(matchGuid) ?? {
      deliveredAt: Number.NEGATIVE_INFINITY,
      due: new Map(),
      timer: null,
    };
    paces.delete(matchGuid);
    paces.set(matchGuid, pace);
    dropOldest(paces, MOST);
    return pace;
  };

  const forget = (playerGuid: string): void => {
    const known = reports.get(playerGuid);
    if (known === undefined) return;
    reports.delete(playerGuid);
    paces.get(known.matchGuid)?.due.delete(playerGuid);
  };

  const keep = (report: ProgressReport): void => {
    forget(report.reporterGuid);
    reports.set(report.reporterGuid, report);
    dropOldest(reports, MOST);
  };

  const flush = (matchGuid: string, pace: Pace): void => {
    clearTimeout(pace.timer ?? undefined);
    pace.timer = null;
    // Those who waited have said something newer meanwhile, or are gone.
    if (pace.due.size === 0) return;
    const due = [...pace.due.values()];
    pace.due.clear();
    pace.deliveredAt = clock.now();
    deliver(matchGuid, due);
  };

  const add = (due: DueReport): void => {
    const { matchGuid, reporterGuid } = due.report;
    keep(due.report);
    const pace = paceOf(matchGuid);
    pace.due.set(reporterGuid, due);
    // At most an interval, also after the clock was set back.
    const waitMs = Math.min(INTERVAL_MS, pace.deliveredAt + INTERVAL_MS - clock.now());
    if (waitMs <= 0) flush(matchGuid, pace);
    else pace.timer ??= setTimeout(flush, waitMs, matchGuid, pace).unref();
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

    /** Keeps a report of which the players are told with a change of the match, or of which none is connected here. */
    note: (report: ProgressReport): void => {
      keep(report);
      paceOf(report.matchGuid).deliveredAt = clock.now();
    },

    /** Delivers a report to this node now, or at the end of the interval the newest one by then. */
    merge: (report: ProgressReport): void => {
      const known = reports.get(report.reporterGuid);
      const before = known && isOf(known, report) ? known.progress : null;
      if (before !== report.progress) add({ report, isOwn: true });
    },

    /** The same for a report that another node has sent, which left out those in between. */
    receive: (report: ProgressReport): void => add({ report, isOwn: false }),

    /** Removes the report of a player who said something newer, or is gone. */
    forget,
  };
}
