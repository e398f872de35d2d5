import { z } from 'zod';
import { guid, isoInstant, page, pageQuery } from '../../platform/http/schemas.ts';
import { optionalLine, remark } from '../../platform/http/text.ts';

const reportReason = z.enum(['cheating', 'stalling', 'abuse', 'other']).meta({ id: 'ReportReason' });
const reportStatus = z
  .enum(['open', 'upheld', 'dismissed'])
  .describe('`upheld`: staff agree. `dismissed`: nothing wrong was found')
  .meta({ id: 'ReportStatus' });

/** A report as its author sees it, without the remarks of staff. */
export const report = z
  .object({
    reportGuid: guid,
    matchGuid: guid,
    playerGuid: guid.describe('The reported player'),
    reason: reportReason,
    comment: z.string().nullable(),
    status: reportStatus,
    at: isoInstant,
  })
  .meta({ id: 'Report' });
export type Report = z.output<typeof report>;

/** A report as staff see it in the list. */
const listedReport = report.extend({ reporterGuid: guid }).meta({ id: 'ListedReport' });
export type ListedReport = z.output<typeof listedReport>;
export const reportPage = page('ReportList', listedReport);

export const newReport = z
  .strictObject({
    matchGuid: guid,
    playerGuid: guid.describe('The other player of the match'),
    reason: reportReason,
    comment: optionalLine(500).describe('An empty one is null'),
  })
  .meta({ id: 'NewReport' });
export type NewReport = z.output<typeof newReport>;

export const reportQuery = pageQuery.extend({
  status: reportStatus.optional(),
  playerGuid: guid.optional().describe('The reported player'),
});
export type ReportQuery = z.output<typeof reportQuery>;
/** Keyset of the list: the last report of a page. */
export const reportKey = z.tuple([guid]);

export const reportParams = z.strictObject({ reportGuid: guid });
export const reportDecision = z
  .strictObject({
    status: z.enum(['upheld', 'dismissed']).meta({ id: 'ReportDecisionStatus' }),
    comment: remark(1000).describe('Kept in the audit log; never shown to players'),
  })
  .meta({ id: 'ReportDecision' });
export type ReportDecision = z.output<typeof reportDecision>;
