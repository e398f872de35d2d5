import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { writeHeaders, writeRequestOf } from '../../platform/http/staff.ts';
import { ladderPreview } from './preview-schemas.ts';
import { refusals } from './refusals.ts';
import { abortBody, matchParams, previewBody, publicMatch, resultBody, undoBody } from './schemas.ts';
import type { Matches } from './service.ts';

/** The schema that the routes of this file share. */
const decision = (
  operationId: string,
  summary: string,
  description: string,
  ...codes: ('WRONG_PHASE' | 'ALREADY_UNDONE' | 'TOO_MANY_LATER_MATCHES')[]
) => ({
  tags: ['Staff'],
  operationId,
  summary,
  description,
  params: matchParams,
  headers: writeHeaders,
  response: {
    200: publicMatch,
    ...refusals('VALIDATION_FAILED', 'MATCH_NOT_FOUND', 'OWN_MATCH', ...codes, 'STALE'),
  },
});

/** Decisions of staff. */
export const moderationRoutes: FastifyPluginAsyncZod<{ matches: Matches }> = async (app, { matches }) => {
  app.post('/matches/:matchGuid/abort', {
    schema: {
      ...decision(
        'abortMatch',
        'Abort a running match',
        'No contest, without a penalty for anybody. Both players are told.',
        'WRONG_PHASE',
      ),
      body: abortBody,
    },
    handler: (request) =>
      matches.abort(writeRequestOf(request), request.params.matchGuid, request.body.reason),
  });

  app.post('/matches/:matchGuid/result', {
    schema: {
      ...decision(
        'decideMatch',
        'Decide a match, running or ended',
        'A running match ends with it, and both players are told. The result of an ended one is replaced, and the later rated matches of its queue and season are rated again in the order in which they were made; what they showed before is kept in their logs. The result that stands already changes nothing.',
        'TOO_MANY_LATER_MATCHES',
      ),
      body: resultBody,
    },
    handler: (request) => matches.decide(writeRequestOf(request), request.params.matchGuid, request.body),
  });

  const { response, ...shared } = decision(
    'previewResult',
    'Preview the effect of a decision on the ladder',
    'What `result` with this body would change on the ladder now; with `no_contest` also what `abort` and `undo` would. Nothing is changed, nobody is told, and it is not audited.',
    'TOO_MANY_LATER_MATCHES',
  );
  app.post('/matches/:matchGuid/result/preview', {
    schema: { ...shared, body: previewBody, response: { ...response, 200: ladderPreview } },
    handler: (request) => matches.preview(writeRequestOf(request), request.params.matchGuid, request.body),
  });

  app.post('/matches/:matchGuid/undo', {
    schema: {
      ...decision(
        'undoMatch',
        'Undo the result of an ended match',
        'It is no contest from now on (`decided_by_staff`), and the later rated matches of its queue and season are rated again without it. Penalties stay. A later `result` may decide it anew.',
        'WRONG_PHASE',
        'ALREADY_UNDONE',
        'TOO_MANY_LATER_MATCHES',
      ),
      body: undoBody,
    },
    handler: (request) =>
      matches.undo(writeRequestOf(request), request.params.matchGuid, request.body.reason),
  });
};
