import { pino } from 'pino';
import { systemClock } from '../../src/platform/clock.ts';
import { createHttp, type Http } from '../../src/platform/http/server.ts';

/** The HTTP server without the game: it logs nothing, and limits nothing unless it is told to. */
export const createQuietHttp = (options: Partial<Parameters<typeof createHttp>[0]> = {}): Promise<Http> =>
  createHttp({
    logger: pino({ level: 'silent' }),
    clock: systemClock,
    trustProxy: undefined,
    credentialOrigins: [],
    rateLimitFactor: 0,
    ...options,
  });
