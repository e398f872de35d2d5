import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { existing } from '../../platform/errors.ts';
import { type PageQuery, readPage } from '../../platform/http/schemas.ts';
import { seasonErrors } from '../seasons/index.ts';
import { queueErrors } from './errors.ts';
import * as store from './ladders-store.ts';
import { ladderKey } from './schemas.ts';
import { seasonOfQueue } from './store.ts';

export type Ladders = ReturnType<typeof createLadders>;

/** The ladders there are: one for each queue and season it was open in. */
export function createLadders({ database: { prisma }, clock }: { database: Database; clock: Clock }) {
  return {
    /**
     * A page of all ladders, those of the running season first. `validUntil` is when a season next starts or ends, which
     * changes the list without a write.
     * @throws VALIDATION_FAILED for a foreign cursor
     */
    ladders: async (query: PageQuery) => {
      const now = clock.now();
      const { items, nextCursor } = await readPage(
        query,
        ladderKey,
        (after, limit) => store.findLadders(prisma, now, after, limit),
        ({ running, startsAt, queueGuid }) => [Number(running), startsAt.toISOString(), queueGuid],
      );
      const shown = items.map(({ startsAt: _, ...ladder }) => ladder);
      return { page: { items: shown, nextCursor }, validUntil: await store.nextSeasonChange(prisma, now) };
    },

    /**
     * The season of a ladder to read: the one asked for, or that of the queue's pool.
     * @throws QUEUE_NOT_FOUND, SEASON_NOT_FOUND when the queue was never open in the season asked for
     */
    seasonOfLadder: async (queueGuid: string, asked: string | undefined) => {
      const current = existing(await seasonOfQueue(prisma, queueGuid), queueErrors.QUEUE_NOT_FOUND);
      if (asked === undefined) return current;
      if (!(await store.hasLadder(prisma, queueGuid, asked)))
        throw seasonErrors.SEASON_NOT_FOUND({ message: 'This queue has no ladder in such a season.' });
      return asked;
    },
  };
}
