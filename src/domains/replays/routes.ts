import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { publicAnswerUnlessStaff } from '../../platform/http/cache.ts';
import { tagAnswer } from '../../platform/http/etag.ts';
import { answerFile } from '../../platform/http/files.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { pageQuery } from '../../platform/http/schemas.ts';
import { writeRequestOf } from '../../platform/http/staff.ts';
import { takeUploads, uploadOf } from '../../platform/http/uploads.ts';
import { RATES } from '../../platform/limits.ts';
import { authErrors } from '../auth/index.ts';
import { matchErrors } from '../matches/index.ts';
import { releaseErrors } from '../releases/index.ts';
import { decoded, MAX_REPLAY_BYTES } from './decoding.ts';
import { replayErrors } from './errors.ts';
import {
  givenReplay,
  publishedReplay,
  publishHeaders,
  publishParams,
  replayFile,
  replayParams,
  replayReview,
  replayReviewInRound,
  replaysOfMatch,
  replaysOfMatchParams,
  replayView,
  resolveBody,
  reviewPage,
  reviewParams,
  reviewQuery,
} from './schemas.ts';
import type { Replays } from './service.ts';

const refusals = refusalsOf({ ...authErrors, ...releaseErrors, ...matchErrors, ...replayErrors });

/** For one player; a round takes minutes, so this is for plugins that repeat after a lost answer. */
const UPLOADS = { name: 'replays', rate: RATES.replays };

type ReplayRoutes = FastifyPluginAsyncZod<{ replays: Replays }>;

export const replayRoutes: ReplayRoutes = async (app, { replays }) => {
  await app.register(uploadRoute, { replays });
  await app.register(reviewRoutes, { replays });

  app.get('/replays/:replayGuid', {
    onSend: tagAnswer,
    schema: {
      operationId: 'getReplay',
      sends: ['ETag', 'Cache-Control'],
      summary: 'A replay and its verdict',
      description: 'Public once the match has ended; before that for staff who do not play in it.',
      params: replayParams,
      response: { 200: replayView, ...refusals('VALIDATION_FAILED', 'REPLAY_NOT_FOUND') },
    },
    handler: async (request, reply) => {
      const found = await replays.read(request.params.replayGuid, request.principal);
      publicAnswerUnlessStaff(reply);
      return found;
    },
  });

  app.get('/matches/:matchGuid/replays', {
    schema: {
      tags: ['Staff'],
      operationId: 'listReplaysOfMatch',
      summary: 'The replays of a match, with their verdicts',
      description: 'Of a running match, too, but not for those who play in it.',
      params: replaysOfMatchParams,
      querystring: pageQuery,
      response: { 200: replaysOfMatch, ...refusals('VALIDATION_FAILED', 'MATCH_NOT_FOUND', 'OWN_MATCH') },
    },
    handler: (request) =>
      replays.ofMatch(request.params.matchGuid, writeRequestOf(request).actorGuid, request.query),
  });

  app.get('/replays/:replayGuid/download', {
    schema: {
      operationId: 'downloadReplay',
      sends: ['Content-Disposition', 'ETag', 'Cache-Control', 'Accept-Ranges'],
      summary: 'The file of a replay',
      description:
        'Public once the match has ended: without the player’s name and height. Staff get the file as it was published. Ranges of bytes, `If-Range` and `If-None-Match` are understood.',
      produces: ['application/octet-stream'],
      params: replayParams,
      response: {
        200: replayFile,
        206: replayFile,
        ...refusals(
          'VALIDATION_FAILED',
          'REPLAY_NOT_FOUND',
          'REPLAY_FILE_MISSING',
          'REPLAY_REMOVED',
          'RANGE_NOT_SATISFIABLE',
        ),
      },
    },
    handler: async (request, reply) => {
      const { replayGuid } = request.params;
      const file = await replays.file(replayGuid, request.principal);
      publicAnswerUnlessStaff(reply);
      const headers = { 'content-disposition': `attachment; filename="${replayGuid}.bsor"` };
      return answerFile(request, reply, { ...file, headers });
    },
  });
};

