import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { pageQuery } from '../../platform/http/schemas.ts';
import { writeRequestOf } from '../../platform/http/staff.ts';
import { auditActions, auditPage, auditQuery } from './schemas.ts';
import type { Audit } from './service.ts';

const refusals = refusalsOf({});

export const auditRoutes: FastifyPluginAsyncZod<{ audit: Audit }> = async (app, { audit }) => {
  app.get('/audit-log', {
    schema: {
      tags: ['Staff'],
      operationId: 'listAuditEntries',
      summary: 'Read the audit log',
      description:
        'Each entry names the actor, the action and the target, before and after; newest first. Entries are never changed. Decisions about reports of matches one played in are left out, so a page may have fewer entries than `limit`.',
      querystring: auditQuery,
      response: { 200: auditPage, ...refusals('VALIDATION_FAILED') },
    },
    handler: (request) => audit.list(request.query, writeRequestOf(request).actorGuid),
  });

  app.get('/audit-log/actions', {
    schema: {
      tags: ['Staff'],
      operationId: 'listAuditActions',
      summary: 'List what occurs in the audit log as an action',
      description: 'The values that `GET /audit-log` can be filtered by.',
      querystring: pageQuery,
      response: { 200: auditActions, ...refusals('VALIDATION_FAILED') },
    },
    handler: (request) => audit.actions(request.query),
  });
};
