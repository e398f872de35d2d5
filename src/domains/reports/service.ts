import type { Config } from '../../config.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import { existing } from '../../platform/errors.ts';
import { refusalAfter } from '../../platform/http/limits.ts';
import { readPage } from '../../platform/http/schemas.ts';
import type { WriteRequest } from '../../platform/http/staff.ts';
import { RATES } from '../../platform/limits.ts';
import { recordAudit } from '../audit/index.ts';
import { keepPerson } from '../auth/index.ts';
import { type Matches, matchErrors } from '../matches/index.ts';
import type { Outages } from '../outages/index.ts';
import { mayBeAmong } from '../players/index.ts';
import { reportErrors } from './errors.ts';
import { TAKEN_FOR_MS } from './rules.ts';
import {
  type ListedReport,
  type NewReport,
  type Report,
  type ReportDecision,
  type ReportQuery,
  reportKey,
} from './schemas.ts';
import * as store from './store.ts';

export interface ReportsOptions {
  config: Pick<Config, 'rateLimitFactor'>;
  database: Database;
  clock: Clock;
  matches: Pick<Matches, 'stored'>;
  outages: Pick<Outages, 'isOver' | 'servedAfter'>;
}

/** A report as its author and staff who decide see it: without the filer. */
const shown = ({ reporterGuid: _, ...report }: ListedReport): Report => report;

export type Reports = ReturnType<typeof createService>;

/** Reports of players about each other, and the decisions of staff about them. */
export function createService({ config, database, clock, matches, outages }: ReportsOptions) {
  const { prisma } = database;
  const { most, everyMs } = RATES.reports;
  const mostReports = Math.max(1, Math.round(most * config.rateLimitFactor));

  /** The end of a match that both have joined; null while it runs. @throws MATCH_NOT_FOUND, also when the two are not its players */
  const endOfMatch = async (reporterGuid: string, { matchGuid, playerGuid }: NewReport) => {
    const { state } = existing(await matches.stored(matchGuid), matchErrors.MATCH_NOT_FOUND);
    const { red, blue } = state.seats;
    const isTheirs =
      (red.playerGuid === reporterGuid && blue.playerGuid === playerGuid) ||
      (blue.playerGuid === reporterGuid && red.playerGuid === playerGuid);
    if (!isTheirs || !red.joined || !blue.joined) throw matchErrors.MATCH_NOT_FOUND();
    return state.endedAt;
  };

  return {
    /**
     * Files a report about the other player of a match. One that is there already is returned as it is now. Reports
     * of one person that come at once are filed one after the other, so none is filed twice and none beyond the limit.
     * @returns the report, and whether it was filed now
     * @throws MATCH_NOT_FOUND, REPORT_TOO_LATE, RATE_LIMITED, UNAUTHENTICATED for a person who was erased meanwhile
     */
    file: async (reporterGuid: string, input: NewReport) => {
      const endedAt = await endOfMatch(reporterGuid, input);
      const isLate = endedAt !== null && (await outages.isOver(endedAt, TAKEN_FOR_MS));
      return inTransaction(database, [], async (db) => {
        await keepPerson(db, reporterGuid);
        await store.lockReporter(db, reporterGuid);
        const filed = await store.reportAbout(db, input.matchGuid, reporterGuid);
        if (filed !== null) return { report: shown(filed), created: false };
        if (isLate) throw reportErrors.REPORT_TOO_LATE();
        const now = clock.now();
        const first =
          config.rateLimitFactor === 0 ? null : await store.timeOfReport(db, reporterGuid, mostReports);
        const refusal = first === null ? null : refusalAfter(Math.max(0, first + everyMs - now));
        if (refusal !== null) throw refusal;
        const added = await store.insertReport(db, { ...input, reporterGuid }, now);
        return { report: shown(added), created: true };
      });
    },

    /** Until when the players of a match that ended then can be reported, unless there is another outage. */
    takenUntil: (endedAt: number): number => outages.servedAfter(endedAt, TAKEN_FOR_MS),

    /** The reports of this person, newest first. */
    filedBy: async (reporterGuid: string) => (await store.reportsBy(prisma, reporterGuid)).map(shown),

    /**
     * A page of reports, newest first, without those of matches that the reader played in.
     * @throws VALIDATION_FAILED for a foreign cursor
     */
    list: ({ status, playerGuid, ...query }: ReportQuery, readerGuid: string) =>
      readPage(
        query,
        reportKey,
        (after, limit) =>
          store.findReports(prisma, { status, playerGuid, without: readerGuid }, after?.[0], limit),
        ({ reportGuid }) => [reportGuid],
      ),

    /**
     * Decides a report, once; recorded in the audit log.
     * @throws REPORT_NOT_FOUND, OWN_MATCH, REPORT_CLOSED, UNAUTHENTICATED for a person who was erased meanwhile
     */
    decide: async ({ actorGuid }: WriteRequest, reportGuid: string, { status, comment }: ReportDecision) =>
      inTransaction(database, [], async (db) => {
        await keepPerson(db, actorGuid);
        const found = existing(await store.findReport(db, reportGuid), reportErrors.REPORT_NOT_FOUND);
        const { matchGuid, playerGuid, reporterGuid } = found;
        if (await mayBeAmong(db, actorGuid, [playerGuid, reporterGuid])) throw matchErrors.OWN_MATCH();
        if (!(await store.closeReport(db, reportGuid, status))) throw reportErrors.REPORT_CLOSED();
        await recordAudit(db, {
          at: clock.now(),
          actorGuid,
          action: 'decideReport',
          target: `/reports/${reportGuid}`,
          before: { status: 'open' },
          after: { status, matchGuid, playerGuid, comment },
        });
        return { ...shown(found), status };
      }),
  };
}
