import { z } from 'zod';
import {
  guid,
  isoInstant,
  keyInstant,
  keyInteger,
  page,
  pageQuery,
  wholeNumber,
} from '../../platform/http/schemas.ts';
import { remark } from '../../platform/http/text.ts';
import { submittedScore } from '../matches/index.ts';
import { shownPlatformId } from '../players/index.ts';
import { poolMap } from '../pools/index.ts';
import { CHECK_NAMES } from './verdict.ts';

/** The number of a round; its limit is beyond any match. */
const roundNumber = wholeNumber(1, 1000);

export const publishParams = z.strictObject({ matchGuid: guid, roundNumber });
export const replayParams = z.strictObject({ replayGuid: guid });
export const reviewParams = z.strictObject({ reviewGuid: guid });

/** Loose: the other headers are kept. */
export const publishHeaders = z.looseObject({
  'x-service-plugin-version': z
    .string()
    .optional()
    .describe('The plugin’s version; one that is not accepted: 426'),
  'content-encoding': z.string().optional().describe('`gzip`, or left out'),
});

const replayCheck = z
  .object({
    name: z.enum(CHECK_NAMES).meta({ id: 'ReplayCheckName' }),
    ok: z.boolean(),
    decisive: z.boolean().describe('Whether the verdict depends on it; the others only inform'),
    expected: z.string(),
    actual: z.string(),
  })
  .meta({ id: 'ReplayCheck' });

const verdict = z.enum(['verified', 'mismatch']).meta({ id: 'ReplayVerdict' });

export const publishedReplay = z
  .object({ replayGuid: guid, verdict, checks: z.array(replayCheck) })
  .meta({ id: 'PublishedReplay' });
export type PublishedReplay = z.output<typeof publishedReplay>;

export const replayView = z
  .object({
    replayGuid: guid,
    matchGuid: guid,
    roundNumber: z.int(),
    playerGuid: guid,
    verdict,
    checks: z.array(replayCheck),
    uploadedAt: isoInstant,
    size: z.int().describe('Bytes, as it was published'),
    sha256: z
      .string()
      .describe(
        'SHA-256 of the file that `downloadUrl` gives the reader, hexadecimal: for staff as it was published, for others of the copy without name and height. 64 zeros: not known, because the service did not keep it yet when the replay was published',
      )
      .meta({ pattern: '^[0-9a-f]{64}$' }),
    downloadUrl: z
      .string()
      .meta({ format: 'uri' })
      .nullable()
      .describe('Null: the file was removed, after its time or for an erasure'),
  })
  .meta({ id: 'Replay' });
export type ReplayView = z.output<typeof replayView>;

export const replaysOfMatchParams = z.strictObject({ matchGuid: guid });
/** By round; at most one of each player. */
export const replaysOfMatch = page('ReplaysOfMatch', replayView);
/** Keyset of the list: round and player of the last replay of a page. */
export const replaysOfMatchKey = z.tuple([keyInteger, guid]);

const reviewReason = z
  .enum(['mismatch', 'no_score', 'missing', 'copy'])
  .describe(
    '`mismatch`: the replay does not agree with the score. `no_score`: a replay came and no score. `missing`: the queue demands replays and none came. `copy`: another player published the same before',
  )
  .meta({ id: 'ReviewReason' });
export type ReviewReason = z.output<typeof reviewReason>;

const reviewDecision = z
  .enum(['dismissed', 'upheld'])
  .describe(
    '`dismissed`: nothing wrong with the score. `upheld`: it should not have counted; the result is corrected with `undo` or `result`',
  )
  .meta({ id: 'ReviewDecision' });

/** The replay as it is shown to those who decide about it. */
const evidence = replayView
  .extend({
    copyOf: z
      .object({ replayGuid: guid, playerGuid: guid, matchGuid: guid })
      .meta({ id: 'ReplayReference' })
      .nullable()
      .describe(
        'The first replay that another player published before with the same bytes, or on a map of more than 30 notes with the same cuts, bit by bit; null: there is none',
      ),
  })
  .meta({ id: 'ReplayEvidence' });

/** A replay that staff look at, as its player may know of it. */
export const replayUnderReview = z
  .object({ replayGuid: guid, matchGuid: guid, roundNumber: z.int(), verdict })
  .meta({ id: 'ReplayUnderReview' });
export type ReplayUnderReview = z.output<typeof replayUnderReview>;

const reviewStatus = z.enum(['open', 'resolved']).meta({ id: 'ReviewStatus' });

export const replayReview = z
  .object({
    reviewGuid: guid,
    status: reviewStatus,
    reason: reviewReason,
    createdAt: isoInstant,
    matchGuid: guid,
    roundNumber: z.int(),
    player: z
      .object({ playerGuid: guid, platformId: shownPlatformId, username: z.string() })
      .meta({ id: 'ReviewedPlayer' }),
    map: poolMap,
    score: submittedScore.nullable().describe('As submitted; null: none came in'),
    replay: evidence.nullable().describe('The evidence; null: there is none'),
    decision: reviewDecision.nullable(),
    comment: z.string().nullable(),
    resolvedByGuid: guid.nullable(),
    resolvedAt: isoInstant.nullable(),
  })
  .meta({ id: 'ReplayReview' });
export type ReplayReview = z.output<typeof replayReview>;

/** A review with what the other player did in the same round. */
export const replayReviewInRound = replayReview
  .extend({
    opponent: z
      .object({
        player: replayReview.shape.player,
        score: replayReview.shape.score,
        replay: replayReview.shape.replay,
      })
      .meta({ id: 'ReviewedOpponent' }),
  })
  .meta({ id: 'ReplayReviewInRound' });
export type ReplayReviewInRound = z.output<typeof replayReviewInRound>;

export const reviewPage = page('ReplayReviewList', replayReview);
export const reviewQuery = pageQuery.extend({
  status: reviewStatus.optional(),
  reason: reviewReason.optional(),
  matchGuid: guid.optional(),
  playerGuid: guid.optional(),
});
export type ReviewQuery = z.output<typeof reviewQuery>;
/** Sort key of the list: when it was listed, then the guid. */
export const reviewKey = z.tuple([keyInstant, guid]);

export const resolveBody = z
  .strictObject({ decision: reviewDecision, comment: remark(1000) })
  .meta({ id: 'ReplayReviewDecision' });
export type ResolveBody = z.output<typeof resolveBody>;

/** The route reads the body itself. */
export const givenReplay = z.any().describe('The file').meta({ type: 'string', format: 'binary' });
export const replayFile = z
  .string()
  .meta({ format: 'binary' })
  .describe('The file, or the part of it that `Range` asks for');
