import type { Clock } from '../../platform/clock.ts';
import { type MatchState, type ReadyState, SEATS } from './state.ts';
import type { DownloadProgress } from './view.ts';

/**
 * How far downloads are. It is no part of a match: it is kept in memory while the round is prepared, told to both
 * players, and forgotten by a restart.
 */

/** Only the share of a running download is merged: a change of state counts at once. */
export const isDownloadProgress = (state: ReadyState, progress: number | null): boolean =>
  state === 'downloading' && progress !== null;

export interface ProgressReport {
  reporterGuid: string;
  matchGuid: string;
  roundNumber: number;
  /** 0…1 */
  progress: number;
}

export interface ProgressReports {
  /** The download of each player of a match in its present round, where one is known. */
  in(match: MatchState): DownloadProgress;
  /** Keeps a report that is told with something else, now. */
  note(report: ProgressReport): void;
  /** Tells a report, or at the end of the interval whatever is the last one by then. */
  merge(report: ProgressReport): void;
  /** Drops what a player said: something newer was said, or the player is gone. */
  forget(playerGuid: string): void;
}

interface Kept {
  report: ProgressReport;
  toldAt: number;
  /** Set while something waits to be told. */
  timer: NodeJS.Timeout | null;
}

/** Reports of players of other nodes are not forgotten by name: the oldest go first. */
const MOST = 10_000;

export function createProgressReports(options: {
  clock: Clock;
  intervalMs: number;
  tell(report: ProgressReport): void;
}): ProgressReports {
  const { clock, intervalMs, tell } = options;
  const players = new Map<string, Kept>();

  const forget = (playerGuid: string): void => {
    clearTimeout(players.get(playerGuid)?.timer ?? undefined);
    players.delete(playerGuid);
  };

  const note = (report: ProgressReport): Kept => {
    forget(report.reporterGuid);
    const kept = { report, toldAt: clock.now(), timer: null };
    players.set(report.reporterGuid, kept);
    for (const oldest of players.keys()) {
      if (players.size <= MOST) break;
      forget(oldest);
    }
    return kept;
  };

  const isOf = (
    { matchGuid, roundNumber }: ProgressReport,
    match: Pick<ProgressReport, 'matchGuid' | 'roundNumber'>,
  ) => matchGuid === match.matchGuid && roundNumber === match.roundNumber;

  return {
    in: (match) => {
      const known = new Map<string, number>();
      if (match.status !== 'preparing') return known;
      for (const seat of SEATS) {
        const { playerGuid, ready } = match.seats[seat];
        const report = players.get(playerGuid)?.report;
        if (ready === 'downloading' && report && isOf(report, match)) known.set(playerGuid, report.progress);
      }
      return known;
    },
    note,
    merge: (report) => {
      const kept = players.get(report.reporterGuid);
      const isNews =
        kept === undefined || !isOf(kept.report, report) || kept.report.progress !== report.progress;
      if (!isNews) return;
      const waitMs = kept ? kept.toldAt + intervalMs - clock.now() : 0;
      if (kept === undefined || waitMs <= 0) {
        note(report);
        tell(report);
        return;
      }
      kept.report = report;
      kept.timer ??= setTimeout(() => {
        kept.timer = null;
        kept.toldAt = clock.now();
        tell(kept.report);
      }, waitMs).unref();
    },
    forget,
  };
}
