import { z } from 'zod';
import { guid, isoInstant } from '../../platform/http/schemas.ts';
import { feedMatch, matchCause, publicMatch } from '../matches/index.ts';
import { queueView } from '../queues/index.ts';

export const followParams = z.strictObject({ matchGuid: guid });
export const feedQuery = z.strictObject({
  queueGuid: guid.optional().describe('Only this queue and its matches'),
});

/** Loose: a request carries more. */
export const streamHeaders = z.looseObject({
  'last-event-id': z
    .string()
    .optional()
    .describe('The version that is known: it is not repeated, and after the end there is no stream (204)'),
});

export const noStream = z
  .null()
  .describe('The match has ended, and the version that is known is its last one');

/** The events of the stream of a match, by name. */
export const matchEvents = z
  .object({
    match: z
      .object({
        time: isoInstant.describe('When this was sent'),
        match: publicMatch,
        cause: matchCause
          .nullable()
          .describe('Null in the first event of a stream. Names nobody in `waiting_players`'),
      })
      .meta({ id: 'FollowedMatch' })
      .describe('A version of the match; its `id` is the version. Without `id`: the progress of a download'),
    end: z.object({}).meta({ id: 'StreamEnd' }).describe('The match has ended, and so does the stream'),
  })
  .meta({ id: 'MatchEvents' })
  .describe('A stream of events: the data of each, by its name');

/** The events of the stream of everything, by name. */
export const feedEvents = z
  .object({
    snapshot: z
      .object({
        time: isoInstant,
        queues: z.array(queueView),
        matches: z.array(feedMatch).describe('Running, with players known; the newest 20, newest first'),
      })
      .meta({ id: 'FeedSnapshot' })
      .describe('The first event'),
    queue: queueView.describe('Its status, `waiting`, `playing`, name or pool has changed'),
    matchStarted: feedMatch.describe('Both players have joined'),
    matchFinished: feedMatch.describe('A match whose players were known has ended'),
  })
  .meta({ id: 'FeedEvents' })
  .describe('A stream of events: the data of each, by its name');
