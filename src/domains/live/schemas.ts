import { z } from 'zod';

export const liveParams = z.strictObject({
  platformId: z
    .string()
    .regex(/^\d{1,20}$/, 'must be digits')
    .describe('Platform id of the player whose play it is'),
});

/** Loose: a handshake carries more. */
export const liveHeaders = z.looseObject({
  authorization: z
    .string()
    .optional()
    .describe('`Bearer` and the game token of this platform id: to publish. Left out: to watch'),
  'x-service-plugin-version': z.string().optional().describe('Version of the plugin that publishes'),
});

export const switched = z.null().describe('The connection is a WebSocket from here on');
