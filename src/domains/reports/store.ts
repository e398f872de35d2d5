import { newGuid } from '../../platform/clock.ts';
import { type Db, Prisma } from '../../platform/database/database.ts';
import { expiryOf } from '../../platform/database/expiry.ts';
import { lockNames } from '../../platform/database/locks.ts';
import { mayBe } from '../players/index.ts';
import type { ListedReport, NewReport, Report, ReportDecision, ReportQuery } from './schemas.ts';

const reportOf = (row: Prisma.ReportGetPayload<object>): ListedReport => ({
  ...row,
  reason: row.reason as Report['reason'],
  status: row.status as Report['status'],
  at: row.at.toISOString(),
});

/** Serialises the reports of one person until the end of the transaction. */
export const lockReporter = (db: Db, reporterGuid: string) => lockNames(db, `reports of ${reporterGuid}`);

/** The report of a player about a match; there is only one other player. */
export async function reportAbout(db: Db, matchGuid: string, reporterGuid: string) {
  const row = await db.report.findUnique({ where: { matchGuid_reporterGuid: { matchGuid, reporterGuid } } });
  return row && reportOf(row);
}

/** When the `nth` latest report of a person was filed, milliseconds since 1970; null: there are fewer. */
export async function timeOfReport(db: Db, reporterGuid: string, nth: number) {
  const row = await db.report.findFirst({
    where: { reporterGuid },
    orderBy: { at: 'desc' },
    skip: nth - 1,
    select: { at: true },
  });
  return row?.at.getTime() ?? null;
}

export async function insertReport(db: Db, report: NewReport & { reporterGuid: string }, at: number) {
  const data = { ...report, reportGuid: newGuid(), status: 'open', at: new Date(at) };
  return reportOf(await db.report.create({ data }));
}

/** The reports of this person, newest first. The limit of a day and the retention bound their number. */
export async function reportsBy(db: Db, reporterGuid: string) {
  const rows = await db.report.findMany({
    where: { reporterGuid },
    orderBy: [{ at: 'desc' }, { reportGuid: 'desc' }],
  });
  return rows.map(reportOf);
}

/** Reports about matches that `without` did not play in, newest first: ids grow with time. */
export async function findReports(
  db: Db,
  { status, playerGuid, without }: Pick<ReportQuery, 'status' | 'playerGuid'> & { without: string },
  before: string | undefined,
  limit: number,
) {
  const conditions = [
    Prisma.sql`NOT ${mayBe(without, Prisma.sql`report."playerGuid", report."reporterGuid"`)}`,
    ...(status === undefined ? [] : [Prisma.sql`report."status" = ${status}`]),
    ...(playerGuid === undefined ? [] : [Prisma.sql`report."playerGuid" = ${playerGuid}::uuid`]),
    ...(before === undefined ? [] : [Prisma.sql`report."reportGuid" < ${before}::uuid`]),
  ];
  const rows = await db.$queryRaw<Prisma.ReportGetPayload<object>[]>`
    SELECT report.* FROM "Report" report WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY report."reportGuid" DESC LIMIT ${limit}`;
  return rows.map(reportOf);
}

export async function findReport(db: Db, reportGuid: string) {
  const row = await db.report.findUnique({ where: { reportGuid } });
  return row && reportOf(row);
}

/** Decides an open report. @returns whether it was still open */
export async function closeReport(db: Db, reportGuid: string, status: ReportDecision['status']) {
  const { count } = await db.report.updateMany({ where: { reportGuid, status: 'open' }, data: { status } });
  return count === 1;
}

/** Removes reports from before a time. */
export const expireReports = expiryOf('Report', 'at');