/** Routes on which staff read and decide reviews. */
const reviewRoutes: ReplayRoutes = async (app, { replays }) => {
  app.get('/replay-reviews', {
    schema: {
      tags: ['Staff'],
      operationId: 'listReplayReviews',
      summary: 'List reviews of replays, with the evidence',
      description:
        'Replays that do not agree with their score, replays of rounds without a score, copies of another player’s replay, and rounds without the replay that their queue demands. The one that waits longest comes first. Those of the match that one plays now are left out until it ends.',
      querystring: reviewQuery,
      response: { 200: reviewPage, ...refusals('VALIDATION_FAILED') },
    },
    handler: (request) => replays.reviews(request.query, writeRequestOf(request).actorGuid),
  });

  app.get('/replay-reviews/:reviewGuid', {
    schema: {
      tags: ['Staff'],
      operationId: 'getReplayReview',
      summary: 'A review, with the evidence of both players of the round',
      description: 'Never of a match one plays in: others decide it.',
      params: reviewParams,
      response: {
        200: replayReviewInRound,
        ...refusals('VALIDATION_FAILED', 'OWN_MATCH', 'REPLAY_REVIEW_NOT_FOUND'),
      },
    },
    handler: (request) => replays.review(writeRequestOf(request).actorGuid, request.params.reviewGuid),
  });

  app.post('/replay-reviews/:reviewGuid/resolve', {
    schema: {
      tags: ['Staff'],
      operationId: 'resolveReplayReview',
      summary: 'Decide a review',
      description:
        'For the record: it changes no result. That is done with `undo` or `result` of the match. Never of a match one plays in.',
      params: reviewParams,
      body: resolveBody,
      response: {
        200: replayReview,
        ...refusals('VALIDATION_FAILED', 'OWN_MATCH', 'REPLAY_REVIEW_NOT_FOUND', 'REPLAY_REVIEW_RESOLVED'),
      },
    },
    handler: (request) => replays.resolve(writeRequestOf(request), request.params.reviewGuid, request.body),
  });
};

/** In a scope of its own: here a body is a file. */
const uploadRoute: ReplayRoutes = async (app, { replays }) => {
  takeUploads(app);
  app.post('/matches/:matchGuid/rounds/:roundNumber/replay', {
    config: { upload: true, limit: UPLOADS },
    schema: {
      tags: ['Replays'],
      operationId: 'publishReplay',
      summary: 'Publish the replay of a round one has played',
      description:
        'The body is the file (`application/octet-stream`, BSOR version 1, 64 MiB at most after decoding), `Content-Encoding: gzip` is understood. Possible until 15 minutes after the match; time in which the service was not there does not count. The same file again is answered with 200 and the same answer, so a lost answer is asked for by sending the file again.',
      consumes: ['application/octet-stream'],
      params: publishParams,
      body: givenReplay,
      headers: publishHeaders,
      response: {
        200: publishedReplay.describe('Published before'),
        201: publishedReplay,
        ...refusals(
          'VALIDATION_FAILED',
          'TOKEN_TYPE_NOT_ALLOWED',
          'BANNED',
          'PLUGIN_VERSION_MISSING',
          'PLUGIN_VERSION_NOT_ACCEPTED',
          'MATCH_NOT_FOUND',
          'WRONG_PHASE',
          'REPLAY_EXISTS',
          'REPLAY_TOO_LATE',
          'REPLAY_UNREADABLE',
        ),
      },
    },
    handler: async (request, reply) => {
      const { actorGuid: playerGuid } = writeRequestOf(request);
      const body = uploadOf(request, { maxBytes: MAX_REPLAY_BYTES });
      const file = decoded(body, request.headers['content-encoding']);
      const { created, replay } = await replays.publish({ ...request.params, playerGuid }, file);
      return reply.code(created ? 201 : 200).send(replay);
    },
  });
};
