import { z } from 'zod';
import { guid, isoInstant } from '../../platform/http/schemas.ts';
import { matchPlayer, matchResult, matchView } from '../matches/index.ts';
import { pairingEvents } from '../pairing/index.ts';
import { penalty } from '../penalties/index.ts';

/** Notices about the connection or the service. */
const noticeType = z
  .enum([
    'draining',
    'sessionReplaced',
    'pluginVersionRetired',
    'tokenExpired',
    'banned',
    'erased',
    'maintenance',
  ])
  .meta({ id: 'NoticeType' });
export type NoticeType = z.output<typeof noticeType>;

export const toServer = {
  hello: {
    description: 'Everything a client needs after it connected, or connected again.',
    isReadOnly: true,
    payload: z.strictObject({}),
    data: z
      .object({
        player: matchPlayer.extend({ roles: z.array(z.string()) }).meta({ id: 'OwnPlayer' }),
        queueEntry: pairingEvents.queueEntryView.nullable().describe('Null: the player does not wait'),
        match: matchView.nullable().describe('The running match'),
        lastMatch: z
          .object({ matchGuid: guid, result: matchResult, endedAt: isoInstant })
          .meta({ id: 'LastMatch' })
          .nullable()
          .describe('Kept for 24 hours'),
        penalty: penalty.nullable().describe('Null: the player may queue'),
        time: isoInstant,
      })
      .meta({ id: 'HelloData' }),
    refusals: [],
  },
} as const;

export const toClient = {
  serverNotice: {
    description: 'Something about the connection or the service that is worth telling the player.',
    payload: z.object({
      type: noticeType,
      message: z.string().describe('Safe to show'),
      retryAfterMs: z
        .int()
        .nullable()
        .describe(
          'For `draining`: milliseconds, 500 to 5,000, until the client connects again; they differ between connections. Otherwise null',
        ),
    }),
  },
} as const;
