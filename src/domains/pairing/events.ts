import { z } from 'zod';
import { guid, isoInstant } from '../../platform/http/schemas.ts';

export const queueEntryView = z
  .object({
    queueGuid: guid,
    joinedAt: isoInstant,
    waitingMs: z.int(),
    rating: z.int(),
    gap: z.int().describe('Rating gap accepted at the moment'),
  })
  .meta({ id: 'QueueEntry' });
export type QueueEntryView = z.output<typeof queueEntryView>;

const queueReason = z
  .enum([
    'joined',
    'left',
    'matched',
    'requeued',
    'queue_drained',
    'pool_retired',
    'disconnected',
    'banned',
    'maintenance',
  ])
  .meta({ id: 'QueueReason' });
export type QueueReason = z.output<typeof queueReason>;

export const toServer = {
  joinQueue: {
    description: 'Waits for an opponent in a queue. Sent again for the same queue it keeps the place.',
    payload: z.strictObject({ queueGuid: guid }),
    data: z.object({ queueEntry: queueEntryView }).meta({ id: 'QueueEntryData' }),
    refusals: [
      'PLAYER_NOT_FOUND',
      'QUEUE_NOT_FOUND',
      'QUEUE_NOT_OPEN',
      'ALREADY_IN_MATCH',
      'ALREADY_QUEUED',
      'PENALIZED',
      'PLUGIN_VERSION_NOT_ACCEPTED',
      'BANNED',
      'DRAINING',
    ],
  },
  leaveQueue: {
    description: 'Stops waiting. Succeeds as well for a player who does not wait.',
    payload: z.strictObject({}),
    data: z.object({}).meta({ id: 'EmptyData' }),
    refusals: [],
  },
} as const;

export const toClient = {
  queueUpdated: {
    description:
      'The place in the queue changed: taken, given up, or lost, and why. Also sent when it may have changed while the service could not tell.',
    payload: z.object({
      queueEntry: queueEntryView.nullable(),
      reason: queueReason
        .nullable()
        .describe(
          'Null without a place: the plugin version is not accepted any more; `pluginVersionRetired` names the one to get. Null with a place: that is the place now',
        ),
    }),
  },
} as const;
export type QueueUpdate = z.output<typeof toClient.queueUpdated.payload>;
