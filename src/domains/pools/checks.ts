import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Maps } from '../maps/index.ts';
import * as store from './store.ts';

/**
 * The daily look at the maps of published pools: has a mapper published another upload, or taken the map
 * away? It only marks; which upload is played never changes by itself. What was looked at when is known from
 * the answers that are stored, so a restart or another node goes on where the last one stopped.
 */

interface MapChecksOptions {
  database: Pick<Database, 'prisma'>;
  clock: Clock;
  maps: Pick<Maps, 'lookAgain'>;
  logger: FastifyBaseLogger;
}

const CHECKED_EVERY_MS = 24 * 3_600_000;
/** What the map host looks up at once. With a look every ten minutes: 7,200 keys a day. */
const KEYS_AT_ONCE = 50;
/** A host that suddenly knows none of so many maps has lost them; their mappers have not deleted them all. */
const TOO_MANY_GONE = 10;

export function createMapChecks({ database: { prisma }, clock, maps, logger }: MapChecksOptions) {
  const stopping = new AbortController();
  return {
    /** Looks at those that are due, fifty at most; one node at a time does. */
    run: async (): Promise<void> => {
      const keys = await store.keysToCheck(prisma, clock.now() - CHECKED_EVERY_MS, KEYS_AT_ONCE);
      if (keys.length === 0) return;
      const { hashes, isDown } = await maps.lookAgain(keys, stopping.signal);
      if (stopping.signal.aborted) return;
      const inVain = keys.filter((key) => !hashes.has(key));
      // The same ones are asked for next time, unless it is these maps that it gives no usable answer for.
      if (!isDown && inVain.length > 0) await store.noteVainChecks(prisma, inVain, clock.now());
      if (hashes.size >= TOO_MANY_GONE && [...hashes.values()].every((hash) => hash === null)) {
        logger.warn(
          { maps: hashes.size },
          'the map host knows none of the maps it was asked for; none was marked',
        );
        return;
      }
      const changed = await store.markStale(prisma, hashes);
      logger.info(
        { checked: hashes.size, inVain: inVain.length, changed },
        'checked maps of published pools',
      );
    },

    /** Gives up what is being asked for; nothing is lost by that. */
    stop: (): void => stopping.abort(),
  };
}
