import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { writeRequestOf } from '../../platform/http/staff.ts';
import { authErrors } from '../auth/index.ts';
import { matchErrors } from '../matches/index.ts';
import { reportErrors } from './errors.ts';
import { newReport, report, reportDecision, reportPage, reportParams, reportQuery } from './schemas.ts';
import type { Reports } from './service.ts';

const refusals = refusalsOf({ ...authErrors, ...matchErrors, ...reportErrors });

export const reportRoutes: FastifyPluginAsyncZod<{ reports: Reports }> = async (app, { reports }) => {
  app.post('/reports', {
    schema: {
      operationId: 'reportPlayer',
      summary: 'Report the other player of a match',
      description:
        'From when both have joined to 24 hours after the end (time in which the service was not there does not count), at most 20 within 24 hours. One report for each match: another one is answered with the first, as it is now, whatever its reason.',
      body: newReport,
      response: {
        200: report.describe('Filed before'),
        201: report,
        ...refusals('VALIDATION_FAILED', 'BANNED', 'MATCH_NOT_FOUND', 'REPORT_TOO_LATE', 'RATE_LIMITED'),
      },
    },
    handler: async (request, reply) => {
      const { actorGuid } = writeRequestOf(request);
      const { report: filed, created } = await reports.file(actorGuid, request.body);
      return reply.code(created ? 201 : 200).send(filed);
    },
  });

  app.get('/reports', {
    schema: {
      operationId: 'listReports',
      summary: 'List reports',
      description:
        'Newest first, with who filed them. Reports about matches one played in are left out: others decide them.',
      querystring: reportQuery,
      response: { 200: reportPage, ...refusals('VALIDATION_FAILED') },
    },
    handler: (request) => reports.list(request.query, writeRequestOf(request).actorGuid),
  });

  app.patch('/reports/:reportGuid', {
    schema: {
      operationId: 'decideReport',
      summary: 'Decide a report',
      description:
        'Once. Recorded in the audit log; it changes no result and bans nobody: that is done with `result`, `undo` and bans. Never of a match one plays in.',
      params: reportParams,
      body: reportDecision,
      response: {
        200: report,
        ...refusals('VALIDATION_FAILED', 'REPORT_NOT_FOUND', 'OWN_MATCH', 'REPORT_CLOSED'),
      },
    },
    handler: (request) => reports.decide(writeRequestOf(request), request.params.reportGuid, request.body),
  });
};
